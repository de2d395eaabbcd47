# SPDX-License-Identifier: Apache-2.0
#
# Read after the Vtop.mk of a model: Verilator's runtime as parts that do not depend on the model. A part that is
# already there is not made again.

# The header that the sources of a small model begin with, precompiled; a large model brings one of its own.
ifneq ($(VM_PARALLEL_BUILDS),1)
$(VM_PREFIX)__ALL.o: CPPFLAGS += -include runtime.h
endif
$(VK_USER_OBJS): CPPFLAGS += -include runtime.h

runtime.h.gch: runtime.h
	$(CXX) $(OPT_FAST) $(CXXFLAGS) $(CPPFLAGS) -x c++-header -o $@ $<

# Verilator's Python package leaves out how the compiler takes the header of a large model.
ifeq ($(strip $(CFG_CXXFLAGS_PCH_I)),)
CFG_CXXFLAGS_PCH_I = -include
endif

# What the parts are made with, which parts, and from which sources.
.PHONY: runtime
runtime:
	$(file >runtime.flags,$(CXX) $(OPT_GLOBAL) $(OPT_FAST) $(CXXFLAGS) $(CPPFLAGS))
	$(file >runtime.parts,$(VK_GLOBAL_OBJS) runtime.h.gch)
	$(file >runtime.sources,$(VERILATOR_ROOT)/include)
	$(CXX) --version >>runtime.flags
