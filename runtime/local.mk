## SPDX-License-Identifier: BSD-2-Clause
## SPDX-FileCopyrightText: nfacc contributors
# libnfart, the runtime library: images, engine, trace formats. It links no part of the compiler.
lib_LTLIBRARIES += libnfart.la
libnfart_la_SOURCES = \
	runtime/eci_address.c runtime/image_api.c runtime/proto_api.c runtime/proto_open.c \
	runtime/version.c
libnfart_la_SOURCES += \
	runtime/engine/copies.c runtime/engine/copies.h runtime/engine/engine.c \
	runtime/engine/joins.c runtime/engine/joins.h \
	runtime/engine/engine.h runtime/engine/engine_state.c runtime/engine/engine_state.h \
	runtime/engine/filter.c runtime/engine/filter.h runtime/engine/filter_note.c \
	runtime/engine/filter_note.h runtime/engine/filter_put.c runtime/engine/filter_quiet.c \
	runtime/engine/filter_read.c \
	runtime/engine/filter_state.c runtime/engine/filter_time.c runtime/engine/filter_time.h \
	runtime/engine/leap.c runtime/engine/leap.h runtime/engine/leap_parts.c \
	runtime/engine/leap_parts.h runtime/engine/machine.c runtime/engine/machine.h \
	runtime/engine/orders.c runtime/engine/orders.h \
	runtime/engine/ticker.h runtime/engine/window.c \
	runtime/engine/window.h
libnfart_la_SOURCES += \
	runtime/engine/fast/bit_parallel.c runtime/engine/fast/bit_parallel.h \
	runtime/engine/fast/bit_parallel_layout.c runtime/engine/fast/bit_parallel_layout.h \
	runtime/engine/fast/bit_parallel_run.c runtime/engine/fast/decode_keys.c \
	runtime/engine/fast/decode_rows.c runtime/engine/fast/look_up.h \
	runtime/engine/fast/decode_keys.h runtime/engine/fast/dfa_cache.c \
	runtime/engine/fast/dfa_cache.h runtime/engine/fast/dfa_counters.c \
	runtime/engine/fast/dfa_everyone.c runtime/engine/fast/dfa_lines.c \
	runtime/engine/fast/dfa_shuffle.c \
	runtime/engine/fast/dfa_speculate.c runtime/engine/fast/dfa_walk.c \
	runtime/engine/fast/dfa_walk.h runtime/engine/fast/dfa_walk_counting.c \
	runtime/engine/fast/factor.c runtime/engine/fast/factor.h \
	runtime/engine/fast/factor_build.c runtime/engine/fast/factor_check.c \
	runtime/engine/fast/factor_find.c runtime/engine/fast/factor_grams.c \
	runtime/engine/fast/factor_teddy.c runtime/engine/fast/factor_teddy.h \
	runtime/engine/fast/must.c runtime/engine/fast/must.h \
	runtime/engine/fast/key_tests.c runtime/engine/fast/keys.c runtime/engine/fast/keys.h \
	runtime/engine/fast/simd.c \
	runtime/engine/fast/symbols.c runtime/engine/fast/symbols.h runtime/engine/fast/visits.c \
	runtime/engine/fast/visits.h
libnfart_la_SOURCES += \
	runtime/explain/explain.c runtime/explain/explain.h runtime/explain/explain_batch.c \
	runtime/explain/coverage.c runtime/explain/coverage.h \
	runtime/explain/explain_batch.h runtime/explain/explain_machine.c \
	runtime/explain/explain_machine.h runtime/explain/explain_rules.c \
	runtime/explain/explain_rules.h runtime/explain/explain_text.c \
	runtime/explain/explain_text.h runtime/explain/explain_why.c \
	runtime/explain/explainer.c runtime/explain/guards.c runtime/explain/guards.h \
	runtime/explain/origin.c runtime/explain/origin.h runtime/explain/origin_machines.c \
	runtime/explain/timed.c runtime/explain/timed.h runtime/explain/witness.c \
	runtime/explain/witness.h runtime/explain/witness_chain.c \
	runtime/explain/witness_chain.h runtime/explain/witness_copy.c \
	runtime/explain/witness_far.c runtime/explain/witness_machine.c \
	runtime/explain/witness_machine.h runtime/explain/witness_step.c
