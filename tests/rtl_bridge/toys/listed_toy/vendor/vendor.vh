// SPDX-License-Identifier: Apache-2.0
`define EXTRA 2
