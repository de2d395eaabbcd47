-- SPDX-License-Identifier: Apache-2.0
package body arith_pkg is
  function doubled(x : unsigned) return unsigned is
  begin
    return shift_left(x, 1);
  end function;
end package body;
