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
	doc/mapping.md doc/memory.md doc/misses.md doc/boot.png doc/optimiser.md doc/profile.md doc/python.md doc/questions.md doc/virtual.md \
	doc/virtual-functions.png doc/virtual-overhead.png doc/virtual-pages.png doc/wireshark.md \
	testsuite/architecture.test testsuite/docs.test
