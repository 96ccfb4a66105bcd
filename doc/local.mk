## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
dist_man_MANS += \
	grammar/nfacc-coherence.5 grammar/nfacc-filter.5 \
	grammar/nfacc-overlay.5 grammar/nfacc-protocol.5 grammar/nfacc-target.5 \
	runtime/trace/nfacc-trace.5
if COMPILER
dist_man_MANS += compiler/nfacc.1
TESTS += testsuite/docs.test testsuite/architecture.test
endif
EXTRA_DIST += \
	doc/abi.md doc/architecture.md doc/cluster.md doc/etm.md doc/etm-figure6.png doc/etm-figure7.png doc/etm-figure8.png doc/internals.md doc/latency.png \
	doc/mapping.md probes/memory/memory.md doc/misses.md probes/profile/boot.png doc/optimiser.md probes/profile/profile.md doc/python.md doc/questions.md probes/virtual/virtual.md \
	probes/virtual/virtual-functions.png probes/virtual/virtual-overhead.png probes/virtual/virtual-pages.png doc/wireshark.md \
	testsuite/architecture.test testsuite/docs.test