libnfart_la_SOURCES += \
	runtime/rules/chart.c runtime/rules/chart.h runtime/rules/chart_nodes.c \
	runtime/rules/finding.c runtime/rules/finding.h runtime/rules/follow.c \
	runtime/rules/follow.h runtime/rules/judge.c runtime/rules/judge.h \
	runtime/rules/know.c runtime/rules/know.h runtime/rules/know_ask.c \
	runtime/rules/rules.c runtime/rules/rules.h
libnfart_la_SOURCES += runtime/run/shared.c runtime/run/shared.h
libnfart_la_SOURCES += \
	runtime/pairs/pair_events.c runtime/pairs/pair_events.h runtime/pairs/pair_reader.c \
	runtime/pairs/pair_table.c runtime/pairs/pair_table.h runtime/pairs/pairs.c \
	runtime/pairs/pairs.h runtime/pairs/pairs_count.c runtime/pairs/pairs_join.c runtime/pairs/pairs_part.c \
	runtime/pairs/pairs_part.h \
	runtime/pairs/pairs_piece.c runtime/pairs/pairs_priv.h \
	runtime/pairs/pairs_read.c \
	runtime/pairs/queues.c runtime/pairs/queues.h
libnfart_la_SOURCES += \
	runtime/trace/batch.h runtime/trace/binary.h runtime/trace/border.h \
	runtime/trace/format.c runtime/trace/format.h runtime/trace/input.c runtime/trace/input.h \
	runtime/trace/mapped.c runtime/trace/mapped.h runtime/trace/batch.c runtime/trace/message_columns.c \
	runtime/trace/reader.c runtime/trace/reader.h runtime/trace/trace_clock.c \
	runtime/trace/trace_clock.h runtime/trace/trace_head.c runtime/trace/trace_index.c \
	runtime/trace/trace_options.c runtime/trace/trace_options.h runtime/trace/trace_part.c \
	runtime/trace/writer.c runtime/trace/writer.h
libnfart_la_SOURCES += \
	runtime/trace/codec/codec.c runtime/trace/codec/codec.h runtime/trace/codec/codec_gzip.c \
	runtime/trace/codec/codec_zstd.c runtime/trace/codec/compress.c \
	runtime/trace/codec/compress.h runtime/trace/codec/decompress.c \
	runtime/trace/codec/decompress.h
libnfart_la_SOURCES += \
	runtime/trace/format/lanes.c runtime/trace/format/lanes.h \
	runtime/trace/format/perfetto.c runtime/trace/format/perfetto.h \
	runtime/trace/format/protobuf.c runtime/trace/format/protobuf.h \
	runtime/trace/format/read_chunks.c runtime/trace/format/read_dump.c \
	runtime/trace/format/read_memory.c \
	runtime/trace/format/read_ila.c runtime/trace/format/read_raw.c \
	runtime/trace/format/read_records.c runtime/trace/format/read_text.c \
	runtime/trace/format/ring.c runtime/trace/format/ring.h runtime/trace/format/source_map.c \
	runtime/trace/format/text.c runtime/trace/format/text.h \
	runtime/trace/format/vcd.c runtime/trace/format/vcd.h runtime/trace/format/vcd_save.c \
	runtime/trace/format/write_chunks.c \
	runtime/trace/format/write_csv.c runtime/trace/format/write_json.c \
	runtime/trace/format/write_pcapng.c runtime/trace/format/write_perfetto.c \
	runtime/trace/format/write_pretty.c \
	runtime/trace/format/write_records.c runtime/trace/format/write_text.c \
	runtime/trace/format/write_vcd.c
libnfart_la_SOURCES += \
	runtime/wave/fst.c runtime/wave/fst.h runtime/wave/fst_fastlz.c runtime/wave/fst_file.c \
	runtime/wave/fst_hier.c runtime/wave/fst_unpack.c runtime/wave/fst_values.c \
	runtime/wave/vcd.c runtime/wave/vcd.h runtime/wave/vcd_ahead.c runtime/wave/vcd_ahead.h \
	runtime/wave/vcd_codes.c runtime/wave/vcd_head.c \
	runtime/wave/vcd_piece.c runtime/wave/vcd_scan.c runtime/wave/vcd_words.c runtime/wave/wave.c \
	runtime/wave/wave.h runtime/wave/wave_bits.c runtime/wave/wave_names.c runtime/wave/wave_priv.h
libnfart_la_SOURCES += \
	runtime/wave/tap_code.c runtime/wave/tap_code.h runtime/wave/tap_names.c \
	runtime/wave/tap_names.h runtime/wave/tap_place.c runtime/wave/tap_place.h \
	runtime/wave/tap_memory.c runtime/wave/tap_memory.h \
	runtime/wave/tap_places.c runtime/wave/tap_reader.c runtime/wave/tap_run.c \
	runtime/wave/tap_run.h runtime/wave/tap_say.c
