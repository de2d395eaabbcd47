-- SPDX-License-Identifier: Apache-2.0
--
-- a * b mod p, one bit of a in each clock. GHDL joins the parts of a name by an underscore; here
-- everything that has parts is written like something else then, of another value: ports of
-- instances and signals, signals of loops, blocks and their surroundings, elements of records, and
-- names that differ in case only. The result passes through them all, each time with something
-- added that is subtracted again. `bad_i` says which of them adds 1, from 1 on.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

package vhdl_clash_pkg is
  type pair is record
    lo, hi : std_logic_vector(3 downto 0);
  end record;
end package;

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity plus is
  generic (W : integer := 8; K : integer := 0);
  port (x, y : in unsigned(W - 1 downto 0); sum : out unsigned(W - 1 downto 0));
end entity;

architecture rtl of plus is
begin
  sum <= x + y + K;
end architecture;

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.vhdl_clash_pkg.all;

entity swapped is
  port (
    i    : in pair;
    i_lo : in std_logic_vector(3 downto 0);
    o    : out pair;
    o_lo : out std_logic_vector(3 downto 0)
  );
end entity;

architecture rtl of swapped is
begin
  o    <= (lo => i.hi, hi => i.lo);
  o_lo <= not i_lo;
end architecture;

library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.vhdl_clash_pkg.all;

entity vhdl_clash is
  generic (W : integer := 8);
  port (
    clk, rst, start : in std_logic;
    a, b, p         : in std_logic_vector(W - 1 downto 0);
    bad_i           : in std_logic_vector(3 downto 0);
    busy, done      : out std_logic;
    z               : out std_logic_vector(W - 1 downto 0)
  );
end entity;

architecture rtl of vhdl_clash is
  type words is array (0 to 7) of unsigned(W - 1 downto 0);
  signal acc, twice, add_sum, modulus    : unsigned(W + 1 downto 0);
  signal bits                            : std_logic_vector(W - 1 downto 0);
  signal left                            : natural range 0 to 255;
  signal running, finished               : std_logic;
  signal x, sub_sum, \X\, g_n1_x, blk_m  : unsigned(W - 1 downto 0);
  signal blk_n                           : unsigned(W - 1 downto 0);
  signal state                           : std_logic_vector(1 downto 0);
  signal n60_o, n90_o, n120_o            : unsigned(W - 1 downto 0);
  signal ram_store, ram_q                : unsigned(W - 1 downto 0);
  signal both                            : unsigned(2 * W - 1 downto 0);
  signal spoil, good                     : words;
  signal pairs, swap                     : pair;
  signal swapping_o_lo, swap_o_hi, inverted : std_logic_vector(3 downto 0);
begin
  modulus <= resize(unsigned(p), W + 2);
  twice   <= shift_left(acc, 1) when bits(W - 1) = '0' else shift_left(acc, 1) + unsigned(b);

  spoiling : for k in words'range generate
    spoil(k) <= to_unsigned(1, W) when to_integer(unsigned(bad_i)) = k + 1 else to_unsigned(0, W);
  end generate;
  x <= acc(W - 1 downto 0);

  -- The port of an instance and a signal, which is its value and 2 more.
  add : entity work.plus generic map (W + 2, 3) port map (twice, modulus, sum => open);
  add_sum <= twice + 2;

  -- The port of an instance that is used as it is, beside a signal, in one sum.
  sub : entity work.plus generic map (W, 7) port map (x, spoil(0), sum => both(W - 1 downto 0));
  both(2 * W - 1 downto W) <= sub_sum;
  sub_sum <= x + 9;
  good(0) <= both(W - 1 downto 0) + both(2 * W - 1 downto W) - x - 16;

  -- Upper and lower case.
  \X\     <= good(0) + spoil(1) + 5;
  good(1) <= \X\ + x - good(0) - 5;

  -- Signals of a loop and of its surroundings, in one difference and in one choice.
  g : for k in 1 to 2 generate
    signal x, s : unsigned(W - 1 downto 0);
  begin
    u : entity work.plus generic map (W, k) port map (good(k), spoil(k + 1), s);
    x           <= s + 4 - k;
    good(k + 1) <= x - g_n1_x + (acc(W - 1 downto 0) + 2) when bits(0) = '1' else
                   (x - 4) xor g_n1_x xor good(1);
  end generate;
  g_n1_x <= good(1) + to_unsigned(6, W) when bits(0) = '1' else good(1);

  -- A signal of a block and one beside it.
  blk : block
    signal m, n : unsigned(W - 1 downto 0);
  begin
    m <= x + spoil(4);
    with state select n <= blk_m when "10", m when "01", not blk_m when "11", blk_n when others;
    good(4) <= n when running = '0' else blk_n;
  end block;
  state <= running & finished;
  blk_n <= x + 7;
  blk_m <= not x;

  -- Elements of records at the ports of an instance, beside ports and signals.
  pairs.lo  <= std_logic_vector(x(3 downto 0));
  pairs.hi  <= std_logic_vector(x(3 downto 0) + spoil(5)(3 downto 0));
  swapping_o_lo <= not pairs.lo;
  swap_o_hi <= not pairs.hi;
  swapping : block
    signal o : pair;
  begin
    swap <= o;
    it : entity work.swapped port map (pairs, swap_o_hi, o, inverted);
  end block;
  good(5) <= x when swap.lo = swap.hi and inverted = pairs.hi and swapping_o_lo = not swap.hi else
             not x;

  -- Names that GHDL numbers itself.
  n60_o   <= x + spoil(6);
  n90_o   <= n60_o + 2;
  n120_o  <= n90_o xor x;
  good(6) <= n120_o xor x xor n90_o xor n60_o;

  -- A memory, and the register of a variable.
  process (clk)
    variable q : unsigned(W - 1 downto 0);
  begin
    if rising_edge(clk) then
      q     := spoil(7);
      ram_q <= q;
    end if;
  end process;
  ram : block
    type memory is array (0 to 3) of unsigned(W - 1 downto 0);
    signal store : memory;
    signal q     : unsigned(W - 1 downto 0);
    signal place : unsigned(1 downto 0);
    signal last  : unsigned(W - 1 downto 0);
  begin
    process (clk) begin
      if rising_edge(clk) then
        store(to_integer(unsigned(bits(1 downto 0)))) <= x;
        place <= unsigned(bits(1 downto 0));
        last  <= x;
      end if;
    end process;
    q         <= store(to_integer(place)) xor ram_store;
    ram_store <= x;
    good(7)   <= x + ram_q + q when last = x else x + ram_q;
  end block;

  process (all)
    variable same : unsigned(W - 1 downto 0);
  begin
    same := x;
    for k in words'range loop
      if good(k) /= x then
        same := not x;
      end if;
    end loop;
    z <= std_logic_vector(same);
  end process;

  process (clk) begin
    if rising_edge(clk) then
      finished <= '0';
      if rst = '1' then
        running <= '0';
        left    <= 0;
      elsif running = '0' and start = '1' then
        running <= '1';
        left    <= W;
        bits    <= a;
        acc     <= (others => '0');
      elsif running = '1' then
        if add_sum - 2 >= shift_left(modulus, 1) then
          acc <= add_sum - 2 - shift_left(modulus, 1);
        elsif add_sum - 2 >= modulus then
          acc <= add_sum - 2 - modulus;
        else
          acc <= add_sum - 2;
        end if;
        bits <= bits(W - 2 downto 0) & bits(W - 1);
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
end architecture;
