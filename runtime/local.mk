# The runtime library: images, the engine, trace formats. Links no part of the compiler.
lib_LTLIBRARIES += libnfart.la
pkgconfig_DATA += runtime/nfart.pc
libnfart_la_SOURCES = \
	runtime/image_api.c runtime/engine.c runtime/engine.h runtime/engine_state.c \
	runtime/engine_state.h runtime/trace_index.c runtime/fast.c runtime/fast.h runtime/fast_count.c \
	runtime/fast_decode.c runtime/filter.c runtime/filter.h runtime/filter_count.c runtime/filter_few.c \
	runtime/filter_follow.c \
	runtime/filter_lines.c runtime/filter_note.c runtime/filter_read.c runtime/filter_walk.c \
	runtime/lanes.c runtime/lanes.h runtime/lanes_layout.c runtime/lanes_layout.h \
	runtime/lanes_run.c \
	runtime/proto_api.c runtime/input.c runtime/input.h runtime/mapped.c runtime/mapped.h \
	runtime/read_chunks.c runtime/read_dump.c runtime/read_ila.c runtime/read_raw.c \
	runtime/read_records.c runtime/read_text.c runtime/reader.c runtime/ring.c runtime/ring.h \
	runtime/source_map.c runtime/trace.h runtime/trace_head.c runtime/window.c \
	runtime/window.h \
	runtime/write_chunks.c runtime/write_csv.c runtime/write_json.c runtime/write_records.c \
	runtime/write_text.c runtime/writer.c
libnfart_la_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
libnfart_la_LIBADD = libcontract.la libsupport.la $(JANSSON_LIBS)
libnfart_la_LIBTOOLFLAGS = --silent
# Only the interface leaves the shared library. The tools are linked with the static one.
libnfart_la_LDFLAGS = $(SAN_CFLAGS) $(COV_CFLAGS) -no-undefined -version-info 0:0:0 \
	-export-symbols-regex '^nfart_'

# nfarun --explain, for tests too.
noinst_LTLIBRARIES += libexplain.la
libexplain_la_SOURCES = \
	runtime/explain.c runtime/explain.h runtime/explain_text.c runtime/explain_text.h \
	runtime/explain_why.c runtime/origin.c runtime/origin.h runtime/witness.c runtime/witness.h \
	runtime/witness_chain.c runtime/witness_chain.h runtime/witness_copy.c \
	runtime/witness_far.c

# What nfarun does once its options are read; the tests call it too.
noinst_LTLIBRARIES += librun.la
librun_la_SOURCES = \
	rtl/sim/model.h runtime/decoded.c runtime/decoded.h runtime/join.c runtime/join.h runtime/parallel.c runtime/piece.c \
	runtime/piece.h runtime/rtl_engine.c runtime/rtl_engine.h runtime/run.c runtime/run.h \
	runtime/run_rtl.c runtime/shard.c runtime/shard.h runtime/shard_file.c \
	runtime/shard_trace.c runtime/stepper.c
librun_la_CPPFLAGS = $(AM_CPPFLAGS)
librun_la_LIBADD = libnfart.la

bin_PROGRAMS += nfarun nfagen
nfarun_main = runtime/nfarun.c runtime/nfarun_options.c runtime/nfarun_options.h runtime/ranks.h
nfarun_SOURCES = $(nfarun_main) runtime/ranks_none.c
nfarun_LDADD = librun.la libexplain.la libnfart.la
EXTRA_DIST += runtime/nfarun-mpi.1
if MPI
bin_PROGRAMS += nfarun-mpi
nfarun_mpi_SOURCES = $(nfarun_main) runtime/ranks_mpi.c
nfarun_mpi_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
nfarun_mpi_LDADD = librun.la libexplain.la libnfart.la $(MPI_LIBS)
man_MANS = runtime/nfarun-mpi.1
endif
nfagen_SOURCES = \
	runtime/gen_busy.c runtime/gen_busy.h runtime/gen_coherence.c runtime/gen_coherence.h \
	runtime/gen_fault.c runtime/gen_ila.c runtime/gen_ila.h runtime/gen_message.c \
	runtime/gen_message.h runtime/gen_nodes.c runtime/gen_queue.c runtime/gen_queue.h \
	runtime/gen_random.h runtime/gen_sim.h runtime/nfagen.c runtime/nfagen_options.c \
	runtime/nfagen_options.h
nfagen_LDADD = libdesc.la libnfart.la
dist_man_MANS += runtime/nfagen.1

# For firmware: sources to copy into one's own project, freestanding. Nothing here is linked with them.
firmwaredir = $(pkgdatadir)/firmware
dist_firmware_DATA = runtime/firmware.c runtime/firmware.h runtime/nfacc_registers.h
