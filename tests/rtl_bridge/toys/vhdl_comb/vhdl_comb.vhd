-- SPDX-License-Identifier: Apache-2.0
-- x * y mod p without a register. A shared variable counts the products, and so this is a model for
-- simulation.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity vhdl_comb is
  generic (W : positive := 16);
  port (
    x_i, y_i, p_i : in  unsigned(W - 1 downto 0);
    z_o           : out unsigned(W - 1 downto 0));
end entity;

architecture model of vhdl_comb is
  shared variable products : natural := 0;
begin
  process (all)
  begin
    if is_x(x_i & y_i & p_i) or p_i = 0 then
      z_o <= (others => 'X');
    else
      z_o      <= (x_i * y_i) mod p_i;
      products := products + 1;
    end if;
  end process;
end architecture;
