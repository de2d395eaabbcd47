-- SPDX-License-Identifier: Apache-2.0
-- x * y mod modulus, one bit of y in a clock, high bit first; VHDL-93 with Synopsys' packages.
library ieee;
use ieee.std_logic_1164.all;
use ieee.std_logic_arith.conv_std_logic_vector;
use ieee.std_logic_unsigned.all;

entity vhdl_valid is
  generic (W : integer := 32);
  port (
    clk, reset          : in  std_logic;
    in_valid, out_ready : in  std_logic;
    in_ready, out_valid : out std_logic;
    x, y, modulus       : in  std_logic_vector(W - 1 downto 0);
    z                   : out std_logic_vector(W - 1 downto 0));
end vhdl_valid;

architecture behave of vhdl_valid is
  signal full, working : std_logic;
  signal a, b, t       : std_logic_vector(W - 1 downto 0);
  signal left          : std_logic_vector(15 downto 0);
begin
  in_ready  <= not full and not working;
  out_valid <= full;
  z         <= t;

  process (clk)
    variable sum : std_logic_vector(W + 1 downto 0);
  begin
    if clk'event and clk = '1' then
      if reset = '1' then
        full    <= '0';
        working <= '0';
      elsif working = '1' then
        sum := '0' & t & '0';
        if b(W - 1) = '1' then
          sum := sum + a;
        end if;
        if sum >= modulus then
          sum := sum - modulus;
        end if;
        if sum >= modulus then
          sum := sum - modulus;
        end if;
        t    <= sum(W - 1 downto 0);
        b    <= b(W - 2 downto 0) & '0';
        left <= left - 1;
        if left = 1 then
          working <= '0';
          full    <= '1';
        end if;
      elsif full = '1' then
        full <= not out_ready;
      elsif in_valid = '1' then
        a       <= x;
        b       <= y;
        t       <= (others => '0');
        left    <= conv_std_logic_vector(W, 16);
        working <= '1';
      end if;
    end if;
  end process;
end behave;
