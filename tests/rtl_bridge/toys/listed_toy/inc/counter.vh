// SPDX-License-Identifier: Apache-2.0
`define LAST 1
`include "vendor.vh"
