## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# The engine in Verilog. Its modules stand in one list, nfacc.f, and are installed from there.
rtldir = $(pkgdatadir)/rtl
dist_rtl_DATA = rtl/nfacc_contract.vh rtl/nfacc.core rtl/nfacc.f rtl/package.tcl
rtlexampledir = $(pkgdatadir)/rtl/example
dist_rtlexample_DATA = rtl/example/nfacc_blocks.v rtl/example/nfacc_example.v \
	rtl/example/nfacc_example_axi.v rtl/example/nfacc_example_pin.v \
	rtl/example/nfacc_tap_axi4_lite.v rtl/example/nfacc_time.v
# Makes the tap of an example again, from the description of the protocol.
example-tap: nfacc
	sed 2q $(srcdir)/rtl/example/nfacc_example_axi.v >$@.tmp
	./nfacc --emit=tap --protocol axi4-lite >>$@.tmp
	mv $@.tmp $(srcdir)/rtl/example/nfacc_tap_axi4_lite.v
phony += example-tap
rtlsimdir = $(pkgdatadir)/rtl/sim
dist_rtlsim_DATA = rtl/sim/engine.gtkw rtl/sim/model.cpp rtl/sim/model.h rtl/sim/nfacc_monitor.c \
	rtl/sim/nfacc_monitor.core \
	rtl/sim/nfacc_monitor.sv rtl/sim/nfacc_smoke_tb.v rtl/sim/xilinx.v
rtl_modules = grep '^[^/]' '$(srcdir)/rtl/nfacc.f'
install-modules:
	@$(rtl_modules) | while read -r f; do \
		$(MKDIR_P) '$(DESTDIR)$(rtldir)'/"$${f%/*}" && \
		$(INSTALL_DATA) '$(srcdir)/rtl'/"$$f" '$(DESTDIR)$(rtldir)'/"$$f" || exit 1; done
uninstall-modules:
	@$(rtl_modules) | while read -r f; do rm -f '$(DESTDIR)$(rtldir)'/"$$f"; done
install-data-local: install-modules
uninstall-local: uninstall-modules
phony += install-modules uninstall-modules
dist-hook:
	@$(rtl_modules) | while read -r f; do \
		$(MKDIR_P) '$(distdir)/rtl'/"$${f%/*}" && \
		cp -p '$(srcdir)/rtl'/"$$f" '$(distdir)/rtl'/"$$f" || exit 1; done
