-- SPDX-License-Identifier: Apache-2.0
-- Unsigned multiplier of K x K bits that returns the low ProductW bits, with the operator `*` where
-- UseDsp is 1, and in logic where it is 0. Purely combinational.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity digit_mul is
  generic (
    K        : positive := 32;
    ProductW : positive := 64;
    UseDsp   : natural  := 1);
  port (
    a_i       : in  unsigned(K - 1 downto 0);
    b_i       : in  unsigned(K - 1 downto 0);
    product_o : out unsigned(ProductW - 1 downto 0));
end entity;

architecture rtl of digit_mul is
  signal product : unsigned(2 * K - 1 downto 0);
begin
  gen_dsp : if UseDsp /= 0 generate
    product <= a_i * b_i;
  end generate;

  gen_logic : if UseDsp = 0 generate
    u_mul_logic : entity work.digit_mul_logic
      generic map (K => K) port map (u_i => a_i, v_i => b_i, product_o => product);
  end generate;

  product_o <= product(ProductW - 1 downto 0);
end architecture;
