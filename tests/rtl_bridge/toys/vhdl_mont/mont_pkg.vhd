-- SPDX-License-Identifier: Apache-2.0
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

package mont_pkg is
  type state_t is (IDLE, RUN, REDUCE);

  type control_t is record
    state : state_t;
    busy  : std_logic;
    done  : std_logic;
  end record;

  function digits (width : positive; digit : positive) return positive;
  function halved (x : unsigned) return unsigned;
end package;

package body mont_pkg is
  function digits (width : positive; digit : positive) return positive is
  begin
    return (width + digit - 1) / digit;
  end function;

  function halved (x : unsigned) return unsigned is
  begin
    return '0' & x(x'high downto x'low + 1);
  end function;
end package body;
