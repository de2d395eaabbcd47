# SPDX-License-Identifier: Apache-2.0
set top {lt_iddmm_arch2}
set clock {clk_i}
set sources {cells/lt_mul_logic.sv cells/lt_mul.sv cells/lt_mont_frame.sv cells/lt_mont_products.sv rtl/lt_iddmm_arch2.sv}
set include {rtl}
set generics {K=8 NMax=20 Pipeline=0 UseDsp=1}
set part {xc7k160tffg676-3}
set period {5.000}
