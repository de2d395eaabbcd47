-- SPDX-License-Identifier: Apache-2.0
-- The three digit products of a Montgomery multiplier and the quotient digit: X_j*Y_i, q*p_j, and
-- q = p'*S_0 mod 2^K. For the ports of mont_frame.
--
-- With Pipeline = 1 or 2 the two products and A_j, which waits for them, come a cycle later, out of
-- registers without reset. q is 0 from clear_i on until quot_en_i loads it.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity mont_products is
  generic (
    K        : positive := 32;              -- bits of a digit
    Pipeline : natural range 0 to 2 := 0;   -- levels
    UseDsp   : natural range 0 to 1 := 1);  -- multipliers: 1 = operator, 0 = logic
  port (
    clk_i     : in  std_logic;
    clear_i   : in  std_logic;
    quot_en_i : in  std_logic;
    x_i       : in  unsigned(K - 1 downto 0);
    y_i       : in  unsigned(K - 1 downto 0);
    p_i       : in  unsigned(K - 1 downto 0);
    a_i       : in  unsigned(K - 1 downto 0);
    p_prime_i : in  unsigned(K - 1 downto 0);  -- -1/p mod 2^K
    s_i       : in  unsigned(K - 1 downto 0);  -- low digit of S, which is S_0 when q is loaded
    xy_o      : out unsigned(2 * K - 1 downto 0);
    qp_o      : out unsigned(2 * K - 1 downto 0);
    a_o       : out unsigned(K - 1 downto 0));
end entity;

architecture rtl of mont_products is
  signal quot_d, quot_q         : unsigned(K - 1 downto 0);  -- q
  signal xy_product, qp_product : unsigned(2 * K - 1 downto 0);
  signal px_q, pr_q             : unsigned(2 * K - 1 downto 0);
  signal ad_q                   : unsigned(K - 1 downto 0);
begin
  u_xy : entity work.digit_mul
    generic map (K => K, ProductW => 2 * K, UseDsp => UseDsp)
    port map (a_i => x_i, b_i => y_i, product_o => xy_product);

  u_qp : entity work.digit_mul
    generic map (K => K, ProductW => 2 * K, UseDsp => UseDsp)
    port map (a_i => quot_q, b_i => p_i, product_o => qp_product);

  u_quot : entity work.digit_mul
    generic map (K => K, ProductW => K, UseDsp => UseDsp)
    port map (a_i => p_prime_i, b_i => s_i, product_o => quot_d);

  process (clk_i)
  begin
    if rising_edge(clk_i) then
      if clear_i = '1' then
        quot_q <= (others => '0');
      elsif quot_en_i = '1' then
        quot_q <= quot_d;
      end if;
      px_q <= xy_product;
      pr_q <= qp_product;
      ad_q <= a_i;
    end if;
  end process;

  xy_o <= xy_product when Pipeline = 0 else px_q;
  qp_o <= qp_product when Pipeline = 0 else pr_q;
  a_o  <= a_i when Pipeline = 0 else ad_q;
end architecture;
