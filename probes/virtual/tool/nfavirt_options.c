/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/tool/nfavirt_options.h"

#include <string.h>

#include "support/cli.h"

enum {
	BOARD_CACHE_KIB = 1024,
	LEAST_CACHE_KIB = 4,
	L1_SHARE = 8, /* a first-level cache has at most this fraction of the second level */
	MOST_CACHE_KIB = 65536,
	USUAL_ACCESSES = 100000,
	USUAL_AFTER = 1000,
	MOST_LATENCY = 1000,
	LINES_PER_KIB = 1024 / VIRT_LINE_BYTES
};

static struct option_value emits(size_t i)
{
	static const struct option_value values[] = {
		{ "counts", "what the front end did, and how much of it was right" },
		{ "snoops", "a line for each read: time, kind, addresses, cause, verdict, name" },
		{ "records", "the records of the Logger, 16 bytes each" },
		{ "trace", "a compact trace for nfarun, of the protocol made from --elf" },
		{ "protocol", "the protocol made from --elf" },
		{ "ranges",
		  "writes to registers of virt_messages in Verilog, which then makes the same "
		  "messages" },
		{ "overhead", "a table of misses and invalidations for several settings" },
		{ NULL, NULL }
	};

	return values[i];
}

static struct option_value buses(size_t i)
{
	static const struct option_value values[] = {
		{ "none", "TRACE has the accesses of a program" },
		{ "ace", "an ACE port, by the taps of protocol ace-front" },
		{ "eci", "a port on a link of ECI, by the taps of protocol eci-front" },
		{ NULL, NULL }
	};

	return values[i];
}

