/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfagen/nfagen_options.h"

#include <getopt.h>
#include <string.h>

#include "sources/traffic/gen_ila.h"

enum {
	LINE_BYTES = 128,
	MAX_RATE = 16,
	MAX_WEIGHT = 1000000,
	MAX_CROSSING = 100
};

#define MAX_LENGTH ((uint64_t)1 << 48)
#define ADDRESS_END ((uint64_t)1 << 40)
#define ONE ((uint64_t)1 << 32)

const char nfagen_help[] =
	"Usage: nfagen [options]\n"
	"Generates traffic of the ECI link that follows the coherence protocol.\n"
	"\n"
	"  -n, --length N             batches to generate (1000)\n"
	"      --messages N           stop after N messages instead\n"
	"      --drain                then let what is under way come to its end\n"
	"      --lines N              cache lines that take part (16)\n"
	"      --base ADDR            byte address of the first line (0x8080)\n"
	"      --rate R               mean messages per cycle (0.02)\n"
	"      --messages-per-batch N mean messages in a batch\n"
	"      --seed N               of the random numbers (1)\n"
	"      --mix MIX              weights read:write:evict:upgrade:forward, or balanced,\n"
	"                             read, stream, contended (balanced)\n"
	"      --crossing PERCENT     downgrades and upgrades met by a forward on the way (5)\n"
	"      --io FRACTION          share of I/O and GSYNC transactions (0)\n"
	"      --shared-loads         MREQ_RLDD is answered by MRSP_PSHA\n"
	"      --fault KIND[@WHERE]   lost-ack, double-request, wrong-response, lost-samples or\n"
	"                             never-completed, from batch WHERE or WHERE% on (50%)\n"
	"      --busy                 every slot in every cycle, without any protocol\n"
	"      --plain                headers with nothing but opcode and address\n"
	"      --protocol NAME        eci or eci-coherence (eci)\n"
	"  -f, --format FORMAT        text, records, compact, dense, ila or dump (text)\n"
	"      --ring N               ila, dump: keep the last N samples, as a ring\n"
	"  -o, --output FILE          write to FILE\n"
	"  -q, --quiet                no summary, no progress; faults are still listed\n"
	"  -h, --help                 this text\n"
	"  -V, --version              the version\n";

static const struct {
	const char *name;
	uint32_t weights[GEN_OPS];
} MIXES[] = {
	{"balanced", {4, 2, 3, 1, 1}},
	{"read", {8, 0, 4, 0, 1}},
	{"stream", {1, 6, 6, 1, 1}},
	{"contended", {4, 4, 1, 2, 4}},
};

/* Decimal or 0x, no sign, no blanks, at most `most`. */
static bool parse_number(const char *s, uint64_t most, uint64_t *out)
{
	bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
	uint64_t base = hex ? 16 : 10, x = 0;

	s += hex ? 2 : 0;
	if (*s == 0)
		return false;
	for (; *s != 0; s++) {
		uint64_t digit = *s >= '0' && *s <= '9' ? (uint64_t)(*s - '0')
			       : *s >= 'a' && *s <= 'f' ? (uint64_t)(*s - 'a' + 10)
			       : *s >= 'A' && *s <= 'F' ? (uint64_t)(*s - 'A' + 10) : 16;
		if (digit >= base || x > (most - digit) / base || digit > most)
			return false;
		x = x * base + digit;
	}
	*out = x;
	return true;
}

/* A decimal fraction, in units of 2^-32; digits after the ninth don't count. At most `most`. */
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
	for (size_t i = 0; i < sizeof MIXES / sizeof MIXES[0]; i++)
		if (strcmp(s, MIXES[i].name) == 0) {
			memcpy(weights, MIXES[i].weights, sizeof MIXES[i].weights);
			return true;
		}
	uint32_t total = 0;
	for (int op = 0; op < GEN_OPS; op++) {
		size_t n = strcspn(s, ":");
		char word[16];
		uint64_t x;
		if (n >= sizeof word || (s[n] == ':') != (op + 1 < GEN_OPS))
			return false;
		memcpy(word, s, n);
		word[n] = 0;
		if (!parse_number(word, MAX_WEIGHT, &x))
			return false;
		weights[op] = (uint32_t)x;
		total += weights[op];
		s += n + 1;
	}
	return total > 0;
}

