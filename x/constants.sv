// SPDX-License-Identifier: CC0-1.0
// Constants of iddmm2 (corrected), modulus mlkem, radix 2^8, n = 2, passes = 2
localparam logic [11:0] modulus = 12'hd01;  // modulus
localparam logic [16:0] R = 17'h10000;  // R
localparam logic [11:0] R_mod_p = 12'h8ed;  // R mod p
localparam logic [10:0] R_pow2_mod_p = 11'h549;  // R^2 mod p
localparam logic [7:0] p_prime = 8'hff;  // p'
