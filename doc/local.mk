## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
dist_man_MANS += \
	doc/man/nfacc-coherence.5 doc/man/nfacc-filter.5 \
	doc/man/nfacc-overlay.5 doc/man/nfacc-protocol.5 doc/man/nfacc-target.5 \
	doc/man/nfacc-trace.5
if COMPILER
dist_man_MANS += doc/man/nfacc.1
TESTS += testsuite/docs.test testsuite/architecture.test
endif
# The pages of probes/ are installed by ./configure --disable-probes, too: others have links to them.
EXTRA_DIST += \
	probes/README.md probes/etm/README.md probes/memory/README.md probes/memory/memory.md \
	probes/profile/README.md probes/profile/boot.png probes/profile/profile.md \
	probes/virtual/README.md probes/virtual/virtual-functions.png \
	probes/virtual/virtual-overhead.png probes/virtual/virtual-pages.png \
	probes/virtual/virtual.md \
	doc/use/etm.md doc/use/etm-figure6.png doc/use/etm-figure7.png \
	doc/use/etm-figure8.png doc/use/memguard.md doc/README.md examples/README.md \
	doc/develop/abi.md doc/develop/architecture.md doc/develop/benchmarks.md \
	doc/develop/dependencies.md doc/develop/internals.md doc/develop/mapping.md \
	doc/develop/misses.md doc/develop/optimiser.md doc/develop/references.md doc/develop/speed.md \
	doc/use/bugs.md doc/use/buses.md doc/use/cluster.md doc/use/latency.png \
	doc/use/cocotb.md doc/use/monitor.md doc/use/python.md doc/use/questions.md \
	doc/use/tasks.md doc/use/waveforms.md doc/use/tutorial.md doc/use/wireshark.md \
	testsuite/architecture.test testsuite/docs.test

# All pages and pictures that are packed are installed, in the same folders as in the source tree,
# so that the links between them hold.
install-pages:
	for f in $(EXTRA_DIST); do \
		case $$f in \
		README.md | */*.md | */*.png) \
			$(MKDIR_P) "$(DESTDIR)$(docdir)/`dirname $$f`" && \
			$(INSTALL_DATA) "$(srcdir)/$$f" "$(DESTDIR)$(docdir)/$$f" || exit 1 ;; \
		esac; \
	done
uninstall-pages:
	for f in $(EXTRA_DIST); do \
		case $$f in README.md | */*.md | */*.png) rm -f "$(DESTDIR)$(docdir)/$$f" ;; esac; done
install-data-local: install-pages
uninstall-local: uninstall-pages
phony += install-pages uninstall-pages
