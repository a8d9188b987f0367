# SPDX-License-Identifier: Apache-2.0
# assembly.yaml RESOURCEDECL; manual BabyRISCV/AutoTTSync.  What it declares is in tests/unit/tensix/autosync_test.c.
case it goes no further than the FIFO, and takes no place there
  exec NOP
  exec RESOURCEDECL op_class=15, resources=0x1ff
  exec SEMPOST SemaphoreMask=1
  post sem[0]=1
