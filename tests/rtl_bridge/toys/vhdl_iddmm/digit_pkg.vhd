-- SPDX-License-Identifier: Apache-2.0
-- Widths that follow from generics.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

package digit_pkg is
  -- The bits that count `values` different values.
  function bits_for (values : positive) return natural;
  -- '1' for a true condition.
  function to_bit_of (condition : boolean) return std_logic;
end package;

package body digit_pkg is
  function bits_for (values : positive) return natural is
    variable bits : natural := 0;
  begin
    while 2 ** bits < values loop
      bits := bits + 1;
    end loop;
    return bits;
  end function;

  function to_bit_of (condition : boolean) return std_logic is
  begin
    if condition then
      return '1';
    end if;
    return '0';
  end function;
end package body;
