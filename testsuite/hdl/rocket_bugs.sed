# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Mistakes in the dual-core Rocket for rocket.test. rocket_top.bug says which one the machine has; 0 is none.
# What is looked for is the Verilog of pythondata-cpu-rocket: doc/develop/dependencies.md says under which licences it is.
# 1: the manager forgets that the other core keeps a copy, and grants a trunk.
s/ transform = shared ? 2'h2 : 2'h3;/ transform = shared \&\& rocket_top.bug != 1 ? 2'h2 : 2'h3;/
# 2: it grants before the answer to its Probe is there.
s/ probe_done = count == 2'h0;/ probe_done = count == 2'h0 || rocket_top.bug == 2;/
# 3: for a trunk it leaves a copy with the other core.
s/if (BroadcastFilter_io_response_bits_needT) begin/if (BroadcastFilter_io_response_bits_needT \&\& rocket_top.bug != 3) begin/
# 4: a core answers a Probe, and keeps what it had.
s/ newCoh_state = _T_306 ? voluntaryNewCoh_state : probeNewCoh_state;/ newCoh_state = _T_306 ? voluntaryNewCoh_state : rocket_top.bug == 4 ? s2_probe_state_state : probeNewCoh_state;/
# 5: a core answers a Probe of a line whose Release is not acknowledged.
s/ block_probe_for_pending_release_ack = release_ack_wait &/ block_probe_for_pending_release_ack = release_ack_wait \&\& rocket_top.bug != 5 \&/
