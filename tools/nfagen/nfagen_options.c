/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The file is a little over 500 lines long, because all options stand in one table, with the
 * functions that take them.
 */
#include "tools/nfagen/nfagen_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/trace/format.h"
#include "support/cli.h"
#include "tools/nfagen/traffic/gen_ila.h"

enum {
	MAX_RATE = 16,
	MAX_WEIGHT = 1000000,
	MAX_CROSSING = 100,
	MAX_ROUNDS = 1000000,
	MAX_MERGE = 1000000
};

#define MAX_LENGTH ((uint64_t)1 << 48)
#define ADDRESS_END ((uint64_t)1 << 40)
#define ONE ((uint64_t)1 << 32)

static const struct {
	const char *name;
	uint32_t weights[GEN_OPS];
} mixes[] = {
	{"balanced", {4, 2, 3, 1, 1}},
	{"read", {8, 0, 4, 0, 1}},
	{"stream", {1, 6, 6, 1, 1}},
	{"contended", {4, 4, 1, 2, 4}},
};

/* Reads a decimal fraction of at most `most` into *out, in units of 2^-32. Digits after the ninth
 * decimal place don't count. False: s is no such number. */
static bool parse_fraction(const char *s, uint32_t most, uint64_t *out)
{
	uint64_t whole = 0, part = 0, scale = 1;
	bool digits = false;

	for (; *s >= '0' && *s <= '9'; s++, digits = true) {
		whole = whole * 10 + (uint64_t)(*s - '0');
		if (whole > most)
			return false;
	}
	if (*s == '.')
		for (s++; *s >= '0' && *s <= '9'; s++, digits = true)
			if (scale < 1000000000) {
				part = part * 10 + (uint64_t)(*s - '0');
				scale *= 10;
			}
	*out = whole * ONE + part * ONE / scale;
	return digits && *s == 0 && *out <= most * ONE;
}

static bool parse_mix(const char *s, uint32_t weights[static GEN_OPS])
{
	for (size_t i = 0; i < sizeof mixes / sizeof mixes[0]; i++)
		if (strcmp(s, mixes[i].name) == 0) {
			memcpy(weights, mixes[i].weights, sizeof mixes[i].weights);
			return true;
		}
	uint32_t total = 0;
	for (int op = 0; op < GEN_OPS; op++) {
		size_t n = strcspn(s, ":");
		uint64_t x;
		if (s[n] != (op + 1 < GEN_OPS ? ':' : 0) || !cli_number(s, s[n], &x, NULL) ||
		    x > MAX_WEIGHT)
			return false;
		weights[op] = (uint32_t)x;
		total += weights[op];
		s += n + 1;
	}
	return total > 0;
}

/* Reads KIND, KIND@N or KIND@P% and adds a fault to *o. A percentage stays in gen_fault.at until
 * the length of the trace is known. False: s has another form, or there are too many faults. */
static bool parse_fault(const char *s, struct nfagen_options *o)
{
	size_t n = strcspn(s, "@");
	struct gen_fault f = {.kind = gen_fault_parse(s, n), .at = 50};
	bool percent = true;

	if (f.kind == GEN_FAULT_KINDS || o->gen.fault.n == GEN_MAX_FAULTS)
		return false;
	if (s[n] == '@') {
		s += n + 1;
		percent = *s != 0 && s[strlen(s) - 1] == '%';
		if (!cli_number(s, percent ? '%' : 0, &f.at, NULL) ||
		    f.at > (percent ? 100 : MAX_LENGTH))
			return false;
	}
	o->percent[o->gen.fault.n] = percent;
	o->faults[o->gen.fault.n++] = f;
	return true;
}

/* ---- values ---- */

static struct option_value mix_names(size_t i)
{
	return (struct option_value){ i < sizeof mixes / sizeof mixes[0] ? mixes[i].name : NULL,
				      NULL };
}

static struct option_value slice_names(size_t i)
{
	static const char *const names[] = {
		[GEN_BOTH] = "both", [GEN_EVEN] = "even", [GEN_ODD] = "odd"
	};

	return (struct option_value){ i <= GEN_ODD ? names[i] : NULL, NULL };
}

