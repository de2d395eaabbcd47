# SPDX-License-Identifier: Apache-2.0
# Runs the simulation to its end; run_xsim.sh starts it.
run all
quit