/* KIND, KIND@N or KIND@P%. A percentage stays in `at` until the length is known. */
static bool parse_fault(const char *s, struct nfagen_options *o)
{
	size_t n = strcspn(s, "@");
	struct gen_fault f = {.kind = gen_fault_parse(s, n), .at = 50};
	char word[32];
	bool percent = true;

	if (f.kind == GEN_FAULT_KINDS || o->gen.nfaults == GEN_MAX_FAULTS)
		return false;
	if (s[n] == '@') {
		s += n + 1;
		n = strlen(s);
		if (n == 0 || n >= sizeof word)
			return false;
		memcpy(word, s, n + 1);
		percent = word[n - 1] == '%';
		if (percent)
			word[n - 1] = 0;
		if (!parse_number(word, percent ? 100 : MAX_LENGTH, &f.at))
			return false;
	}
	o->percent[o->gen.nfaults] = percent;
	o->faults[o->gen.nfaults++] = f;
	return true;
}

static bool parse_format(const char *s, enum nfart_format *f)
{
	return nfart_format_parse(s, f) && *f >= NFART_FORMAT_TEXT && *f <= NFART_FORMAT_DUMP;
}

enum { OPT_MESSAGES = 256, OPT_DRAIN, OPT_LINES, OPT_BASE, OPT_RATE, OPT_GATHER, OPT_SEED, OPT_MIX,
       OPT_CROSSING, OPT_IO, OPT_SHARED_LOADS, OPT_FAULT, OPT_BUSY, OPT_PLAIN, OPT_PROTOCOL,
       OPT_RING };

