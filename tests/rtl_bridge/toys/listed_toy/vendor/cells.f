// SPDX-License-Identifier: Apache-2.0
-v cells.v
-y ../lib +libext+.vlib