libnfart_la_CFLAGS = $(AM_CFLAGS) $(ALIGN_CFLAGS)
libnfart_la_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) $(ZLIB_CFLAGS) $(ZSTD_CFLAGS) \
	$(LZ4_CFLAGS)
libnfart_la_LIBADD = libdesc.la libcontract.la libsupport.la $(JANSSON_LIBS) $(ZLIB_LIBS) \
	$(ZSTD_LIBS) $(LZ4_LIBS)
libnfart_la_LIBTOOLFLAGS = --silent
# The shared library exports only the symbols of the interface, with their versions (nfart.map). The
# tools are linked with the static library. doc/develop/abi.md says when -version-info and the map
# change.
libnfart_la_LDFLAGS = $(SAN_CFLAGS) $(COV_CFLAGS) -no-undefined -version-info 0:0:0 \
	-Wl,--version-script=$(srcdir)/runtime/nfart.map
EXTRA_libnfart_la_DEPENDENCIES = runtime/nfart.map
EXTRA_DIST += runtime/nfart.map

# Statistics of a trace and of its pairs, in a library of its own so that tests can call it.
noinst_LTLIBRARIES += libstats.la
libstats_la_SOURCES = \
	runtime/stats/compare.c runtime/stats/compare.h runtime/stats/heat.c runtime/stats/heat.h \
	runtime/stats/in_flight.c \
	runtime/stats/in_flight.h runtime/stats/latency.c runtime/stats/latency.h \
	runtime/stats/latency_bins.c \
	runtime/stats/sample.c runtime/stats/sample.h runtime/stats/tally.c \
	runtime/stats/tally.h runtime/stats/timeline.c runtime/stats/timeline.h

# What nfarun does once it has read its options, and the simulated engine: in a library of its own,
# so that tests can call it.
noinst_LTLIBRARIES += librun.la
librun_la_SOURCES = \
	runtime/ask/asked_file.c runtime/ask/asked_file.h \
	runtime/ask/asked_flight.c runtime/ask/asked_flight.h \
	runtime/ask/labelled.c runtime/ask/labelled.h \
	runtime/ask/ordered.c runtime/ask/ordered.h \
	runtime/run/combine.c runtime/run/combine.h runtime/run/decoded.c runtime/run/decoded.h \
	runtime/run/parallel.c runtime/run/parallel.h runtime/run/parallel_pipe.c \
	runtime/run/piece.c runtime/run/piece.h runtime/run/piece_queue.c \
	runtime/run/piece_runner.c runtime/run/piece_runner.h runtime/run/ranks.h \
	runtime/run/run.c runtime/run/run.h runtime/run/run_add.c runtime/run/run_rtl.c \
	runtime/run/shard.c \
	runtime/run/shard.h runtime/run/shard_file.c runtime/run/shard_trace.c
librun_la_SOURCES += rtl/sim/model.h runtime/device/rtl_engine.c runtime/device/rtl_engine.h \
	runtime/run/named_lines.c runtime/run/named_lines.h
librun_la_CPPFLAGS = $(AM_CPPFLAGS)
librun_la_LIBADD = libnfart.la

# An engine behind what a board has (nfactl).
noinst_LTLIBRARIES += libdevice.la
libdevice_la_SOURCES = \
	runtime/device/device.c runtime/device/device.h runtime/device/device_file.c \
	runtime/device/device_map.c runtime/device/device_priv.h runtime/device/device_serve.c \
	runtime/device/device_wire.h runtime/device/device_worker.c runtime/device/driver.c \
	runtime/device/driver.h runtime/device/driver_bins.c runtime/device/driver_selftest.c runtime/device/driver_ring.c \
	runtime/device/driver_stream.c \
	runtime/device/nfacc_registers.h \
	runtime/device/transport_etherbone.c runtime/device/transport_mem.c \
	runtime/device/transport_sim.c runtime/device/transport_socket.c \
	runtime/device/device_vfio.c runtime/device/transport_xdma.c

# For firmware: freestanding sources that a user copies into a project. Nothing here is linked with
# them.
firmwaredir = $(pkgdatadir)/firmware
dist_firmware_DATA = \
	runtime/device/firmware.c runtime/device/firmware.h runtime/device/nfacc_registers.h
