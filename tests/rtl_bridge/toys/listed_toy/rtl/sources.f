// SPDX-License-Identifier: Apache-2.0
# The files of the core; paths are from this folder.
+define+STEP=1 /* a macro,
   and a folder for included files */ +incdir+../vendor
-F ../vendor/cells.f
-sv
listed_toy.v
