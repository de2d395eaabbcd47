// SPDX-License-Identifier: Apache-2.0
//
// What the sources of every model include, for the compiler to read once.

#include "verilated.h"
#include "verilated_dpi.h"
#if VM_TIMING
#include "verilated_timing.h"
#endif
#if VM_TRACE_VCD
#include "verilated_vcd_c.h"
#endif
