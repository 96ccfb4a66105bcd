/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * layout: prints what a C compiler says of nfart.h, for the test of the Python module: a line
 * `STRUCT size` for each struct that the module uses, a line `STRUCT.FIELD offset size` for each
 * field, and a line `NAME value` for constants.
 */
#include <inttypes.h>

#include "include/nfart.h"

#define STRUCT(s) printf(#s " %zu\n", sizeof(struct s))
#define FIELD(s, f)                                                                                \
	printf(#s "." #f " %zu %zu\n", offsetof(struct s, f), sizeof(((struct s *)0)->f))
#define CONSTANT(c) printf(#c " %" PRIu64 "\n", (uint64_t)(c))

static void reading(void)
{
	STRUCT(nfart_error);
	FIELD(nfart_error, status);
	FIELD(nfart_error, line);
	FIELD(nfart_error, column);
	FIELD(nfart_error, file);
	FIELD(nfart_error, what);
	FIELD(nfart_error, source);
	STRUCT(nfart_batch);
	FIELD(nfart_batch, time);
	FIELD(nfart_batch, mask);
	FIELD(nfart_batch, lost);
	FIELD(nfart_batch, damaged);
	FIELD(nfart_batch, when);
	FIELD(nfart_batch, payload_words);
	FIELD(nfart_batch, header);
	FIELD(nfart_batch, payload);
	STRUCT(nfart_wave);
	FIELD(nfart_wave, at);
	FIELD(nfart_wave, nat);
	FIELD(nfart_wave, signals);
	FIELD(nfart_wave, nsignals);
	FIELD(nfart_wave, end);
	FIELD(nfart_wave, wave_time);
	FIELD(nfart_wave, taps);
	FIELD(nfart_wave, say);
	FIELD(nfart_wave, say_ctx);
	STRUCT(nfart_reader_options);
	FIELD(nfart_reader_options, format);
	FIELD(nfart_reader_options, unchecked);
	FIELD(nfart_reader_options, strict);
	FIELD(nfart_reader_options, has_ring_start);
	FIELD(nfart_reader_options, as_is);
	FIELD(nfart_reader_options, ring_start);
	FIELD(nfart_reader_options, map);
	FIELD(nfart_reader_options, map_name);
	FIELD(nfart_reader_options, wait);
	FIELD(nfart_reader_options, wait_ctx);
	FIELD(nfart_reader_options, mapping);
	FIELD(nfart_reader_options, begin);
	FIELD(nfart_reader_options, end);
	FIELD(nfart_reader_options, follow);
	FIELD(nfart_reader_options, wave);
	STRUCT(nfart_reader_stats);
	FIELD(nfart_reader_stats, batches);
	FIELD(nfart_reader_stats, messages);
	FIELD(nfart_reader_stats, losses);
	FIELD(nfart_reader_stats, lost);
	FIELD(nfart_reader_stats, lost_unknown);
	FIELD(nfart_reader_stats, damaged);
	FIELD(nfart_reader_stats, bad_chunks);
	FIELD(nfart_reader_stats, bytes);
	FIELD(nfart_reader_stats, size);
	FIELD(nfart_reader_stats, damage);
	STRUCT(nfart_message_columns);
	FIELD(nfart_message_columns, time);
	FIELD(nfart_message_columns, header);
	FIELD(nfart_message_columns, slot);
}

static void running(void)
{
	STRUCT(nfart_line);
	FIELD(nfart_line, label);
	FIELD(nfart_line, address);
	STRUCT(nfart_result);
	FIELD(nfart_result, labels);
	FIELD(nfart_result, nlabels);
	FIELD(nfart_result, accepted);
	FIELD(nfart_result, logged);
	FIELD(nfart_result, lines);
	FIELD(nfart_result, nlines);
	FIELD(nfart_result, by_line);
	FIELD(nfart_result, more_lines);
	STRUCT(nfart_explained);
	FIELD(nfart_explained, batch);
	FIELD(nfart_explained, result);
	FIELD(nfart_explained, text);
	STRUCT(nfart_engine_options);
	FIELD(nfart_engine_options, lines);
	FIELD(nfart_engine_options, has_substream);
	FIELD(nfart_engine_options, base);
	FIELD(nfart_engine_options, count);
	FIELD(nfart_engine_options, reset_on_loss);
	FIELD(nfart_engine_options, keep_on_loss);
	FIELD(nfart_engine_options, tick);
	STRUCT(nfart_filter_options);
	FIELD(nfart_filter_options, engine);
	FIELD(nfart_filter_options, sink);
	FIELD(nfart_filter_options, ctx);
	FIELD(nfart_filter_options, simd);
	FIELD(nfart_filter_options, stepwise);
	FIELD(nfart_filter_options, matches);
	STRUCT(nfart_filter_stats);
	FIELD(nfart_filter_stats, batches);
	FIELD(nfart_filter_stats, accepted);
	FIELD(nfart_filter_stats, logged);
	FIELD(nfart_filter_stats, output);
	FIELD(nfart_filter_stats, labels);
	STRUCT(nfart_match);
	FIELD(nfart_match, time);
	FIELD(nfart_match, address);
	FIELD(nfart_match, label);
	STRUCT(nfart_pair_columns);
	FIELD(nfart_pair_columns, rule);
	FIELD(nfart_pair_columns, outcome);
	FIELD(nfart_pair_columns, slot);
	FIELD(nfart_pair_columns, answer_slot);
	FIELD(nfart_pair_columns, time);
	FIELD(nfart_pair_columns, header);
	FIELD(nfart_pair_columns, answer_time);
	FIELD(nfart_pair_columns, answer_header);
}

int main(void)
{
	reading();
	running();
	CONSTANT(NFART_SLOTS);
	CONSTANT(NFART_LOST_UNKNOWN);
	CONSTANT(NFART_VERSION);
	CONSTANT(NFART_OK);
	CONSTANT(NFART_INPUT);
	CONSTANT(NFART_USAGE);
	CONSTANT(NFART_NOFIT);
	CONSTANT(NFART_GAVEUP);
	CONSTANT(NFART_SYSTEM);
	CONSTANT(NFART_PARTIAL);
	CONSTANT(NFART_PAIR_ANSWERED);
	CONSTANT(NFART_PAIR_OPEN);
	CONSTANT(NFART_PAIR_REPLACED);
	CONSTANT(NFART_PAIR_LOST);
	CONSTANT(NFART_PAIR_UNASKED);
	CONSTANT(NFART_TICK);
	CONSTANT(NFART_END);
	return ferror(stdout) != 0;
}
