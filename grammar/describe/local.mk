## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# Reads descriptions of protocols and overlays. libnfart and nfagen use it too, so it is not
# under the GPL and needs no parser generator.
noinst_LTLIBRARIES += libdesc.la
libdesc_la_LIBTOOLFLAGS = --silent
libdesc_la_LDFLAGS = $(SAN_CFLAGS) $(COV_CFLAGS)
libdesc_la_SOURCES = \
	grammar/describe/builtin.c grammar/describe/builtin.h \
	grammar/describe/overlay_text.c grammar/describe/overlay_text.h \
	grammar/describe/proto_auto.c grammar/describe/proto_build.h \
	grammar/describe/proto_layout.c grammar/describe/proto_param.c \
	grammar/describe/proto_joins.c grammar/describe/proto_misses.c grammar/describe/proto_rules.c \
	grammar/describe/proto_slots.c \
	grammar/describe/proto_text.c grammar/describe/proto_text.h \
	grammar/describe/proto_types.c grammar/describe/proto_use.c \
	grammar/describe/tap_build.h grammar/describe/tap_expr.c grammar/describe/tap_memory.c \
	grammar/describe/tap_signals.c \
	grammar/describe/tap_text.c

protocoldir = $(pkgdatadir)/protocols
dist_protocol_DATA = protocols/ahb-lite.proto protocols/ahb-lite-data.proto protocols/apb.proto \
	protocols/apb-data.proto protocols/axi-stream.proto protocols/axi-stream-data.proto \
	protocols/axi4.proto protocols/axi4-data.proto protocols/axi4-lite.proto \
	protocols/axi4-lite-data.proto protocols/tilelink-ul.proto protocols/tilelink-ul-data.proto \
	protocols/ace.proto protocols/ace-front.proto protocols/ace-snoop.proto protocols/tlc.proto \
	protocols/wishbone.proto protocols/wishbone-data.proto protocols/bytes.proto \
	protocols/eci.proto protocols/eci-block.proto protocols/eci-coherence.proto protocols/eci-front.proto protocols/mem.proto protocols/mem-word.proto
# Rules of coherence, and the protocols that only they need, without taps, so these are not
# built in.
coherencedir = $(pkgdatadir)/protocols
dist_coherence_DATA = protocols/ace.coh protocols/chi-direct.coh protocols/chi-like.coh \
	protocols/chi.proto protocols/chi_direct.proto \
	protocols/mesi-bus.coh protocols/mesi.proto protocols/tilelink.coh \
	protocols/tilelink-broadcast.coh
overlaydir = $(pkgdatadir)/overlays
dist_overlay_DATA = \
	overlays/blue.ov overlays/counters.ov overlays/default.ov overlays/green.ov \
	overlays/guards.ov overlays/orange.ov overlays/payload.ov overlays/red.ov overlays/rings4.ov \
	overlays/table8-300.ov \
	overlays/table8-4.ov overlays/table8-4x128.ov overlays/violet.ov overlays/yellow.ov
targetdir = $(pkgdatadir)/targets
dist_target_DATA = targets/a35.etm targets/a53.etm targets/a55.etm targets/a57.etm targets/a72.etm \
	targets/a76.etm targets/a78.etm targets/armv9.etm

contract/builtin_data.c: build-aux/builtin.sh $(dist_protocol_DATA) $(dist_overlay_DATA) \
		$(dist_target_DATA)
	$(AM_V_GEN)$(MKDIR_P) contract && cd $(srcdir) && sh build-aux/builtin.sh \
		$(dist_protocol_DATA) $(dist_overlay_DATA) $(dist_target_DATA) >$(abs_builddir)/$@.tmp
	$(AM_V_at)mv $@.tmp $@
CLEANFILES += contract/builtin_data.c
