-- SPDX-License-Identifier: Apache-2.0
-- Digit-digit Montgomery multiplication, one digit product a cycle, 0, 1 or 2 pipeline levels.
--
-- Source: M. Morales-Sandoval, A. Diaz Perez, "Novel algorithms and hardware architectures for
-- Montgomery Multiplication over GF(p)", Algorithm 2 and Architecture 2.
--
-- The VHDL counterpart of the built-in core iddmm_arch2, with its ports, generics, ranges and
-- cycles, and its correction of the paper: the carry out of digit n is kept in A_n.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.digit_pkg.all;

entity vhdl_iddmm is
  generic (
    K        : positive := 32;              -- bits of a digit
    NMax     : positive := 8;               -- most digits of a modulus
    Pipeline : natural range 0 to 2 := 0;   -- levels
    UseDsp   : natural range 0 to 1 := 1);  -- multipliers: 1 = operator, 0 = logic
  port (
    clk_i     : in  std_logic;
    rst_ni    : in  std_logic;

    -- operand memories
    wr_en_i   : in  std_logic;
    wr_sel_i  : in  unsigned(1 downto 0);  -- 0 = X, 1 = Y, 2 = p
    wr_addr_i : in  unsigned(bits_for(NMax + 1) - 1 downto 0);
    wr_data_i : in  unsigned(K - 1 downto 0);

    -- constants of the product
    n_i       : in  unsigned(bits_for(NMax + 2) - 1 downto 0);
    passes_i  : in  unsigned(bits_for(NMax + 2) - 1 downto 0);
    p_prime_i : in  unsigned(K - 1 downto 0);

    start_i   : in  std_logic;
    busy_o    : out std_logic;
    done_o    : out std_logic;

    -- result
    rd_addr_i : in  unsigned(bits_for(NMax + 1) - 1 downto 0);
    rd_data_o : out unsigned(K - 1 downto 0));
end entity;

architecture rtl of vhdl_iddmm is
  signal x_digit, y_digit, p_digit : unsigned(K - 1 downto 0);
  signal take_start, quot_en       : std_logic;
  signal u_run, u_last             : std_logic;  -- a real digit is in the adder U; it is digit n

  signal xy, qp         : unsigned(2 * K - 1 downto 0);  -- X_j * Y_i, q * p_j
  signal a_digit        : unsigned(K - 1 downto 0);      -- A_j beside them
  signal c_q            : unsigned(K downto 0);          -- C, one bit more than a digit
  signal s_sum          : unsigned(2 * K - 1 downto 0);  -- A_j + X_j * Y_i = S
  signal sr_q, rr_q     : unsigned(2 * K - 1 downto 0);  -- level 2: S and R = q * p_j
  signal s_last, r_last : unsigned(2 * K - 1 downto 0);  -- S and R where the adder U is
  signal u_sum          : unsigned(2 * K downto 0);      -- S + R + C = (C', U_j)
begin
  u_frame : entity work.mont_frame
    generic map (K => K, NMax => NMax, Pipeline => Pipeline)
    port map (
      clk_i     => clk_i,
      rst_ni    => rst_ni,
      wr_en_i   => wr_en_i,
      wr_sel_i  => wr_sel_i,
      wr_addr_i => wr_addr_i,
      wr_data_i => wr_data_i,
      n_i       => n_i,
      passes_i  => passes_i,
      start_i   => start_i,
      busy_o    => busy_o,
      done_o    => done_o,
      rd_addr_i => rd_addr_i,
      x_o       => x_digit,
      y_o       => y_digit,
      p_o       => p_digit,
      a_o       => rd_data_o,
      clear_o   => take_start,
      quot_en_o => quot_en,
      u_run_o   => u_run,
      u_last_o  => u_last,
      u_i       => u_sum(K - 1 downto 0),
      top_i     => u_sum(K + 1 downto K));

  u_products : entity work.mont_products
    generic map (K => K, Pipeline => Pipeline, UseDsp => UseDsp)
    port map (
      clk_i     => clk_i,
      clear_i   => take_start,
      quot_en_i => quot_en,
      x_i       => x_digit,
      y_i       => y_digit,
      p_i       => p_digit,
      a_i       => rd_data_o,
      p_prime_i => p_prime_i,
      s_i       => s_last(K - 1 downto 0),
      xy_o      => xy,
      qp_o      => qp,
      a_o       => a_digit);

  s_sum  <= xy + a_digit;
  s_last <= sr_q when Pipeline = 2 else s_sum;
  r_last <= rr_q when Pipeline = 2 else qp;
  u_sum  <= resize(s_last, 2 * K + 1) + r_last + c_q;

  -- The carry is cleared behind digit n, and by the start instead of a reset, so that a product
  -- never sees what an interrupted one left.
  process (clk_i)
  begin
    if rising_edge(clk_i) then
      sr_q <= s_sum;
      rr_q <= qp;
      if take_start = '1' or u_last = '1' then
        c_q <= (others => '0');
      elsif u_run = '1' then
        c_q <= u_sum(2 * K downto K);
      end if;
    end if;
  end process;
end architecture;
