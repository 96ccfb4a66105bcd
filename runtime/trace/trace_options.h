/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * trace_options.h: what rows of tools' tables of options have in common if they are about traces
 * (support/option.h).
 */
#ifndef NFART_TRACE_TRACE_OPTIONS_H
#define NFART_TRACE_TRACE_OPTIONS_H

#include "include/nfart.h"
#include "support/option.h"

/* How waveforms are read, and parameters of the protocol, as options give them. */
struct trace_wave {
	struct option_dirs at, signals;
	struct nfart_wave options;
};

/* Completes the options for a reader, which borrow *w. What is told of a waveform is written to
 * standard error. */
void trace_wave_finish(struct trace_wave *w, struct nfart_reader_options *reader);

/* The formats that can be read, or written. */
struct option_value trace_formats_read(size_t i);
struct option_value trace_formats_written(size_t i);

/* The shipped protocols. */
struct option_value trace_protocols(size_t i);

/* Takes a format. The row has AT an enum nfart_format. */
int trace_take_format(const struct option_given *g);

/* Takes a clock for times: `cycles` or `wave`. The row has AT a struct trace_wave. */
struct option_value trace_times(size_t i);
int trace_take_time(const struct option_given *g);

/* Takes the oldest sample of a ring. The row has AT a struct nfart_reader_options. */
int trace_take_ring_start(const struct option_given *g);

/* Takes the part of a trace that is read, A..B. The row has AT a struct nfart_reader_options. */
int trace_take_between(const struct option_given *g);

/* ---- rows that tools have in common ---- */
/*
 * `group` and `of` are the group and the verbs of the rows, and `type` is the tool's struct of
 * options. What follows are members of that struct.
 */

/* --from: an enum nfart_format. */
#define TRACE_ROW_FROM(group, of, type, format)                                                    \
	{ group, .verbs = of, .letter = 'f', .name = "from", .kind = OPTION_CHOICE,                \
	  .arg = "FORMAT", .value = trace_formats_read, .take = trace_take_format,                 \
	  OPTION_AT(type, format), .usual = "by its first bytes", .help = "the form of the trace" }

/* How a trace is read: a struct nfart_reader_options, and the name of the file of --map. */
#define TRACE_ROWS_READER(group, of, type, reader, map)                                            \
	TRACE_ROW_FROM(group, of, type, reader.format),                                            \
	{ group, .verbs = of, .name = "ring-start", .kind = OPTION_NUMBER, .arg = "N",             \
	  .take = trace_take_ring_start, OPTION_AT(type, reader),                                  \
	  .help = "the oldest sample of a ring, counted from 0" },                                 \
	{ group, .verbs = of, .name = "map", .kind = OPTION_FILE, .arg = "FILE",                   \
	  OPTION_AT(type, map), .help = "JSON that says what sources and widths of samples mean" },\
	{ group, .verbs = of, .name = "between", .kind = OPTION_TEXT, .arg = "A..B",               \
	  .take = trace_take_between, OPTION_AT(type, reader),                                     \
	  .takes = "A..B, A.. or ..B with times in cycles, such as 1000..20k",                     \
	  .help = "read only batches with A <= time < B" },                                        \
	{ group, .verbs = of, .name = "strict", OPTION_AT(type, reader.strict),                    \
	  .help = "a damaged chunk is an error, not a loss" },                                     \
	{ group, .verbs = of, .name = "as-is", OPTION_AT(type, reader.as_is),                      \
	  .help = "read a trace that looks compressed as it stands" }

/* The protocol: its name, and a struct option_dirs. `default_` and `text` are for --help. */
#define TRACE_ROWS_PROTOCOL(group, of, type, protocol, dirs, default_, text)                       \
	{ group, .verbs = of, .letter = 'p', .name = "protocol", .kind = OPTION_FILE,              \
	  .arg = "NAME", .value = trace_protocols, OPTION_AT(type, protocol), .usual = default_,   \
	  .help = text },                                                                          \
	{ group, .verbs = of, .letter = 'I', .kind = OPTION_DIR, .arg = "DIR",                     \
	  .take = option_take_dir, OPTION_AT(type, dirs), .repeats = true,                         \
	  .takes = "a folder, at most 64 times", .help = "look for NAME.proto there first" }

/* Waveforms: a struct trace_wave. */
#define TRACE_ROWS_WAVE(group, of, type, wave)                                                     \
	{ group, .verbs = of, .name = "at", .kind = OPTION_TEXT, .arg = "[USE=]PREFIX",            \
	  .take = option_take_dir, OPTION_AT(type, wave.at), .repeats = true,                      \
	  .takes = "what stands before names of signals, at most 64 times",                        \
	  .usual = "the one place that has them all",                                              \
	  .help = "where a waveform has the signals of an interface, such as top.cpu.m_axi_" },    \
	{ group, .verbs = of, .name = "signal", .kind = OPTION_TEXT, .arg = "NAME=PATH",           \
	  .take = option_take_dir, OPTION_AT(type, wave.signals), .repeats = true,                 \
	  .takes = "NAME=PATH, at most 64 times",                                                  \
	  .help = "where a waveform has one signal of the taps" },                                 \
	{ group, .verbs = of, .name = "end", OPTION_AT(type, wave.options.end),                    \
	  .help = "of a waveform: its end is a last sample, as if an edge of the clock came" },    \
	{ group, .verbs = of, .name = "time", .kind = OPTION_CHOICE, .arg = "WHAT",                \
	  .value = trace_times, .take = trace_take_time, OPTION_AT(type, wave),                    \
	  .usual = "cycles", .help = "of a waveform: times are cycles, or its own time stamps" }

#endif
