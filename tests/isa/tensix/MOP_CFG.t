# SPDX-License-Identifier: Apache-2.0
# Manual WormholeB0 MOP_CFG.
case the high half of the mask of template 0, for every MOP behind it
  pre mop[3]=0xa4000004 mop[7]=0xa4000008
  exec NOP
  exec MOP_CFG MaskHi=1
  exec MOP Count1=16
  exec MOP Count1=16
  post sem[0]=15 sem[1]=2
