-- SPDX-License-Identifier: Apache-2.0
--
-- a * b mod p, one bit of a in each clock. What it computes with is in a library of its own.
library ieee, arith;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use arith.arith_pkg.all;

entity vhdl_library is
  generic (W : positive := 8);
  port (
    clk, rst, start : in std_logic;
    a, b, p         : in std_logic_vector(W - 1 downto 0);
    busy, done      : out std_logic;
    z               : out std_logic_vector(W - 1 downto 0)
  );
end entity;

architecture rtl of vhdl_library is
  signal acc, sum, once    : unsigned(W + 1 downto 0);
  signal bits              : std_logic_vector(W - 1 downto 0);
  signal left              : natural range 0 to 4095;
  signal running, finished : std_logic;
begin
  sum <= doubled(acc) + unsigned(b) when bits(W - 1) = '1' else doubled(acc);
  u_reduced : entity arith.reduced
    generic map (W => W + 2)
    port map (x => sum, p => resize(unsigned(p), W + 2), y => once);

  process (clk) begin
    if rising_edge(clk) then
      finished <= '0';
      if rst = '1' then
        running <= '0';
      elsif running = '0' and start = '1' then
        running <= '1';
        left    <= W;
        bits    <= a;
        acc     <= (others => '0');
      elsif running = '1' then
        acc  <= once;
        bits <= bits(W - 2 downto 0) & '0';
        left <= left - 1;
        if left = 1 then
          running  <= '0';
          finished <= '1';
        end if;
      end if;
    end if;
  end process;

  busy <= running;
  done <= finished;
  z    <= std_logic_vector(acc(W - 1 downto 0));
end architecture;
