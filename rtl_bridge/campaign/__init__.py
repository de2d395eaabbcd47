# SPDX-License-Identifier: Apache-2.0
"""`limbtrace campaign`: a matrix of simulations as shards, on all cores of a machine or on many machines."""
