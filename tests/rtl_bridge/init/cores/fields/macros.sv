// SPDX-License-Identifier: Apache-2.0
`define REDUCED(x, y) (({31'd0, x} * {31'd0, y}) % {31'd0, FIELD_PRIME})
