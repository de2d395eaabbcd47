// SPDX-License-Identifier: Apache-2.0
package zeta_pkg;
  localparam BITS = 31;
endpackage
