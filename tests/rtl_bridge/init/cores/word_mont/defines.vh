// SPDX-License-Identifier: Apache-2.0
`define ST_IDLE 2'd0
`define ST_RUN 2'd1
`define ST_FIN 2'd2
