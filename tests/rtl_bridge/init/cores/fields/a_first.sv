// SPDX-License-Identifier: Apache-2.0
package field_pkg;
  import zeta_pkg::*;
  typedef logic [BITS-1:0] elem_t;
  localparam elem_t FIELD_PRIME = 31'd2147483647;
endpackage
