# SPDX-License-Identifier: Apache-2.0
testbench=lt_files_tb
include=rtl
parameters='ConstW=250 AW=168 BW=168 ResultW=168 CombW=63 RegW=19 CycleW=32 Chunk=4096'
plusargs='folder=vectors cases=16 rows=0 limit=272 stalls=0 products=1 width=168 word=8 first=0'
