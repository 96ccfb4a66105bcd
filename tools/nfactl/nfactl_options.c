/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "tools/nfactl/nfactl_options.h"

#include "runtime/device/driver.h"
#include "runtime/trace/trace_options.h"
#include "support/cli.h"

enum { USUAL_MS = 2000, MOST_MS = 3600000, USUAL_BATCHES = 1000, MOST_BATCHES = 1000000,
       USUAL_RING = 65536 };

static int wrong_use(const char *what, const char *arg)
{
	return cli_wrong_use("nfactl", what, arg);
}

/* ---- values ---- */

/* The commands in the order of enum nfactl_what. */
static const struct {
	const char *name, *operand, *about;
} commands[] = {
	{ "probe", NULL, "what engine there is, and what state it is in" },
	{ "status", NULL, "the bits of the register STATUS" },
	{ "counts", NULL, "batches and messages that were seen, output and lost" },
	{ "load", "IMAGE", "load an image; with a shadow it is staged while the engine is armed" },
	{ "arm", NULL, "begin a stream" },
	{ "stop", NULL, "end the stream, and wait until the last record has left" },
	{ "swap", "IMAGE", "load an image into the shadow, and let it take over" },
	{ "reset", NULL, "everything but the image as after power-up" },
	{ "stream", NULL, "read the output until the stream ends, or a signal comes" },
	{ "inject", "TRACE", "put the batches of a trace at the tap of a simulated engine" },
	{ "selftest", NULL, "test registers; with --image loader and stream, too" },
	{ "interrupt", NULL, "wait for an interrupt, and print how many there were" },
	{ "serve", "PATH", "let other processes use the device through a socket" },
	{ "ring", NULL, "records go to a ring in memory from now on, and stream reads them there" },
};

enum { NCOMMANDS = sizeof commands / sizeof commands[0] };

static struct option_value transports(size_t i)
{
	const char *form = NULL, *about = NULL;

	device_transport_about(i, &form, &about);
	return (struct option_value){ form, about };
}

static struct option_value command_names(size_t i)
{
	if (i >= NCOMMANDS)
		return (struct option_value){ NULL, NULL };
	return (struct option_value){ commands[i].name, commands[i].about };
}

/* ---- handlers ---- */

static int take_to(const struct option_given *g)
{
	struct nfactl_options *o = g->options;

	return nfart_format_parse(g->value, &o->output.form) ? OPTION_GO_ON : OPTION_WRONG;
}

/* Prints two columns below --help: all devices, or all commands. */
static void print_list(struct buf *b, const char *head, struct option_value (*value)(size_t i))
{
	buf_addf(b, "%s:\n", head);
	for (size_t i = 0; value(i).name != NULL; i++)
		buf_addf(b, "  %s\n      %s\n", value(i).name, value(i).help);
}

static int take_list(const struct option_given *g)
{
	struct buf b = { 0 };
	int code;

	(void)g;
	print_list(&b, "devices", transports);
	print_list(&b, "commands", command_names);
	code = b.failed ? NFART_SYSTEM : cli_print("nfactl", b.at, b.n);
	buf_free(&b);
	return code;
}

/* ---- the table ---- */

enum { DEVICES, STREAMS, ABOUT };

static const char *const groups[] = { "The device", "Streams and tests", "About" };

static const struct option_form forms[] = {
	{ "[options] DEVICE COMMAND [OPERAND] ...", 1 << DEVICES | 1 << STREAMS },
	{ NULL, 0 }
};

#define AT(field) OPTION_AT(struct nfactl_options, field)

static const struct option_row rows[] = {
	{ DEVICES, .name = "list", .take = take_list,
	  .help = "list the kinds of devices, and the commands" },
	{ DEVICES, .name = "timeout", .kind = OPTION_NUMBER, .arg = "MS", .least = 1,
	  .most = MOST_MS, AT(open.timeout_ms), .usual = "2000",
	  .help = "the most milliseconds for an access, a wait, or a pause within the output" },
	{ DEVICES, .name = "stream", .kind = OPTION_FILE, .arg = "FILE", AT(open.stream),
	  .help = "read the output there, as bare words, if the device brings none" },

	{ DEVICES, .name = "memory", .kind = OPTION_FILE, .arg = "FILE", AT(open.memory),
	  .help = "read the ring's memory there, and not as the device brings it" },
	{ DEVICES, .name = "memory-at", .kind = OPTION_NUMBER, .arg = "ADDRESS",
	  AT(open.memory_base), .usual = "0",
	  .help = "the address, on the engine's bus, of the first byte of --memory" },

	{ STREAMS, .letter = 'i', .name = "image", .kind = OPTION_FILE, .arg = "IMAGE", AT(image),
	  .usual = "that of load or swap",
	  .help = "the image whose labels and protocol stream, inject and selftest use" },
	{ STREAMS, .name = "on", .kind = OPTION_TEXT, .arg = "LABEL,...", AT(on),
	  .help = "swap: the image takes over after the first batch with one of these labels" },
	{ STREAMS, .name = "by", .kind = OPTION_TEXT, .arg = "WHAT", AT(by),
	  .help = "arm, counts: the histogram is for label, or field=NAME[/BITS], its highest "
		  "bits" },
	{ STREAMS, .letter = 'o', .name = "output", .kind = OPTION_FILE, .arg = "FILE",
	  AT(output.file), .usual = "standard output",
	  .help = "where stream writes; others can follow the file meanwhile" },
	{ STREAMS, .letter = 't', .name = "to", .kind = OPTION_CHOICE, .arg = "FORMAT",
	  .value = trace_formats_written, .take = take_to, .usual = "records",
	  .help = "the form in which stream writes" },
	{ STREAMS, .letter = 'n', .name = "records", .kind = OPTION_NUMBER, .arg = "N",
	  .least = 1, AT(output.records), .help = "end stream after N records" },
	{ STREAMS, .name = "lines", AT(output.lines),
	  .help = "stream names the accepting lines that records name, in place of labels" },
	{ STREAMS, .name = "ring-size", .kind = OPTION_NUMBER, .arg = "BYTES", .least = 4096,
	  AT(ring.bytes), .usual = "65536",
	  .help = "ring: how many bytes of memory it takes, a multiple of 4096" },
	{ STREAMS, .name = "ring-at", .kind = OPTION_NUMBER, .arg = "ADDRESS", AT(ring.at),
	  .usual = "where the memory begins",
	  .help = "ring: its address on the engine's bus, a multiple of 4096" },
	{ STREAMS, .name = "batches", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  .most = MOST_BATCHES, AT(batches), .usual = "1000",
	  .help = "selftest: how many random batches a simulated engine is given" },
	{ STREAMS, .letter = 'q', .name = "quiet", AT(quiet), .help = "print faults only" },

	OPTION_ROWS_ABOUT(ABOUT),
};

