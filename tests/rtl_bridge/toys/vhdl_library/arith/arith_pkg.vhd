-- SPDX-License-Identifier: Apache-2.0
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

package arith_pkg is
  function doubled(x : unsigned) return unsigned;
end package;
