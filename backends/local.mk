## SPDX-License-Identifier: GPL-3.0-or-later
## SPDX-FileCopyrightText: nfacc contributors
# Targets. What they share: images (backends/image/).
noinst_LTLIBRARIES += libsparse.la libbackends.la
libsparse_la_LIBTOOLFLAGS = --silent
libsparse_la_LDFLAGS = $(SAN_CFLAGS) $(COV_CFLAGS)
libsparse_la_SOURCES = \
	backends/target.c backends/target.h backends/image/emit_map.c backends/image/inspect.c \
	backends/image/inspect.h backends/image/inspect_machines.c \
	backends/image/inspect_machines.h backends/image/pack.h backends/image/pack_guards.c \
	backends/image/pack_image.c backends/image/pack_machines.c \
	backends/image/pack_machines.h \
	backends/image/pack_names.c backends/image/read_back.c backends/image/read_back.h
libsparse_la_SOURCES += \
	backends/sparse/pack_option.c backends/sparse/pack_option.h \
	backends/sparse/pack_sparse.c backends/sparse/pack_sparse.h backends/sparse/sparse.c \
	backends/sparse/sparse.h
libbackends_la_LIBADD = -lm
libbackends_la_SOURCES = \
	backends/overlay/overlay.c backends/overlay/overlay.h \
	backends/overlay/emit/emit.h backends/overlay/emit/emit_header.c \
	backends/overlay/emit/emit_mem.c backends/overlay/emit/emit_rdl.c \
	backends/overlay/emit/emit_regs.c \
	backends/overlay/emit/emit_svg.c backends/overlay/emit/layout.c \
	backends/overlay/emit/layout.h \
	backends/overlay/emit/emit_verilog.c \
	backends/overlay/fit/explain_fit.c backends/overlay/fit/explain_fit.h \
	backends/overlay/fit/fit.c backends/overlay/fit/fit.h backends/overlay/fit/fit_cost.c \
	backends/overlay/fit/fit_cost.h backends/overlay/fit/fit_place.c \
	backends/overlay/fit/fit_place.h backends/overlay/fit/fit_search.c \
	backends/overlay/fit/fit_search.h backends/overlay/fit/fit_table.c \
	backends/overlay/fit/fit_thesis.c backends/overlay/fit/fit_thesis.h \
	backends/overlay/fit/fit_value.c backends/overlay/pack/pack_overlay.c \
	backends/overlay/pack/pack_overlay.h backends/overlay/pack/pack_copies.c \
	backends/overlay/pack/pack_copies.h backends/overlay/pack/pack_tests.c \
	backends/overlay/pack/pack_tests.h backends/overlay/pack/recode.c \
	backends/overlay/pack/recode.h

# Programs for the trace units of cores.
libbackends_la_SOURCES += \
	backends/etm/emit_cscfg.c backends/etm/emit_handler.c backends/etm/emit_header.c backends/etm/emit_sysfs.c \
	backends/etm/emit_table.c backends/etm/etm.c backends/etm/etm.h \
	backends/etm/etm_channels.c backends/etm/etm_map.c \
	backends/etm/etm_rate.c backends/etm/etm_rate.h \
	backends/etm/etm_map.h backends/etm/map_authors.c backends/etm/map_cover.c \
	backends/etm/map_int.h backends/etm/map_needs.c backends/etm/map_needs.h \
	backends/etm/map_regs.c backends/etm/map_resources.c \
	backends/etm/map_rows.c \
	backends/etm/map_select.c

# What register values of trace units mean, and whether they mean the same.
noinst_LTLIBRARIES += libetmproof.la
libetmproof_la_SOURCES = \
	backends/etm/etm_decode.c backends/etm/etm_decode.h backends/etm/inspect/etm_check.c \
	backends/etm/proof/etm_file_cores.c \
	backends/etm/inspect/etm_dnf.c backends/etm/inspect/etm_dnf.h \
	backends/etm/inspect/etm_inspect.c backends/etm/inspect/etm_inspect.h \
	backends/etm/inspect/etm_print_machine.c backends/etm/proof/etm_equal.c \
	backends/etm/proof/etm_equal.h backends/etm/proof/etm_file_c.c \
	backends/etm/proof/etm_file_sysfs.c backends/etm/proof/etm_files.c backends/etm/proof/etm_files.h \
	backends/etm/proof/etm_pins.c backends/etm/proof/etm_prove.c \
	backends/etm/proof/etm_readings.c backends/etm/proof/etm_readings.h \
	backends/etm/proof/etm_search.c backends/etm/proof/etm_side.c \
	backends/etm/proof/etm_side.h backends/etm/proof/etm_signals.c \
	backends/etm/proof/etm_signals.h backends/etm/proof/etm_source.c \
	backends/etm/proof/etm_witness.c
libetmproof_la_LIBTOOLFLAGS = --silent
libetmproof_la_LDFLAGS = $(SAN_CFLAGS) $(COV_CFLAGS)

# What a regulator lets through.
noinst_LTLIBRARIES += libetmbound.la
libetmbound_la_SOURCES = \
	backends/etm/bound/bound.c backends/etm/bound/bound.h backends/etm/bound/bound_bytes.c \
	backends/etm/bound/bound_bytes.h backends/etm/bound/bound_decoded.c \
	backends/etm/bound/bound_form.h backends/etm/bound/bound_graph.c backends/etm/bound/bound_graph.h \
	backends/etm/bound/bound_path.c backends/etm/bound/bound_replay.c \
	backends/etm/bound/bound_report.c
libetmbound_la_LIBTOOLFLAGS = --silent
libetmbound_la_LDFLAGS = $(SAN_CFLAGS) $(COV_CFLAGS)
