-- SPDX-License-Identifier: Apache-2.0
-- A register as vendors model theirs: with a delay, and a setup time that is checked.
library ieee;
use ieee.std_logic_1164.all;

entity flip_flop is
  generic (Delay : time := 100 ps; Setup : time := 50 ps);
  port (
    c, r, ce : in  std_logic;
    d        : in  std_logic;
    q        : out std_logic);
end flip_flop;

architecture model of flip_flop is
  signal held : std_logic := '0';
begin
  q <= held after Delay;

  process (c)
  begin
    if c'event and c = '1' and c'last_value = '0' then
      assert d'last_event >= Setup or ce /= '1'
        report "d changes within the setup time" severity error;
      if r = '1' then
        held <= '0';
      elsif ce = '1' then
        held <= d;
      end if;
    end if;
  end process;
end model;