static struct option_value fault_names(size_t i)
{
	return (struct option_value){
		i < GEN_FAULT_KINDS ? gen_fault_name((enum gen_fault_kind)i) : NULL, NULL
	};
}

/* Returns the i-th format in which nfagen can write: first those of the runtime's writers, then
 * those of gen_ila.c. NFART_FORMAT_AUTO: there are no more. */
static enum nfart_format trace_format_at(size_t i)
{
	static const enum nfart_format samples[] = { NFART_FORMAT_ILA, NFART_FORMAT_DUMP,
						     NFART_FORMAT_AUTO };
	size_t both = 0;

	while (trace_format_nth(FORMAT_BOTH, both) != NFART_FORMAT_AUTO)
		both++;
	return i < both ? trace_format_nth(FORMAT_BOTH, i) : samples[i - both];
}

static struct option_value format_names(size_t i)
{
	enum nfart_format f = trace_format_at(i);

	return (struct option_value){ f != NFART_FORMAT_AUTO ? nfart_format_name(f) : NULL, NULL };
}

static struct option_value model_names(size_t i)
{
	static const char *const names[MODELS] = {
		[MODEL_COHERENCE] = "coherence", [MODEL_BUSY] = "busy",
		[MODEL_MISSES] = "misses", [MODEL_BLOCKS] = "blocks",
		[MODEL_STREAMS] = "streams", [MODEL_RULES] = "rules",
	};

	return (struct option_value){ i < MODELS ? names[i] : NULL, NULL };
}

static struct option_value protocol_names(size_t i)
{
	static const char *const names[] = { "eci", "eci-coherence", "eci-block",
					     NULL };

	return (struct option_value){ names[i], NULL };
}

/* ---- handlers ---- */

