-- SPDX-License-Identifier: Apache-2.0
--
-- a * b mod p, one bit of a in each clock. The result passes through choices of every form that has
-- a default: a selected assignment of signals, of constants and of long constants, a case, a case
-- inside of a case, and choices among three and among five values. When the product is done each of
-- them takes its default. `bad_i` says which of them adds 1 there, from 1 on.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity vhdl_others is
  generic (W : integer := 8);
  port (
    clk, rst, start : in std_logic;
    a, b, p         : in std_logic_vector(W - 1 downto 0);
    bad_i           : in std_logic_vector(2 downto 0);
    busy, done      : out std_logic;
    z               : out std_logic_vector(W - 1 downto 0)
  );
end entity;

architecture rtl of vhdl_others is
  type words is array (1 to 6) of unsigned(W - 1 downto 0);
  signal acc, step, twice, modulus : unsigned(W + 1 downto 0);
  signal bits                      : std_logic_vector(W - 1 downto 0);
  signal left                      : natural range 0 to 255;
  signal running, finished         : std_logic;
  signal state, over               : std_logic_vector(1 downto 0);
  signal x                         : unsigned(W - 1 downto 0);
  signal good, spoiled, chosen     : words;
  signal small                     : std_logic_vector(3 downto 0);
  signal long                      : std_logic_vector(39 downto 0);
begin
  modulus <= resize(unsigned(p), W + 2);
  twice   <= shift_left(acc, 1) + unsigned(b) when bits(W - 1) = '1' else shift_left(acc, 1);
  over(0) <= '1' when twice >= modulus else '0';
  over(1) <= '1' when twice >= shift_left(modulus, 1) else '0';
  step    <= twice when over = "00" else twice - modulus when over = "01" else
             twice - shift_left(modulus, 1);
  state   <= running & finished;
  x       <= acc(W - 1 downto 0);

  spoil : for k in words'range generate
    spoiled(k) <= x + 1 when to_integer(unsigned(bad_i)) = k else x;
  end generate;

  with state select chosen(1) <= not x when "10", x + 2 when "11", spoiled(1) when others;

  with state select small <= "0110" when "10", "1001" when "11", "1000" when others;
  chosen(2) <= spoiled(2) when small = "1000" else not x;

  with state select long <=
    x"0123456789" when "10", x"9876543210" when "11", x"8000000001" when others;
  chosen(3) <= spoiled(3) when long = x"8000000001" else not x;

  process (all) begin
    case state is
      when "10" | "11" => chosen(4) <= not x;
      when others      => chosen(4) <= spoiled(4);
    end case;
  end process;

  process (all) begin
    case running is
      when '1'    => chosen(5) <= not x;
      when others =>
        case left is
          when 1      => chosen(5) <= x + 4;
          when 2      => chosen(5) <= x + 8;
          when 3      => chosen(5) <= x + 16;
          when others => chosen(5) <= spoiled(5);
        end case;
    end case;
  end process;

  with left select chosen(6) <=
    not x when 1, x + 3 when 2, x + 5 when 3, x + 6 when 4, x + 7 when 5, spoiled(6) when others;

  process (all)
    variable same : unsigned(W - 1 downto 0);
  begin
    same := chosen(1);
    for k in 2 to 6 loop
      if chosen(k) /= same then
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
        acc  <= step;
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
end architecture;
