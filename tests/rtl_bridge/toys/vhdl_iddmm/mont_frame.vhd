-- SPDX-License-Identifier: Apache-2.0
-- Frame of a Montgomery multiplier that works on one digit of X, p and A a cycle: control, operand
-- memories, accumulator. The datapath stands outside; it makes U_j of the digits and returns it.
--
-- Cycles, with L = Pipeline registers between the memories and U: start_i is taken at an edge at
-- which busy_o is low. After that edge come exactly T*(n+2+L) + L busy cycles, T = passes_i: in
-- pass i = 0..T-1 the cycles t = 0..L, in which digit 0 is shown and q is found, then
-- t = L+1..L+1+n, in which digit j = t-L-1 is; and at the end L cycles in which the levels run
-- empty. done_o is high for the one cycle after them; a start_i in that cycle is taken.
--
-- U_j is written as A_(j-1); U_0 is dropped, and so the division by 2^K is done. A_n has two bits
-- and a register of its own. A is 0 in pass 0. The result is read as words 0..n whenever busy_o is
-- low.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.digit_pkg.all;

entity mont_frame is
  generic (
    K        : positive := 32;              -- bits of a digit
    NMax     : positive := 8;               -- most digits of a modulus
    Pipeline : natural range 0 to 2 := 0);  -- levels
  port (
    clk_i     : in  std_logic;
    rst_ni    : in  std_logic;

    -- operand memories
    wr_en_i   : in  std_logic;
    wr_sel_i  : in  unsigned(1 downto 0);  -- 0 = X, 1 = Y, 2 = p
    wr_addr_i : in  unsigned(bits_for(NMax + 1) - 1 downto 0);
    wr_data_i : in  unsigned(K - 1 downto 0);

    n_i       : in  unsigned(bits_for(NMax + 2) - 1 downto 0);
    passes_i  : in  unsigned(bits_for(NMax + 2) - 1 downto 0);
    start_i   : in  std_logic;
    busy_o    : out std_logic;
    done_o    : out std_logic;

    -- word of the result to be read while not busy, on a_o
    rd_addr_i : in  unsigned(bits_for(NMax + 1) - 1 downto 0);

    -- digits that leave the memories
    x_o       : out unsigned(K - 1 downto 0);
    y_o       : out unsigned(K - 1 downto 0);
    p_o       : out unsigned(K - 1 downto 0);
    a_o       : out unsigned(K - 1 downto 0);

    -- what the datapath has to do in this cycle
    clear_o   : out std_logic;  -- a start is taken
    quot_en_o : out std_logic;  -- load q
    u_run_o   : out std_logic;  -- a real digit is Pipeline levels on: u_i is U_j
    u_last_o  : out std_logic;  -- it is digit n: top_i is A_n

    -- what it returns
    u_i       : in  unsigned(K - 1 downto 0);
    top_i     : in  unsigned(1 downto 0));
end entity;

architecture rtl of mont_frame is
  constant AddrW : positive := bits_for(NMax + 1);
  constant NW    : positive := bits_for(NMax + 2);
  constant TW    : positive := bits_for(NMax + 2 + Pipeline);

  type state_t is (
    StIdle,
    StPrep,    -- t = 0..L: q is formed at the end; neither a carry nor A changes
    StRun,     -- t = L+1..L+1+n: digit t-L-1
    StDrain);  -- the levels run empty
  type memory_t is array (0 to 2 ** AddrW - 1) of unsigned(K - 1 downto 0);
  type addresses_t is array (0 to 2) of unsigned(AddrW - 1 downto 0);

  signal state_q    : state_t;
  signal pass_q     : unsigned(NW - 1 downto 0);
  signal t_q        : unsigned(TW - 1 downto 0);
  signal done_q     : std_logic;

  signal clear      : std_logic;
  signal running    : std_logic;
  signal last_pass  : boolean;
  signal last_digit : std_logic;
  signal digit      : unsigned(NW - 1 downto 0);  -- j
  signal digit_addr : unsigned(AddrW - 1 downto 0);

  -- The digit in the memories, one level on, and two.
  signal run, last  : std_logic_vector(0 to 2);
  signal addr       : addresses_t;

  signal x_mem, y_mem, p_mem, a_mem : memory_t;
  signal wr_take   : std_logic;
  signal a_top_q   : unsigned(1 downto 0);  -- A_n
  signal a_we      : std_logic;
  signal a_wr_addr : unsigned(AddrW - 1 downto 0);
  signal a_rd_addr : unsigned(AddrW - 1 downto 0);