const struct option_table nfactl_options = {
	.tool = "nfactl",
	.forms = forms,
	.about = "Drives an engine: probe, status, counts, load IMAGE, arm, stop, swap IMAGE, "
		 "reset, stream, inject TRACE, selftest, interrupt, serve PATH, ring. Several commands "
		 "are carried out in turn, up to the first that fails. A device is written uio:N, "
		 "pci:BDF, xdma:N, mem:ADDRESS, etherbone:HOST:PORT, sim:MODEL or socket:PATH.",
	.groups = groups,
	OPTION_ROWS_OF(rows),
};

/* Finds the command of a word, and takes its operand. Returns how many words that took; 0: it is
 * wrong, which was reported. */
static int take_command(struct nfactl_options *o, char **words, int n)
{
	int i = option_choice(command_names, words[0]);
	struct nfactl_command *c = &o->commands[o->n];

	if (i < 0) {
		wrong_use("no such command ('nfactl --list' lists all):", words[0]);
		return 0;
	}
	if (o->n == NFACTL_COMMANDS) {
		wrong_use("too many commands:", words[0]);
		return 0;
	}
	if (commands[i].operand != NULL && n < 2) {
		wrong_use(commands[i].operand[0] == 'I' ? "an image is expected after" :
			  commands[i].operand[0] == 'T' ? "a trace is expected after" :
			  "a path is expected after", words[0]);
		return 0;
	}
	c->what = (enum nfactl_what)i;
	c->operand = commands[i].operand != NULL ? words[1] : NULL;
	o->n++;
	return c->operand != NULL ? 2 : 1;
}

/* Is one of these two commands given? */
static bool has_command(const struct nfactl_options *o, enum nfactl_what one,
			enum nfactl_what other)
{
	for (size_t i = 0; i < o->n; i++)
		if (o->commands[i].what == one || o->commands[i].what == other)
			return true;
	return false;
}

int nfactl_options_parse(struct nfactl_options *o, int argc, char **argv)
{
	int first, code;

	*o = (struct nfactl_options){ .open.timeout_ms = USUAL_MS, .batches = USUAL_BATCHES,
				      .open.memory_base = DRIVER_RING_ANYWHERE,
				      .ring = { DRIVER_RING_ANYWHERE, USUAL_RING },
				      .output.form = NFART_FORMAT_RECORDS };
	if (argc == 1)
		return option_no_arguments(&nfactl_options);
	code = option_parse(&nfactl_options, argc, argv, o, NULL, &first);
	if (code != OPTION_GO_ON)
		return code;
	if (argc - first < 2)
		return wrong_use(first == argc ? "a device and a command are expected" :
				 "a command is expected after", first == argc ? NULL : argv[first]);
	/* The engine writes there, so it must have been said by somebody. */
	if (o->open.memory != NULL && o->open.memory_base == DRIVER_RING_ANYWHERE &&
	    o->ring.at == DRIVER_RING_ANYWHERE)
		return wrong_use("--memory needs --memory-at or --ring-at: where the ring may be",
				 NULL);
	if (o->open.memory == NULL && o->open.memory_base != DRIVER_RING_ANYWHERE)
		return wrong_use("--memory-at is for --memory", NULL);
	if (o->open.memory_base == DRIVER_RING_ANYWHERE)
		o->open.memory_base = 0;
	o->device = argv[first++];
	while (first < argc) {
		int words = take_command(o, argv + first, argc - first);
		if (words == 0)
			return NFART_USAGE;
		first += words;
	}
	if (o->by != NULL && !has_command(o, NFACTL_ARM, NFACTL_COUNTS))
		return wrong_use("--by is for arm and counts", NULL);
	if (o->on != NULL && !has_command(o, NFACTL_SWAP, NFACTL_SWAP))
		return wrong_use("--on is for swap", NULL);
	return OPTION_GO_ON;
}
