-- SPDX-License-Identifier: Apache-2.0
-- a * b / 2^r mod m, DIGIT bits of a in a clock, r the next multiple of DIGIT from WIDTH on.
-- Generics of several types, records, an enumeration, a generate loop, an asynchronous reset, and
-- names that are words of Verilog.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.mont_pkg.all;

entity vhdl_mont is
  generic (
    WIDTH : positive := 64;                                         -- bits of the modulus
    DIGIT : positive := 1;
    LAZY  : boolean  := false;                                      -- the result is below 2 * m
    LEVEL : std_logic := '1';                                       -- of done
    SEED  : std_logic_vector(WIDTH - 1 downto 0) := (others => '0')
  );
  port (
    Clk   : in  std_logic;
    Rst_N : in  std_logic;
    start : in  std_logic;
    a     : in  std_logic_vector(WIDTH - 1 downto 0);
    b     : in  std_logic_vector(WIDTH - 1 downto 0);
    m     : in  unsigned(WIDTH - 1 downto 0);
    busy  : out std_logic;
    done  : out std_logic;
    reg   : out std_logic_vector(WIDTH - 1 downto 0)
  );
end entity vhdl_mont;

architecture rtl of vhdl_mont is
  constant CLOCKS : positive := digits(WIDTH, DIGIT);
  type row_t is array (0 to DIGIT) of unsigned(WIDTH + 1 downto 0);
  signal row    : row_t;
  signal acc    : unsigned(WIDTH + 1 downto 0);
  signal int    : std_logic_vector(CLOCKS * DIGIT - 1 downto 0);
  signal wire   : unsigned(WIDTH + 1 downto 0);
  signal count  : natural range 0 to CLOCKS;
  signal control : control_t;
begin
  row(0) <= acc;

  step : for k in 0 to DIGIT - 1 generate
    u_step : entity work.mont_step
      generic map (W => WIDTH)
      port map (acc => row(k), factor => int(k), b => b, m => m, sum => row(k + 1));
  end generate;

  wire <= acc - m when acc >= m and not LAZY else acc;
  busy <= control.busy;
  done <= control.done when LEVEL = '1' else not control.done;

  process (Clk, Rst_N)
  begin
    if Rst_N = '0' then
      control <= (state => IDLE, busy => '0', done => '0');
    elsif rising_edge(Clk) then
      case control.state is
        when IDLE =>
          if start = '1' then
            int     <= (others => '0');
            int(WIDTH - 1 downto 0) <= a;
            acc     <= resize(unsigned(SEED), WIDTH + 2);
            count   <= CLOCKS;
            control <= (state => RUN, busy => '1', done => '0');
          end if;
        when RUN =>
          acc   <= row(DIGIT);
          int   <= std_logic_vector(shift_right(unsigned(int), DIGIT));
          count <= count - 1;
          if count = 1 then
            control.state <= REDUCE;
          end if;
        when REDUCE =>
          reg     <= std_logic_vector(wire(WIDTH - 1 downto 0));
          control <= (state => IDLE, busy => '0', done => '1');
      end case;
    end if;
  end process;
end architecture rtl;
