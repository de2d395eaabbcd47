-- SPDX-License-Identifier: Apache-2.0
-- a * b mod p with words of 16 bits, low word first; p is loaded beforehand.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity vhdl_serial is
  generic (Words : natural := 2);
  port (
    clk_i   : in  std_ulogic;
    rst_i   : in  std_ulogic;
    setup_i : in  std_ulogic;
    load_i  : in  std_ulogic;
    a_i     : in  std_ulogic_vector(15 downto 0);
    b_i     : in  std_ulogic_vector(15 downto 0);
    ready_o : out std_ulogic;
    valid_o : out std_ulogic;
    z_o     : out unsigned(15 downto 0));
end entity;

architecture rtl of vhdl_serial is
  constant Bits : natural := 16 * Words;
  type state_t is (Loading, Working, Giving);
  signal state_q   : state_t;
  signal p_q, a_q, b_q, t_q : unsigned(Bits - 1 downto 0);
  signal count_q   : natural range 0 to Bits;
begin
  ready_o <= '1' when state_q = Loading and count_q = 0 and setup_i = '0' else '0';
  valid_o <= '1' when state_q = Giving else '0';
  z_o     <= t_q(15 downto 0);

  process (clk_i) is
    variable sum : unsigned(Bits + 1 downto 0);
  begin
    if rising_edge(clk_i) then
      if setup_i then
        p_q <= unsigned(a_i) & p_q(Bits - 1 downto 16);
      end if;
      case state_q is
        when Loading =>
          if load_i and not setup_i then
            a_q     <= unsigned(a_i) & a_q(Bits - 1 downto 16);
            b_q     <= unsigned(b_i) & b_q(Bits - 1 downto 16);
            t_q     <= (others => '0');
            count_q <= count_q + 1;
            if count_q = Words - 1 then
              state_q <= Working;
              count_q <= Bits;
            end if;
          end if;
        when Working =>
          sum := '0' & t_q & '0';
          if b_q(Bits - 1) then
            sum := sum + a_q;
          end if;
          for k in 1 to 2 loop
            if sum >= p_q then
              sum := sum - p_q;
            end if;
          end loop;
          t_q     <= sum(Bits - 1 downto 0);
          b_q     <= shift_left(b_q, 1);
          count_q <= count_q - 1;
          if count_q = 1 then
            state_q <= Giving;
          end if;
        when Giving =>
          t_q     <= shift_right(t_q, 16);
          count_q <= count_q + 1;
          if count_q = Words - 1 then
            state_q <= Loading;
            count_q <= 0;
          end if;
      end case;
      if rst_i then
        state_q <= Loading;
        count_q <= 0;
      end if;
    end if;
  end process;
end architecture;
