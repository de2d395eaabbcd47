-- SPDX-License-Identifier: Apache-2.0
-- One bit of a product: (acc + bit * b + m if that is odd) / 2.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.mont_pkg.all;

entity mont_step is
  generic (W : positive);
  port (
    acc    : in  unsigned(W + 1 downto 0);
    factor : in  std_logic;
    b      : in  std_logic_vector(W - 1 downto 0);
    m      : in  unsigned(W - 1 downto 0);
    sum    : out unsigned(W + 1 downto 0));
end entity;

architecture rtl of mont_step is
  signal with_b : unsigned(W + 1 downto 0);
begin
  with_b <= acc + unsigned(b) when factor = '1' else acc;
  sum    <= halved(with_b + m) when with_b(0) = '1' else halved(with_b);
end architecture;
