-- SPDX-License-Identifier: Apache-2.0
-- a * b mod m, one bit of a in a clock, high bit first. A model for simulation: waits in a process,
-- a shared variable of a protected type, real numbers, text that is written.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use ieee.math_real.all;
use std.textio.all;

entity vhdl_behave is
  generic (
    W      : positive := 16;
    Talks  : boolean  := false;  -- says every product
    LEVEL  : std_logic := '1');  -- of done
  port (
    Clk   : in  std_logic;
    rst_n : in  std_logic;
    start : in  std_logic;
    a, b  : in  std_logic_vector(W - 1 downto 0);
    m     : in  unsigned(W - 1 downto 0);
    busy  : out std_logic;
    done  : out std_logic;
    reg   : out std_logic_vector(W - 1 downto 0));
end entity;

architecture behave of vhdl_behave is
  type counter_t is protected
    procedure add;
    impure function value return natural;
  end protected;

  type counter_t is protected body
    variable count : natural := 0;
    procedure add is
    begin
      count := count + 1;
    end procedure;
    impure function value return natural is
    begin
      return count;
    end function;
  end protected body;

  shared variable products : counter_t;
  signal acc      : unsigned(W + 1 downto 0);
  signal share    : real := 0.0;  -- of a product that is done
  signal int      : natural range 0 to W;
  signal working  : std_logic := '0';
  signal finished : std_logic := '0';
begin
  busy <= working;
  done <= finished when LEVEL = '1' else not finished;

  process
    variable x, y   : unsigned(W - 1 downto 0);
    variable t      : unsigned(W + 1 downto 0);
    variable since  : time;
    variable text   : line;
  begin
    wait until rising_edge(Clk);
    finished <= '0';
    if rst_n = '1' and start = '1' then
      x := unsigned(a);
      y := unsigned(b);
      t := (others => '0');
      working <= '1';
      share   <= 0.0;
      since   := now;
      for k in W - 1 downto 0 loop
        wait until rising_edge(Clk);
        exit when rst_n = '0';
        t := shift_left(t, 1);
        if x(k) = '1' then
          t := t + y;
        end if;
        while t >= m loop
          t := t - m;
        end loop;
        acc   <= t;
        int   <= k;
        share <= share + 1.0 / real(W);
      end loop;
      working <= '0';
      if rst_n = '1' then
        reg      <= std_logic_vector(t(W - 1 downto 0));
        finished <= '1';
        products.add;
        assert now - since = W * 10 ns
          report "an edge of the clock is missing, or counted twice" severity error;
        assert abs (share + 1.0 / real(W) - 1.0) < 1.0e-6
          report "not all bits were used" severity error;
        if Talks then
          write(text, string'("product "));
          write(text, products.value);
          writeline(output, text);
        end if;
      end if;
    end if;
  end process;
end architecture;
