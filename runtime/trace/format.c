/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "runtime/trace/format.h"

#include <string.h>

static const struct trace_format formats[] = {
	[NFART_FORMAT_AUTO] = { .name = "auto" },
	[NFART_FORMAT_TEXT] = {
		"text", "batch text, for people",
		detect_text, read_text_open, NULL, write_text_open,
		.payload = true },
	[NFART_FORMAT_RECORDS] = {
		"records", "the record form, as a stream",
		detect_records, read_records_open, NULL, write_records_open,
		.payload = true },
	[NFART_FORMAT_COMPACT] = {
		"compact", "records in chunks with checksums, and an index",
		detect_compact, read_chunks_open, read_chunks_block, write_chunks_open,
		.payload = true },
	[NFART_FORMAT_DENSE] = {
		"dense", "every slot in every batch, in chunks",
		detect_dense, read_chunks_open, read_chunks_block, write_chunks_open },
	[NFART_FORMAT_ILA] = {
		"ila", "a Vivado logic analyser's CSV, a ring",
		detect_ila, read_ila_open, NULL, NULL },
	[NFART_FORMAT_DUMP] = {
		"dump", "raw samples of 128 bits, a ring",
		NULL, read_dump_open, NULL, NULL },
	[NFART_FORMAT_RAW] = {
		"raw", "bytes, each a batch of protocol bytes",
		NULL, read_raw_open, read_raw_block, NULL },
	[NFART_FORMAT_JSON] = {
		"json", "an object a line",
		detect_json, NULL, NULL, write_json_open,
		.payload = true },
	[NFART_FORMAT_CSV] = {
		"csv", "a message a row",
		detect_csv, NULL, NULL, write_csv_open },
	[NFART_FORMAT_PERFETTO] = {
		"perfetto", "a trace for the viewer of Perfetto",
		detect_perfetto, NULL, NULL, write_perfetto_open },
	[NFART_FORMAT_VCD] = {
		"vcd", "a value change dump: read by taps, written for GTKWave",
		detect_vcd, read_wave_open, NULL, write_vcd_open, true },
	[NFART_FORMAT_PCAPNG] = {
		"pcapng", "a packet a message, for Wireshark",
		detect_pcapng, NULL, NULL, write_pcapng_open,
		.payload = true },
	[NFART_FORMAT_PRETTY] = {
		"pretty", "columns with fields, for people",
		NULL, NULL, NULL, write_pretty_open,
		.payload = true },
	[NFART_FORMAT_FST] = {
		"fst", "a waveform of GTKWave, read by taps",
		detect_fst, read_wave_open, NULL, NULL },
	[NFART_FORMAT_RING_MEMORY] = {
		"ring-memory", "memory to which an engine wrote records, a ring",
		NULL, read_memory_open, NULL, NULL },
};

enum { FORMATS = sizeof formats / sizeof *formats };

/* Nearly everything looks like text, so this format is asked last. */
static const enum nfart_format asked_last = NFART_FORMAT_TEXT;

const struct trace_format *trace_format(enum nfart_format f)
{
	return &formats[(unsigned)f < FORMATS ? f : NFART_FORMAT_AUTO];
}

const char *nfart_format_name(enum nfart_format f)
{
	return trace_format(f)->name;
}

bool nfart_format_payload(enum nfart_format f)
{
	return trace_format(f)->payload;
}

bool nfart_format_parse(const char *name, enum nfart_format *f)
{
	for (unsigned i = 1; i < FORMATS; i++)
		if (strcmp(formats[i].name, name) == 0) {
			*f = (enum nfart_format)i;
			return true;
		}
	return false;
}

enum nfart_format trace_format_detect(const unsigned char *p, size_t n)
{
	for (unsigned i = 1; i < FORMATS; i++)
		if (i != asked_last && formats[i].detect != NULL && formats[i].detect(p, n))
			return (enum nfart_format)i;
	return formats[asked_last].detect(p, n) ? asked_last : NFART_FORMAT_AUTO;
}

static bool is_for(unsigned i, enum format_use use)
{
	return (use != FORMAT_BOTH || !formats[i].apart) &&
	       ((use & FORMAT_READ) == 0 || formats[i].read != NULL) &&
	       ((use & FORMAT_WRITE) == 0 || formats[i].write != NULL);
}

enum nfart_format trace_format_nth(enum format_use use, size_t n)
{
	for (unsigned i = 1; i < FORMATS; i++)
		if (is_for(i, use) && n-- == 0)
			return (enum nfart_format)i;
	return NFART_FORMAT_AUTO;
}
