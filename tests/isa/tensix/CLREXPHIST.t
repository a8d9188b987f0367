# SPDX-License-Identifier: Apache-2.0
# CLREXPHIST.  Manual WormholeB0 CLREXPHIST, Packers/ExponentHistogram.
case all bins and the largest exponent become zero, the rest of the packer stays
  pre  packer.histogram[0]=3 packer.histogram[31]=255 packer.exponent=0x81 packer.size=5 packer.position=7
  exec CLREXPHIST
  post packer.histogram[0]=0 packer.histogram[31]=0 packer.exponent=0 packer.size=5 packer.position=7
case one a cycle
  exec CLREXPHIST
  exec CLREXPHIST
  passes 0 1