static const struct option LONG[] = {
	{"length", required_argument, NULL, 'n'},
	{"messages", required_argument, NULL, OPT_MESSAGES},
	{"drain", no_argument, NULL, OPT_DRAIN},
	{"lines", required_argument, NULL, OPT_LINES},
	{"base", required_argument, NULL, OPT_BASE},
	{"rate", required_argument, NULL, OPT_RATE},
	{"messages-per-batch", required_argument, NULL, OPT_GATHER},
	{"seed", required_argument, NULL, OPT_SEED},
	{"mix", required_argument, NULL, OPT_MIX},
	{"crossing", required_argument, NULL, OPT_CROSSING},
	{"io", required_argument, NULL, OPT_IO},
	{"shared-loads", no_argument, NULL, OPT_SHARED_LOADS},
	{"fault", required_argument, NULL, OPT_FAULT},
	{"busy", no_argument, NULL, OPT_BUSY},
	{"plain", no_argument, NULL, OPT_PLAIN},
	{"protocol", required_argument, NULL, OPT_PROTOCOL},
	{"format", required_argument, NULL, 'f'},
	{"ring", required_argument, NULL, OPT_RING},
	{"output", required_argument, NULL, 'o'},
	{"quiet", no_argument, NULL, 'q'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};

/* A positive number of at most `most` into a 32-bit field. */
static bool parse_count(const char *s, uint64_t most, uint32_t *out)
{
	uint64_t x = 0;
	bool ok = parse_number(s, most, &x) && x > 0;

	*out = (uint32_t)x;
	return ok;
}

/* The options that take a value. False: a bad value. */
static bool take_value(struct nfagen_options *o, int option, const char *s)
{
	struct gen_options *g = &o->gen;
	uint64_t x = 0;
	bool ok;

	switch (option) {
	case 'n': case OPT_MESSAGES:
		*(option == 'n' ? &o->in_batches : &g->by_message) = true;
		return parse_number(s, MAX_LENGTH, &o->length) && o->length > 0;
	case OPT_LINES:
		return parse_count(s, GEN_MAX_LINES, &g->lines);
	case OPT_BASE:
		ok = parse_number(s, ADDRESS_END - 1, &x);
		g->first_line = x / LINE_BYTES;
		return ok;
	case OPT_RATE:
		return parse_fraction(s, MAX_RATE, &g->rate) && g->rate > 0;
	case OPT_GATHER:
		return parse_count(s, NFART_SLOTS, &g->gather);
	case OPT_SEED:
		return parse_number(s, UINT64_MAX, &g->seed);
	case OPT_MIX:
		return parse_mix(s, g->weights);
	case OPT_CROSSING:
		ok = parse_number(s, MAX_CROSSING, &x);
		g->crossing = (uint32_t)x;
		return ok;
	case OPT_IO:
		return parse_fraction(s, 1, &g->io);
	case OPT_FAULT:
		return parse_fault(s, o);
	case OPT_PROTOCOL:
		o->protocol = s;
		return strcmp(s, "eci") == 0 || strcmp(s, "eci-coherence") == 0;
	case 'f':
		return parse_format(s, &o->format);
	case OPT_RING:
		return parse_count(s, GEN_MAX_RING, &o->ring);
	default:
		o->output = s;
		return true;
	}
}

static void take_flag(struct nfagen_options *o, int option)
{
	switch (option) {
	case OPT_DRAIN:
		o->drain = true;
		break;
	case OPT_SHARED_LOADS:
		o->gen.shared_loads = true;
		break;
	case OPT_BUSY:
		o->busy = true;
		break;
	case OPT_PLAIN:
		o->gen.plain = true;
		break;
	case 'q':
		o->quiet = true;
		break;
	case 'h':
		o->help = true;
		break;
	default:
		o->version = true;
		break;
	}
}

/* What the options say together. */
static enum nfart_status check(struct nfagen_options *o, struct nfart_error *e)
{
	bool samples = o->format == NFART_FORMAT_ILA || o->format == NFART_FORMAT_DUMP;

	if (o->in_batches && o->gen.by_message)
		return nfart_fail(e, NFART_USAGE,
				  "--length and --messages both say how long the trace is: give one");
	if ((o->gen.first_line + o->gen.lines) * LINE_BYTES > ADDRESS_END)
		return nfart_fail(e, NFART_USAGE, "%u lines from there end above address 2^40",
				  o->gen.lines);
	if (o->ring != 0 && !samples)
		return nfart_fail(e, NFART_USAGE, "--ring is for the formats ila and dump");
	if (o->busy && samples)
		return nfart_fail(e, NFART_USAGE, "--busy has messages that %s can't hold",
				  nfart_format_name(o->format));
	if (o->busy && o->gen.nfaults > 0)
		return nfart_fail(e, NFART_USAGE, "--busy follows no protocol: no faults");
	o->gen.sync_only = samples;
	o->gen.faults = o->faults;
	for (uint32_t i = 0; i < o->gen.nfaults; i++)
		if (o->percent[i])
			o->faults[i].at = o->length * o->faults[i].at / 100;
	return NFART_OK;
}

enum nfart_status nfagen_options_read(struct nfagen_options *o, int argc, char **argv,
				      struct nfart_error *e)
{
	*o = (struct nfagen_options){
		.gen = {.seed = 1, .first_line = 0x8080 / LINE_BYTES, .lines = 16,
			.rate = ONE / 50, .crossing = 5},
		.protocol = "eci", .format = NFART_FORMAT_TEXT, .length = 1000,
	};
	memcpy(o->gen.weights, MIXES[0].weights, sizeof MIXES[0].weights);
	opterr = 0;
	for (;;) {
		int index = -1, option = getopt_long(argc, argv, ":n:f:o:qhV", LONG, &index);
		if (option == -1)
			break;
		if (option == ':')
			return nfart_fail(e, NFART_USAGE, "a value is missing after %s",
					  argv[optind - 1]);
		if (option == '?' && optopt > 0 && optopt < 256)
			return nfart_fail(e, NFART_USAGE, "unknown option -%c", optopt);
		if (option == '?')
			return nfart_fail(e, NFART_USAGE, "unknown option %s", argv[optind - 1]);
		char letter[] = {(char)option, 0};
		if (optarg == NULL)
			take_flag(o, option);
		else if (!take_value(o, option, optarg))
			return nfart_fail(e, NFART_USAGE, "bad value '%s' for -%s%s", optarg,
					  index >= 0 ? "-" : "",
					  index >= 0 ? LONG[index].name : letter);
	}
	if (o->help || o->version)
		return NFART_OK;
	if (optind < argc)
		return nfart_fail(e, NFART_USAGE, "no argument is expected: %s", argv[optind]);
	return check(o, e);
}
