-- SPDX-License-Identifier: Apache-2.0
-- x * y mod modulus, one bit of y in a clock, high bit first; VHDL-93 with delays and a shared
-- variable. A result that is taken makes room for the next operands in the same cycle: in_ready
-- follows out_ready without a register.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity vhdl_delays is
  generic (W : integer := 32);
  port (
    clk, reset          : in  std_logic;
    in_valid, out_ready : in  std_logic;
    in_ready, out_valid : out std_logic;
    x, y, modulus       : in  std_logic_vector(0 to W - 1);
    z                   : out std_logic_vector(W - 1 downto 0));
end vhdl_delays;

architecture behave of vhdl_delays is
  shared variable left : integer := 0;
  signal room, take, give   : std_logic;
  signal full, working      : std_logic := '0';
  signal full_we, full_d    : std_logic := '0';
  signal a, b, t            : unsigned(W - 1 downto 0) := (others => '0');
begin
  room      <= not working and (not full or out_ready) after 150 ps;
  take      <= room and in_valid after 10 ps;
  give      <= full and out_ready;
  in_ready  <= room;
  out_valid <= full;
  z         <= std_logic_vector(t) after 1 ns when full = '1' else (others => 'X');

  full_d  <= not give after 20 ps;
  u_full : entity work.flip_flop
    port map (c => clk, r => reset, ce => full_we, d => full_d, q => full);

  process (full, give, working, b, clk)
  begin
    if give = '1' or (working = '1' and left = 0) then
      full_we <= '1';
    else
      full_we <= '0';
    end if;
  end process;

  process
    variable sum : unsigned(W + 1 downto 0);
  begin
    wait until clk'event and clk = '1';
    if reset = '1' then
      working <= '0' after 100 ps;
      left    := 0;
    elsif take = '1' then
      a       <= unsigned(x);
      b       <= unsigned(y);
      t       <= (others => '0');
      working <= '1' after 100 ps;
      left    := W;
    elsif working = '1' then
      if left = 0 then
        working <= '0' after 100 ps;
      else
        sum := '0' & t & '0';
        if b(W - 1) = '1' then
          sum := sum + a;
        end if;
        while sum >= unsigned(modulus) loop
          sum := sum - unsigned(modulus);
        end loop;
        t    <= sum(W - 1 downto 0) after 100 ps;
        b    <= b(W - 2 downto 0) & '0' after 100 ps;
        left := left - 1;
      end if;
    end if;
  end process;
end behave;