static int good(bool ok)
{
	return ok ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_length(const struct option_given *g)
{
	struct nfagen_options *o = g->options;

	*(g->row->letter == 'n' ? &o->end.in_batches : &o->gen.fault.by_message) = true;
	return good(cli_number(g->value, 0, &o->end.length, NULL) && o->end.length > 0 &&
		    o->end.length <= MAX_LENGTH);
}

static int take_base(const struct option_given *g)
{
	struct nfagen_options *o = g->options;
	uint64_t x = 0;
	bool ok = cli_number(g->value, 0, &x, NULL) && x < ADDRESS_END;

	o->gen.lines.first = x / NFAGEN_LINE_BYTES;
	return good(ok);
}

static int take_rate(const struct option_given *g)
{
	struct nfagen_options *o = g->options;

	return good(parse_fraction(g->value, MAX_RATE, &o->gen.rate) && o->gen.rate > 0);
}

static int take_mix(const struct option_given *g)
{
	return good(parse_mix(g->value, ((struct nfagen_options *)g->options)->gen.mix.weights));
}

static int take_io(const struct option_given *g)
{
	struct nfagen_options *o = g->options;

	return good(parse_fraction(g->value, 1, &o->gen.mix.io));
}

static int take_flush(const struct option_given *g)
{
	return good(parse_fraction(g->value, 1,
				   &((struct nfagen_options *)g->options)->misses.flush));
}

static int take_fault(const struct option_given *g)
{
	return good(parse_fault(g->value, g->options));
}

static int take_model(const struct option_given *g)
{
	int i = option_choice(model_names, g->value);

	if (i >= 0)
		((struct nfagen_options *)g->options)->model = (enum nfagen_model)i;
	return good(i >= 0);
}

static int take_protocol(const struct option_given *g)
{
	((struct nfagen_options *)g->options)->protocol = g->value;
	return good(option_choice(protocol_names, g->value) >= 0);
}

static int take_format(const struct option_given *g)
{
	int i = option_choice(format_names, g->value);

	if (i >= 0)
		((struct nfagen_options *)g->options)->out.format = trace_format_at((size_t)i);
	return good(i >= 0);
}

static int take_slice(const struct option_given *g)
{
	int i = option_choice(slice_names, g->value);

	if (i >= 0)
		((struct nfagen_options *)g->options)->gen.lines.slice = (enum gen_slice)i;
	return good(i >= 0);
}

/* ---- the table ---- */

enum { LENGTH, TRAFFIC, FAULTS, LOOKUPS, BLOCKS, RULES, OUTPUT, ABOUT };

static const char *const groups[] = { "How much", "What", "Faults", "Model misses",
				      "Models blocks and streams", "Model rules", "Where to",
				      "About" };

static const struct option_form forms[] = {
	{ "[options]", 1 << LENGTH | 1 << TRAFFIC | 1 << FAULTS | 1 << LOOKUPS | 1 << BLOCKS |
			       1 << RULES | 1 << OUTPUT },
	{ NULL, 0 }
};

#define AT(field) OPTION_AT(struct nfagen_options, field)

static const struct option_row rows[] = {
	{ LENGTH, .letter = 'n', .name = "length", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  .most = MAX_LENGTH, .take = take_length, .usual = "1000", .help = "batches to generate" },
	{ LENGTH, .name = "messages", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  .most = MAX_LENGTH, .take = take_length, .help = "stop after N messages instead" },
	{ LENGTH, .name = "drain", AT(end.drain),
	  .help = "then let what has begun come to its end" },
	{ LENGTH, .name = "lines", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  .most = GEN_MAX_LINES, AT(gen.lines.n), .usual = "16",
	  .help = "cache lines that take part" },
	{ LENGTH, .name = "base", .kind = OPTION_TEXT, .arg = "ADDR",
	  .takes = "an address below 2^40", .take = take_base, .usual = "0x8080",
	  .help = "byte address of the first line" },
	{ LENGTH, .name = "rate", .kind = OPTION_TEXT, .arg = "R",
	  .takes = "a fraction above 0, at most 16", .take = take_rate, .usual = "0.02",
	  .help = "mean messages per cycle" },
	{ LENGTH, .name = "messages-per-batch", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  .most = NFART_SLOTS, AT(gen.batch.gather), .help = "mean messages in a batch" },
	{ LENGTH, .name = "seed", .kind = OPTION_NUMBER, .arg = "N", AT(gen.seed), .usual = "1",
	  .help = "of the random numbers" },
	{ LENGTH, .name = "payload", .kind = OPTION_NUMBER, .arg = "BITS", .least = 64,
	  .most = 64 * NFART_PAYLOAD_WORDS, AT(out.payload_bits),
	  .help = "random bits beside each message, a multiple of 64" },

	{ TRAFFIC, .name = "model", .kind = OPTION_CHOICE, .arg = "MODEL", .value = model_names,
	  .take = take_model, .usual = "coherence", .help = "what sends the messages" },
	{ TRAFFIC, .name = "mix", .kind = OPTION_TEXT, .arg = "MIX", .value = mix_names,
	  .take = take_mix,
	  .takes = "READ:WRITE:EVICT:UPGRADE:FORWARD, balanced, read, stream or contended",
	  .usual = "balanced",
	  .help = "weights read:write:evict:upgrade:forward, or balanced, read, stream, "
		  "contended" },
	{ TRAFFIC, .name = "crossing", .kind = OPTION_NUMBER, .arg = "PERCENT",
	  .most = MAX_CROSSING, AT(gen.mix.crossing), .usual = "5",
	  .help = "downgrades and upgrades met by a forward on the way" },
	{ TRAFFIC, .name = "cpu-home", .kind = OPTION_NUMBER, .arg = "N", .most = GEN_MAX_LINES,
	  AT(gen.lines.cpu_home), .usual = "0",
	  .help = "how many of the lines are at home on the CPU" },
	{ TRAFFIC, .name = "slice", .kind = OPTION_CHOICE, .arg = "SLICE", .value = slice_names,
	  .take = take_slice, .usual = "both",
	  .help = "lines of one half of the link, or of both" },
	{ TRAFFIC, .name = "merge", .kind = OPTION_NUMBER, .arg = "CYCLES", .least = 1,
	  .most = MAX_MERGE, AT(gen.batch.merge), .usual = "1",
	  .help = "one batch of so many cycles, with several messages of a line" },
	{ TRAFFIC, .name = "io", .kind = OPTION_TEXT, .arg = "FRACTION",
	  .takes = "a fraction from 0 to 1", .take = take_io, .usual = "0",
	  .help = "share of I/O and GSYNC transactions" },
	{ TRAFFIC, .name = "shared-loads", AT(gen.shared_loads),
	  .help = "MREQ_RLDD is answered by MRSP_PSHA" },
	{ TRAFFIC, .name = "busy", AT(busy),
	  .help = "the same as --model busy: every slot in every cycle" },
	{ TRAFFIC, .name = "plain", AT(gen.plain),
	  .help = "headers with nothing but opcode and address" },
	{ TRAFFIC, .name = "protocol", .kind = OPTION_CHOICE, .arg = "NAME",
	  .value = protocol_names, .take = take_protocol,
	  .help = "the protocol (default: eci; for the models blocks and streams: eci-block)" },

	{ FAULTS, .name = "fault", .kind = OPTION_TEXT, .arg = "KIND[@WHERE]", .value = fault_names,
	  .takes = "KIND, KIND@N or KIND@P%, up to 64 times", .take = take_fault, .repeats = true,
	  .help = "lost-ack, double-request, wrong-response, lost-samples or never-completed, with "
		  "--model blocks lost-block or credit-overrun, with --rules dropped, doubled or "
		  "replaced, from batch WHERE or WHERE% on "
		  "(default: 50%)" },

	{ LOOKUPS, .name = "lookups", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  .most = GEN_MAX_LOOKUPS, AT(misses.lookups), .usual = "2048",
	  .help = "lookups in the search tree" },
	{ LOOKUPS, .name = "keys", .kind = OPTION_NUMBER, .arg = "N", .most = UINT32_MAX,
	  AT(misses.keys), .usual = "1",
	  .help = "seed of the keys, and of when the cache is flushed" },
	{ LOOKUPS, .name = "flush", .kind = OPTION_TEXT, .arg = "P",
	  .takes = "a fraction from 0 to 1", .take = take_flush, .usual = "0.125",
	  .help = "probability of a flush of the cache before a lookup" },
	{ LOOKUPS, .name = "truth", .kind = OPTION_FILE, .arg = "FILE", AT(truth),
	  .help = "write accesses and misses of each line to FILE, as CSV" },

	{ BLOCKS, .name = "idle", AT(blocks.idle),
	  .help = "with the cycles in which both nodes send an idle block that says nothing" },
	{ BLOCKS, .name = "cores", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  .most = STREAM_CORES, AT(blocks.cores), .usual = "16",
	  .help = "streams: cores that read" },
	{ BLOCKS, .name = "rounds", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  .most = MAX_ROUNDS, AT(blocks.rounds), .usual = "20",
	  .help = "streams: how often each core reads its 4 kB" },

	{ RULES, .name = "rules", .kind = OPTION_FILE, .arg = "IMAGE", AT(rules),
	  .help = "runs of the rules of coherence that this image of a checker keeps" },

	{ OUTPUT, .letter = 'f', .name = "format", .kind = OPTION_CHOICE, .arg = "FORMAT",
	  .value = format_names, .take = take_format, .usual = "text", .help = "of the trace" },
	{ OUTPUT, .name = "ring", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  .most = GEN_MAX_RING, AT(out.ring),
	  .help = "ila, dump: keep the last N samples, as a ring" },
	{ OUTPUT, .letter = 'o', .name = "output", .kind = OPTION_FILE, .arg = "FILE", AT(out.file),
	  .help = "write to FILE" },
	{ OUTPUT, .letter = 'q', .name = "quiet", AT(quiet),
	  .help = "no summary; faults are still listed" },

	OPTION_ROWS_ABOUT(ABOUT),
};

const struct option_table nfagen_options = {
	.tool = "nfagen",
	.forms = forms,
	.about = "Generates traffic of the ECI link that follows the coherence protocol.",
	.groups = groups,
	OPTION_ROWS_OF(rows),
};

static int wrong_use(const char *what, const char *arg)
{
	return cli_wrong_use("nfagen", what, arg);
}

/* Checks that no option was given that is not for the model. given[i]: row i was used. Returns
 * OPTION_GO_ON or an exit code. */
static int check_model(const struct nfagen_options *o, const bool *given)
{
	enum { LINK = 1 << MODEL_COHERENCE | 1 << MODEL_BUSY, MISSES = 1 << MODEL_MISSES,
	       RANDOM = 1 << MODEL_BLOCKS, STREAMS = 1 << MODEL_STREAMS,
	       OF_RULES = 1 << MODEL_RULES };
	/* Options that are for some models only, and a bit for each of these models. */
	static const struct {
		const char *name;
		uint32_t models;
	} some[] = {
		{ "length", LINK | RANDOM | STREAMS | OF_RULES },
		{ "messages", LINK | RANDOM | STREAMS | OF_RULES }, { "rules", OF_RULES },
		{ "protocol", LINK | RANDOM | STREAMS | MISSES },
		{ "drain", LINK }, { "lines", LINK | RANDOM | OF_RULES }, { "rate", LINK | RANDOM },
		{ "messages-per-batch", LINK }, { "mix", LINK }, { "crossing", LINK },
		{ "io", LINK }, { "shared-loads", LINK | MISSES }, { "plain", LINK | MISSES },
		{ "busy", LINK }, { "fault", LINK | RANDOM | OF_RULES }, { "lookups", MISSES },
		{ "keys", MISSES }, { "flush", MISSES }, { "truth", MISSES },
		{ "idle", RANDOM | STREAMS }, { "cores", STREAMS }, { "rounds", STREAMS },
		{ "cpu-home", 1 << MODEL_COHERENCE }, { "slice", 1 << MODEL_COHERENCE },
		{ "merge", 1 << MODEL_COHERENCE },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		for (size_t k = 0; given[i] && k < sizeof some / sizeof some[0]; k++) {
			char what[64];
			if (strcmp(rows[i].name, some[k].name) != 0 ||
			    (some[k].models >> o->model & 1) != 0)
				continue;
			snprintf(what, sizeof what, "--%s is not for the model", some[k].name);
			return wrong_use(what, model_names(o->model).name);
		}
	return OPTION_GO_ON;
}

static bool is_given(const bool *given, const char *name)
{
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (given[i] && strcmp(rows[i].name, name) == 0)
			return true;
	return false;
}

/* Sets what is not given and has another default for models of blocks, and checks what they can't
 * do. Returns OPTION_GO_ON or an exit code. */
static int check_blocks(struct nfagen_options *o, const bool *given)
{
	const char *model = model_names(o->model).name;

	if (!is_given(given, "protocol"))
		o->protocol = "eci-block";
	if (o->model == MODEL_BLOCKS && strcmp(o->protocol, "eci-block") != 0)
		return wrong_use("only --protocol eci-block is for the model", model);
	if (o->out.format == NFART_FORMAT_ILA || o->out.format == NFART_FORMAT_DUMP)
		return wrong_use("the formats ila and dump are not for the model", model);
	if (o->model == MODEL_STREAMS) {
		if (!o->end.in_batches && !o->gen.fault.by_message)
			o->end.length = UINT64_MAX;
		if (!is_given(given, "base"))
			o->gen.lines.first = 0;
		o->gen.lines.n = o->blocks.cores * STREAM_LINES;
	}
	return OPTION_GO_ON;
}

/* Is a fault of this kind for the model? */
static bool has_fault(enum nfagen_model model, enum gen_fault_kind kind)
{
	bool of_blocks = kind == GEN_LOST_BLOCK || kind == GEN_CREDIT_OVERRUN;
	bool of_rules = kind == GEN_DROPPED || kind == GEN_DOUBLED || kind == GEN_REPLACED;

	return of_blocks == (model == MODEL_BLOCKS) && of_rules == (model == MODEL_RULES);
}

/* Checks options that depend on each other, and computes values that depend on several options.
 * Returns OPTION_GO_ON or an exit code. */
static int nfagen_check(struct nfagen_options *o)
{
	bool samples = o->out.format == NFART_FORMAT_ILA || o->out.format == NFART_FORMAT_DUMP;

	if (o->model == MODEL_MISSES)
		o->gen.lines.n = GEN_TREE_LINES;
	if (o->end.in_batches && o->gen.fault.by_message)
		return wrong_use("--length and --messages both say how long the trace is: give one",
				 NULL);
	if ((o->gen.lines.first + o->gen.lines.n * (o->gen.lines.slice == GEN_BOTH ? 1 : 2)) *
		    NFAGEN_LINE_BYTES >
	    ADDRESS_END)
		return wrong_use("the last line has an address above 2^40: --base or --lines is "
				 "too large", NULL);
	if (o->gen.lines.cpu_home > o->gen.lines.n)
		return wrong_use("--cpu-home counts lines of --lines, which are fewer", NULL);
	if (o->gen.lines.cpu_home != 0 && samples)
		return wrong_use("--cpu-home has messages that this format can't hold:",
				 nfart_format_name(o->out.format));
	if (o->out.payload_bits % 64 != 0)
		return wrong_use("--payload is a multiple of 64", NULL);
	if (o->out.payload_bits != 0 && samples)
		return wrong_use("--payload is not for the format", nfart_format_name(o->out.format));
	if (o->out.ring != 0 && !samples)
		return wrong_use("--ring is for the formats ila and dump", NULL);
	if (o->model == MODEL_RULES && samples)
		return wrong_use("the model rules has messages that this format can't hold:",
				 nfart_format_name(o->out.format));
	if (o->model == MODEL_RULES && o->rules == NULL)
		return wrong_use("the model rules needs an image: --rules IMAGE", NULL);
	if (o->model == MODEL_BUSY && samples)
		return wrong_use("--busy has messages that this format can't hold:",
				 nfart_format_name(o->out.format));
	if (o->model == MODEL_BUSY && o->gen.fault.n > 0)
		return wrong_use("--busy follows no protocol: no faults", NULL);
	if (o->truth != NULL && strcmp(o->truth, o->out.file != NULL ? o->out.file : "-") == 0)
		return wrong_use("--truth and --output name the same file:", o->truth);
	o->misses.seed = o->gen.seed;
	o->misses.first_line = o->gen.lines.first;
	o->misses.plain = o->gen.plain;
	o->misses.shared_loads = o->gen.shared_loads;
	o->gen.mix.sync_only = samples;
	o->gen.fault.list = o->faults;
	for (uint32_t i = 0; i < o->gen.fault.n; i++) {
		if (!has_fault(o->model, o->faults[i].kind))
			return wrong_use("the model has no such fault:",
					 gen_fault_name(o->faults[i].kind));
		if (o->percent[i])
			o->faults[i].at = o->end.length * o->faults[i].at / 100;
	}
	return OPTION_GO_ON;
}

int nfagen_options_parse(struct nfagen_options *o, int argc, char **argv)
{
	bool given[sizeof rows / sizeof rows[0]] = {false};
	int first, code;

	if (argc < 2)
		return option_no_arguments(&nfagen_options);
	*o = (struct nfagen_options){
		.gen = {.seed = 1, .lines.first = 0x8080 / NFAGEN_LINE_BYTES, .lines.n = 16,
			.rate = ONE / 50, .mix.crossing = 5},
		.misses = {.flush = ONE / 8, .lookups = 2048, .keys = 1},
		.blocks.cores = STREAM_CORES, .blocks.rounds = 20,
		.protocol = "eci", .out.format = NFART_FORMAT_TEXT, .end.length = 1000,
	};
	memcpy(o->gen.mix.weights, mixes[0].weights, sizeof mixes[0].weights);
	code = option_parse(&nfagen_options, argc, argv, o, given, &first);
	if (code == OPTION_GO_ON && first < argc)
		return wrong_use("no argument is expected:", argv[first]);
	if (o->busy && o->model == MODEL_COHERENCE)
		o->model = MODEL_BUSY;
	if (o->rules != NULL && o->model == MODEL_COHERENCE)
		o->model = MODEL_RULES;
	if (code == OPTION_GO_ON)
		code = check_model(o, given);
	if (code == OPTION_GO_ON && (o->model == MODEL_BLOCKS || o->model == MODEL_STREAMS))
		code = check_blocks(o, given);
	return code == OPTION_GO_ON ? nfagen_check(o) : code;
}
