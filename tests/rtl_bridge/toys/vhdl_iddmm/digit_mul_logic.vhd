-- SPDX-License-Identifier: Apache-2.0
-- Unsigned multiplier of K x K bits in logic: four multipliers of half the width and three short
-- sums, down to 2 x 2 bits. An odd width is halved as if a zero stood above it. K is at least 2.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity digit_mul_logic is
  generic (K : positive := 32);
  port (
    u_i       : in  unsigned(K - 1 downto 0);
    v_i       : in  unsigned(K - 1 downto 0);
    product_o : out unsigned(2 * K - 1 downto 0));
end entity;

architecture rtl of digit_mul_logic is
begin
  gen_base : if K <= 2 generate
    signal mixed, other, carry : std_logic;
  begin
    mixed     <= u_i(1) and v_i(0);
    other     <= u_i(0) and v_i(1);
    carry     <= mixed and other;
    product_o <= (u_i(1) and v_i(1) and carry) & ((u_i(1) and v_i(1)) xor carry) &
                 (mixed xor other) &
                 (u_i(0) and v_i(0));
  end generate;

  gen_halves : if K > 2 generate
    constant M : positive := (K + 1) / 2;
    signal u_low, u_high, v_low, v_high : unsigned(M - 1 downto 0);
    signal low, mixed, other, high      : unsigned(2 * M - 1 downto 0);
    signal sum1, sum2                   : unsigned(M + 1 downto 0);  -- M bits and a carry up to 2
    signal sum3                         : unsigned(M - 1 downto 0);
    signal whole                        : unsigned(4 * M - 1 downto 0);
  begin
    u_low  <= u_i(M - 1 downto 0);
    v_low  <= v_i(M - 1 downto 0);
    u_high <= resize(u_i(K - 1 downto M), M);
    v_high <= resize(v_i(K - 1 downto M), M);

    u_mul_low : entity work.digit_mul_logic
      generic map (K => M) port map (u_i => u_low, v_i => v_low, product_o => low);
    u_mul_mixed : entity work.digit_mul_logic
      generic map (K => M) port map (u_i => u_low, v_i => v_high, product_o => mixed);
    u_mul_other : entity work.digit_mul_logic
      generic map (K => M) port map (u_i => u_high, v_i => v_low, product_o => other);
    u_mul_high : entity work.digit_mul_logic
      generic map (K => M) port map (u_i => u_high, v_i => v_high, product_o => high);

    sum1 <= resize(low(2 * M - 1 downto M), M + 2) + mixed(M - 1 downto 0) + other(M - 1 downto 0);
    sum2 <= resize(mixed(2 * M - 1 downto M), M + 2) + other(2 * M - 1 downto M) +
            high(M - 1 downto 0) +
            sum1(M + 1 downto M);
    sum3 <= high(2 * M - 1 downto M) + sum2(M + 1 downto M);

    whole     <= sum3 & sum2(M - 1 downto 0) & sum1(M - 1 downto 0) & low(M - 1 downto 0);
    product_o <= whole(2 * K - 1 downto 0);
  end generate;
end architecture;