begin
  -- Control

  busy_o     <= to_bit_of(state_q /= StIdle);
  done_o     <= done_q;
  clear_o    <= clear;
  clear      <= start_i and not busy_o;

  running    <= to_bit_of(state_q = StRun);
  digit      <= resize(t_q - (Pipeline + 1), NW) when running = '1' else (others => '0');
  digit_addr <= digit(AddrW - 1 downto 0);
  last_digit <= running and to_bit_of(digit = n_i);
  last_pass  <= pass_q + 1 = passes_i;
  quot_en_o  <= to_bit_of(state_q = StPrep and t_q = Pipeline);

  process (clk_i)
  begin
    if rising_edge(clk_i) then
      done_q <= '0';
      if busy_o = '1' then
        t_q <= t_q + 1;
      end if;
      case state_q is
        when StPrep =>
          if quot_en_o = '1' then
            state_q <= StRun;
          end if;
        when StRun =>
          if last_digit = '1' then
            t_q     <= (others => '0');
            state_q <= StPrep;
            if not last_pass then
              pass_q <= pass_q + 1;
            elsif Pipeline = 0 then
              state_q <= StIdle;
              done_q  <= '1';
            else
              state_q <= StDrain;
            end if;
          end if;
        when StDrain =>
          if t_q + 1 = Pipeline then
            state_q <= StIdle;
            done_q  <= '1';
          end if;
        when StIdle =>
          if clear = '1' then
            state_q <= StPrep;
            pass_q  <= (others => '0');
            t_q     <= (others => '0');
          end if;
      end case;
      if rst_ni = '0' then
        state_q <= StIdle;
        pass_q  <= (others => '0');
        t_q     <= (others => '0');
        done_q  <= '0';
      end if;
    end if;
  end process;

  run(0)  <= running;
  last(0) <= last_digit;
  addr(0) <= digit_addr;

  process (clk_i)
  begin
    if rising_edge(clk_i) then
      run(1 to 2)  <= run(0 to 1);
      last(1 to 2) <= last(0 to 1);
      addr(1)      <= addr(0);
      addr(2)      <= addr(1);
      if rst_ni = '0' then
        run(1 to 2)  <= "00";
        last(1 to 2) <= "00";
      end if;
    end if;
  end process;

  u_run_o  <= run(Pipeline);
  u_last_o <= last(Pipeline);

  -- Operand memories

  wr_take <= wr_en_i and not busy_o;

  process (clk_i)
  begin
    if rising_edge(clk_i) then
      if wr_take = '1' and wr_sel_i = 0 then
        x_mem(to_integer(wr_addr_i)) <= wr_data_i;
      end if;
      if wr_take = '1' and wr_sel_i = 1 then
        y_mem(to_integer(wr_addr_i)) <= wr_data_i;
      end if;
      if wr_take = '1' and wr_sel_i = 2 then
        p_mem(to_integer(wr_addr_i)) <= wr_data_i;
      end if;
    end if;
  end process;

  x_o <= x_mem(to_integer(digit_addr));
  y_o <= y_mem(to_integer(pass_q(AddrW - 1 downto 0)));
  p_o <= p_mem(to_integer(digit_addr));

  -- Accumulator A

  a_we      <= run(Pipeline) and to_bit_of(addr(Pipeline) /= 0);
  a_wr_addr <= addr(Pipeline) - 1;

  -- One read port serves the datapath while busy and the result otherwise.
  a_rd_addr <= digit_addr when busy_o = '1' else rd_addr_i;

  a_o <= resize(a_top_q, K) when resize(a_rd_addr, NW) = n_i else
         (others => '0') when busy_o = '1' and pass_q = 0 else  -- cheaper than clearing the memory
         -- Few digits: the word is wanted in the cycle that writes it.
         u_i when Pipeline /= 0 and a_we = '1' and a_wr_addr = a_rd_addr else
         a_mem(to_integer(a_rd_addr));

  -- A_n is cleared by the start and not by reset, so that a product never sees what an interrupted
  -- one left.
  process (clk_i)
  begin
    if rising_edge(clk_i) then
      if a_we = '1' then
        a_mem(to_integer(a_wr_addr)) <= u_i;
      end if;
      if clear = '1' then
        a_top_q <= "00";
      elsif last(Pipeline) = '1' then
        a_top_q <= top_i;
      end if;
    end if;
  end process;
end architecture;