static int take_pgd(const struct option_given *g)
{
	struct nfavirt_options *o = g->options;

	o->pgd_given = true;
	return cli_number(g->value, 0, &o->pgd, NULL) && o->pgd >> VIRT_PA_BITS == 0 &&
			       o->pgd % (1 << VIRT_PAGE_BITS) == 0
		       ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_asid(const struct option_given *g)
{
	struct nfavirt_options *o = g->options;
	uint64_t asid;

	if (!cli_number(g->value, 0, &asid, NULL) || asid > UINT16_MAX)
		return OPTION_WRONG;
	o->asid_given = true;
	o->asid = (uint32_t)asid;
	return OPTION_GO_ON;
}

/* Adds a file of the process that was named last. A base before all files is the first one's. */
static int take_elf(const struct option_given *g)
{
	struct nfavirt_options *o = g->options;

	if (o->nimages == IMAGES_MOST)
		return OPTION_WRONG;
	o->image[o->nimages] = (struct image){
		.path = g->value,
		.process = o->nprocesses == 0 ? 0 : o->nprocesses - 1,
		.base_given = o->nimages == 0 && o->base_given,
		.base = o->base,
	};
	o->early |= o->nprocesses == 0;
	o->nimages++;
	return OPTION_GO_ON;
}

static int take_protocol(const struct option_given *g)
{
	struct nfavirt_options *o = g->options;

	o->emit = EMIT_PROTOCOL;
	return take_elf(g);
}

/* Takes where the last file was loaded. */
static int take_base(const struct option_given *g)
{
	struct nfavirt_options *o = g->options;
	struct image *last = o->nimages == 0 ? NULL : &o->image[o->nimages - 1];
	uint64_t base;

	if (!cli_number(g->value, 0, &base, NULL) || base >> VIRT_VA_BITS != 0)
		return OPTION_WRONG;
	if (last == NULL) {
		o->base_given = true;
		o->base = base;
	} else {
		last->base_given = true;
		last->base = base;
	}
	return OPTION_GO_ON;
}

static bool is_name(const char *name)
{
	static const char with[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	size_t n = strspn(name, with);

	return strspn(name, "0123456789") == 0 && n > 0 && name[n] == 0;
}

/* The files behind it are of this process. */
static int take_process(const struct option_given *g)
{
	struct nfavirt_options *o = g->options;

	if (o->nprocesses == IMAGES_MOST_PROCESSES || !is_name(g->value))
		return OPTION_WRONG;
	for (size_t i = 0; i < o->nprocesses; i++)
		if (strcmp(o->process[i], g->value) == 0)
			return OPTION_WRONG;
	o->process[o->nprocesses++] = g->value;
	return OPTION_GO_ON;
}

/* Takes a name that the filter language accepts as the name of a protocol. */
static int take_name(const struct option_given *g)
{
	struct nfavirt_options *o = g->options;

	o->name = g->value;
	return is_name(g->value) ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_range(const struct option_given *g)
{
	struct nfavirt_options *o = g->options;
	const char *rest;

	return cli_number(g->value, '-', &o->sys.tracing.start, &rest) &&
			       cli_number(rest, 0, &o->sys.tracing.end, NULL) &&
			       o->sys.tracing.start < o->sys.tracing.end &&
			       o->sys.tracing.end >> VIRT_VA_BITS == 0
		       ? OPTION_GO_ON : OPTION_WRONG;
}

static int take_point(const struct option_given *g)
{
	struct nfavirt_options *o = g->options;

	if (o->sys.tracing.npoints == VIRT_POINTS)
		return OPTION_WRONG;
	o->observe[o->sys.tracing.npoints++] = g->value;
	return OPTION_GO_ON;
}

static int take_slots(const struct option_given *g)
{
	struct nfavirt_options *o = g->options;
	uint64_t code, data;
	const char *rest;

	if (!cli_number(g->value, ',', &code, &rest) || !cli_number(rest, 0, &data, NULL) ||
	    code < 1 || code > SYMBOL_MOST_SLOTS || data < 1 || data > SYMBOL_MOST_SLOTS)
		return OPTION_WRONG;
	o->slots = (struct symbol_slots){ code, data };
	return OPTION_GO_ON;
}

static int take_entries(const struct option_given *g)
{
	struct nfavirt_options *o = g->options;
	uint64_t n;

	if (!cli_number(g->value, 0, &n, NULL) || n < VIRT_WAYS || n > VIRT_ENTRIES ||
	    (n & (n - 1)) != 0)
		return OPTION_WRONG;
	o->sys.tracing.rtlb_entries = (unsigned)n;
	return OPTION_GO_ON;
}

enum { SYSTEM, FRONT, BUS, PROGRAM, WRITING, ABOUT };

static const char *const groups[] = { "System",  "Front end", "Bus", "Program",
				      "Writing", "About" };

static const struct option_form forms[] = {
	{ "[options] [TRACE] [-o FILE]", 1 << SYSTEM | 1 << FRONT | 1 << PROGRAM },
	{ "--bus BUS [options] TRACE [-o FILE]", 1 << BUS },
	{ "--protocol ELF [--name NAME] [-o FILE]", 0 },
	{ NULL, 0 }
};

#define AT(field) OPTION_AT(struct nfavirt_options, field)

static const struct option_row rows[] = {
	{ SYSTEM, .name = "seed", .kind = OPTION_NUMBER, .arg = "N", AT(sys.seed), .usual = "1",
	  .help = "seed of all random numbers" },
	{ SYSTEM, .letter = 'n', .name = "accesses", .kind = OPTION_NUMBER, .arg = "N",
	  .least = 1, .most = 100000000, AT(accesses), .usual = "100000",
	  .help = "without TRACE: number of accesses of each of the program's two threads" },
	{ SYSTEM, .name = "pages", .kind = OPTION_NUMBER, .arg = "N", .least = 4, .most = 4096,
	  AT(sys.synthetic.pages), .usual = "256",
	  .help = "without TRACE: number of pages of each thread" },
	{ SYSTEM, .name = "cores", .kind = OPTION_NUMBER, .arg = "N", .least = 1,
	  .most = SYS_CORES, AT(sys.machine.cores), .usual = "4", .help = "number of cores" },
	{ SYSTEM, .name = "levels", .kind = OPTION_NUMBER, .arg = "N", .least = 3, .most = 4,
	  AT(sys.machine.levels), .usual = "4", .help = "number of levels of the page tables" },
	{ SYSTEM, .name = "cache", .kind = OPTION_NUMBER, .arg = "KIB", .least = LEAST_CACHE_KIB,
	  .most = MOST_CACHE_KIB, AT(cache_kib), .usual = "1024",
	  .help = "size of the second-level cache in KiB, a power of two; a first-level cache has "
		  "32 KiB, but at most an eighth of this size" },
	{ SYSTEM, .name = "latency", .kind = OPTION_NUMBER, .arg = "N", .most = MOST_LATENCY,
	  AT(sys.machine.latency), .usual = "0",
	  .help = "an invalidation takes up to N steps, in which the cores go on" },
	{ SYSTEM, .name = "migrate", .kind = OPTION_NUMBER, .arg = "N", AT(sys.tasks.migrate),
	  .usual = "0", .help = "about every N accesses, a page moves to another frame; 0: never" },
	{ SYSTEM, .name = "unmap", .kind = OPTION_NUMBER, .arg = "N", AT(sys.tasks.unmap),
	  .usual = "0", .help = "about every N accesses, a page is unmapped; 0: never" },
	{ SYSTEM, .name = "fork", .kind = OPTION_NUMBER, .arg = "N", AT(sys.tasks.fork),
	  .usual = "0",
	  .help = "about every N accesses, a child process begins or ends; 0: never" },
	{ SYSTEM, .name = "move", .kind = OPTION_NUMBER, .arg = "N", AT(move), .usual = "0",
	  .help = "with TRACE: every N accesses, the program moves to the next core; 0: never" },

	{ FRONT, .name = "range", .kind = OPTION_TEXT, .arg = "A-B", .take = take_range,
	  .takes = "two addresses, A-B, A below B", .usual = "all",
	  .help = "give virtual addresses only to reads from A to B, without B" },
	{ FRONT, .name = "after", .kind = OPTION_NUMBER, .arg = "N", AT(after), .usual = "1000",
	  .help = "tracing begins after N accesses" },
	{ FRONT, .name = "observe", .kind = OPTION_TEXT, .arg = "PLACE", .take = take_point,
	  .repeats = true, .takes = "an address or a name of --elf, at most 16 times",
	  .help = "make a line an observation point; PLACE is an address in it, or a function or "
		  "object that begins in it; a function has one message a call" },
	{ FRONT, .name = "entries", .kind = OPTION_NUMBER, .arg = "N", .take = take_entries,
	  .takes = "a power of two from 4 to 512", .usual = "512",
	  .help = "number of entries of the reverse TLB" },
	{ FRONT, .name = "as-published", AT(sys.tracing.published),
	  .help = "work as the design was published: do not clean table lines again, and do not "
		  "listen to TLB invalidations" },

	{ BUS, .name = "bus", .kind = OPTION_CHOICE, .arg = "BUS", .value = buses, AT(bus),
	  .usual = "none",
	  .help = "TRACE is a waveform of the port of a front end, or what its taps have made of "
		  "one; the front end here does the same again" },
	{ BUS, .name = "pgd", .kind = OPTION_NUMBER, .arg = "ADDR", .take = take_pgd,
	  .takes = "the physical address of a page",
	  .help = "root of the page tables, if the waveform has no writes to registers" },
	{ BUS, .name = "asid", .kind = OPTION_NUMBER, .arg = "N", .take = take_asid,
	  .takes = "a number from 0 to 65535", .usual = "0",
	  .help = "number of the address space, with --pgd" },
	TRACE_ROWS_WAVE(BUS, 0, struct nfavirt_options, wave),

	{ PROGRAM, .name = "elf", .kind = OPTION_FILE, .arg = "ELF", .take = take_elf,
	  .repeats = true, .takes = "a file, at most 64 times",
	  .help = "the program of TRACE, and the shared libraries it uses; their functions and "
		  "objects give names to addresses" },
	{ PROGRAM, .name = "base", .kind = OPTION_NUMBER, .arg = "ADDR", .take = take_base,
	  .repeats = true, .usual = "0x108000 for a program, as valgrind does",
	  .help = "the address at which the ELF in front was loaded, if it can be loaded "
		  "anywhere" },
	{ PROGRAM, .name = "process", .kind = OPTION_TEXT, .arg = "NAME", .take = take_process,
	  .repeats = true, .takes = "a name of its own, at most 16 times",
	  .help = "each --elf behind it, up to the next --process, is of this process" },
	{ PROGRAM, .name = "traced", .kind = OPTION_TEXT, .arg = "NAME", AT(traced),
	  .usual = "the first one", .help = "the process of TRACE and of --emit=ranges" },
	{ PROGRAM, .name = "name", .kind = OPTION_TEXT, .arg = "NAME",
	  .take = take_name, .takes = "letters, digits and underscores, no digit first",
	  .usual = "program", .help = "name of the protocol" },
	{ PROGRAM, .name = "slots", .kind = OPTION_TEXT, .arg = "C,D", .take = take_slots,
	  .takes = "two numbers from 1 to 32, C,D", .usual = "as many as the names need",
	  .help = "the protocol has at least C slots for code and D for data, so that several "
		  "programs can use the same hardware" },
	{ PROGRAM, .name = "ranges", .kind = OPTION_NUMBER, .arg = "N", .least = 2,
	  .most = VIRT_MASK(MSG_CTRL, RANGES), AT(ranges), .usual = "512",
	  .help = "number of ranges of lines that virt_messages has room for" },

	{ WRITING, .name = "emit", .kind = OPTION_CHOICE, .arg = "WHAT", .value = emits, AT(emit),
	  .usual = "counts", .help = "what is written" },
	{ WRITING, .name = "protocol", .kind = OPTION_FILE, .arg = "ELF",
	  .take = take_protocol, .help = "the same as --elf ELF --emit=protocol" },
	{ WRITING, .letter = 'o', .name = "output", .kind = OPTION_FILE, .arg = "FILE", AT(out),
	  .usual = "standard output", .help = "write to FILE" },

	OPTION_ROWS_ABOUT(ABOUT),
};

const struct option_table nfavirt_options = {
	.tool = "nfavirt",
	.forms = forms,
	.about =
		"Models a front end that gives snoops their virtual addresses, and compares these with "
		"the truth.",
	.groups = groups,
	OPTION_ROWS_OF(rows),
};

/* Checks that each file has its process, and the traced one its name. */
static int check_processes(struct nfavirt_options *o)
{
	const bool traces = o->traced != NULL;

	o->traced_process = 0;
	while (traces && o->traced_process < o->nprocesses &&
	       strcmp(o->process[o->traced_process], o->traced) != 0)
		o->traced_process++;
	if (traces && o->traced_process == o->nprocesses)
		return cli_wrong_use("nfavirt", "--traced: there is no --process of this name:",
				     o->traced);
	if (o->nprocesses > 0 && o->early)
		return cli_wrong_use("nfavirt", "a file stands before the first --process:",
				     o->image[0].path);
	return OPTION_GO_ON;
}

/* Checks the options that are of a bus. */
static int check_bus(const struct nfavirt_options *o)
{
	const struct trace_wave *w = &o->wave;
	const bool of_bus = o->pgd_given || o->asid_given || w->at.n > 0 || w->signals.n > 0 ||
			    w->options.end || w->options.wave_time;

	if (o->bus == BUS_NONE && of_bus)
		return cli_wrong_use("nfavirt",
				     "--pgd, --asid, --at, --signal, --end and --time need --bus",
				     NULL);
	if (o->asid_given && !o->pgd_given)
		return cli_wrong_use("nfavirt", "--asid needs --pgd", NULL);
	if (o->bus != BUS_NONE && o->trace == NULL)
		return cli_wrong_use("nfavirt", "--bus needs TRACE", NULL);
	if (o->bus != BUS_NONE && o->emit == EMIT_OVERHEAD)
		return cli_wrong_use("nfavirt", "--emit=overhead is not of a bus", NULL);
	return OPTION_GO_ON;
}

int nfavirt_options_parse(struct nfavirt_options *o, int argc, char **argv)
{
	int first, code;

	if (argc < 2)
		return option_no_arguments(&nfavirt_options);
	*o = (struct nfavirt_options){ .name = "program", .accesses = USUAL_ACCESSES,
				       .after = USUAL_AFTER, .ranges = VIRT_RANGES,
				       .cache_kib = BOARD_CACHE_KIB, .sys = sys_options_board() };
	o->sys.machine.levels = 4;
	o->sys.tracing.end = UINT64_C(1) << 47;
	code = option_parse(&nfavirt_options, argc, argv, o, NULL, &first);
	if (code != OPTION_GO_ON)
		return code;
	if (argc - first > 1)
		return cli_wrong_use("nfavirt", "too many arguments:", argv[first + 1]);
	o->trace = argc - first == 1 ? argv[first] : NULL;
	if ((o->cache_kib & (o->cache_kib - 1)) != 0)
		return cli_wrong_use("nfavirt", "--cache: the size is not a power of two", NULL);
	if ((o->emit == EMIT_TRACE || o->emit == EMIT_PROTOCOL || o->emit == EMIT_RANGES) &&
	    o->nimages == 0)
		return cli_wrong_use("nfavirt", "this --emit needs the program (--elf ELF)", NULL);
	code = check_bus(o);
	if (code == OPTION_GO_ON)
		code = check_processes(o);
	if (code != OPTION_GO_ON)
		return code;
	if (o->trace == NULL && o->sys.machine.cores < 2)
		return cli_wrong_use("nfavirt",
				     "without TRACE at least two cores are needed (--cores)", NULL);
	o->sys.machine.l2_lines = o->cache_kib * LINES_PER_KIB;
	if (o->sys.machine.l2_lines / L1_SHARE < o->sys.machine.l1_lines)
		o->sys.machine.l1_lines = o->sys.machine.l2_lines / L1_SHARE;
	return OPTION_GO_ON;
}
