-- SPDX-License-Identifier: Apache-2.0
--
-- A number below 3p minus p as often as it is at least p.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
use work.arith_pkg.all;

entity reduced is
  generic (W : positive);
  port (x, p : in unsigned(W - 1 downto 0); y : out unsigned(W - 1 downto 0));
end entity;

architecture rtl of reduced is
begin
  y <= x - doubled(p) when x >= doubled(p) else x - p when x >= p else x;
end architecture;
