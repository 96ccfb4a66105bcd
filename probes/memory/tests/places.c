/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * Ranges, and blocks that are allocated and freed, are compared with an array. It has an element
 * for each address, or for each 16 addresses. Lines are compared with what an invented program did.
 * Its functions and variables are those of this test.
 */
/* Comes first: it asks the C library for functions beyond POSIX. */
#include "config.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "probes/memory/reader/lines.h"
#include "probes/memory/reader/memory.h"
#include "probes/memory/reader/ranges.h"
#include "probes/memory/tests/random.h"
#include "testsuite/setting.h"
#include "testsuite/unit/tap.h"

/* ---- ranges ---- */

enum { ADDRESSES = 200 };

static bool play_ranges(uint64_t seed)
{
	struct ranges r = { 0 };
	uint32_t wanted[ADDRESSES] = { 0 };
	bool fine = true;

	random_state = seed * 2 + 1;
	for (uint32_t step = 1; step < 500 && fine; step++) {
		uint64_t at = random_below(ADDRESSES), end = at + random_below(ADDRESSES - at);
		bool add = random_below(2) == 0 && end > at;

		fine = add ? ranges_add(&r, at, end, step) : ranges_remove(&r, at, end);
		for (uint64_t i = at; i < end; i++)
			wanted[i] = add ? step : 0;
		for (uint64_t i = 0; i < ADDRESSES; i++)
			fine &= ranges_find(&r, i) == wanted[i];
	}
	vec_free(&r);
	return fine;
}

/* ---- blocks ---- */

enum { PAGES = 48, GRAINS = PAGES * 256, MOST_GUESSES = 64 };

static const uint64_t base = 0x600000000000;

/* What a grain belongs to: 0 nothing, else the number of an allocation. */
struct grain {
	uint32_t number;
	bool gone;
};

struct trial {
	struct places *places;
	struct grain grain[GRAINS];
	uint64_t begin[1 << 16], bytes[1 << 16]; /* indexed by the number of the allocation */
	bool mapped[1 << 16];
	const struct place *guess[MOST_GUESSES];
	uint32_t n;
};

static bool is_right(const struct trial *t, const struct place *place, uint64_t at)
{
	const struct grain *g = &t->grain[(at - base) / 16];

	return place != NULL && place->number == g->number && place->gone == g->gone &&
	       place->at == t->begin[g->number];
}

/*
 * Whether places_find() gives the right place for an address, and place_has() the right answer for
 * guesses.
 */
static bool check_place(struct trial *t, uint64_t at)
{
	const struct grain *g = &t->grain[(at - base) / 16];
	const struct place *place = places_find(t->places, at);

	for (unsigned i = 0; i < MOST_GUESSES; i++)
		if (t->guess[i] != NULL && place_has(t->guess[i], at) && !is_right(t, t->guess[i], at))
			return false;
	t->guess[random_below(MOST_GUESSES)] = place;
	return g->number == 0 || is_right(t, place, at);
}

static bool allocate_block(struct trial *t)
{
	bool mapped = random_below(4) == 0;
	uint64_t first = mapped ? random_below(PAGES) * 256 : random_below(GRAINS),
		 at = base + first * 16;
	uint64_t bytes = mapped                  ? (1 + random_below(5)) * 4096
			 : random_below(10) == 0 ? random_below(9000)
						 : random_below(200);
	uint64_t n = bytes == 0 ? 1 : (bytes + 15) / 16;
	const struct place *place;

	if (first + n > GRAINS)
		return true;
	place = places_allocate(t->places, mapped ? PLACE_MMAP : PLACE_MALLOC, at, bytes, 1);
	t->n++;
	t->begin[t->n] = at;
	t->bytes[t->n] = bytes;
	t->mapped[t->n] = mapped;
	for (uint64_t i = first; i < first + n; i++)
		t->grain[i] = (struct grain){ t->n, false };
	return place != NULL && place->number == t->n;
}

static bool release_block(struct trial *t)
{
	uint32_t number = t->grain[random_below(GRAINS)].number;
	const struct place *place;

	if (number == 0 || t->mapped[number] ||
	    t->grain[(t->begin[number] - base) / 16].number != number)
		return true;
	place = places_release(t->places, t->begin[number]);
	for (uint64_t i = 0; i < GRAINS; i++)
		if (t->grain[i].number == number)
			t->grain[i].gone = true;
	return place != NULL && place->number == number && place->gone;
}

static void unmap(struct trial *t)
{
	uint64_t first = random_below(PAGES), n = 1 + random_below(4);

	if (first + n > PAGES)
		return;
	/* Only blocks that fill whole pages are unmapped. */
	for (uint64_t i = first * 256; i < (first + n) * 256; i++)
		if (t->grain[i].number == 0 || t->grain[i].number != t->grain[i / 256 * 256].number ||
		    !t->mapped[t->grain[i].number])
			return;
	places_unmap(t->places, base + first * 4096, n * 4096);
	for (uint64_t i = 0; i < GRAINS; i++) {
		uint32_t number = t->grain[i].number;

		if (i / 256 >= first && i / 256 < first + n && t->mapped[number])
			t->grain[i].gone = true;
	}
}

static bool play_blocks(uint64_t seed)
{
	struct trial *t = calloc(1, sizeof *t);
	struct names *names = names_new();
	bool fine = true;

	random_state = seed * 2 + 1;
	t->places = places_new(names);
	places_region(t->places, base, PAGES * 4096, MEM_HEAP);
	for (int step = 0; step < 4000 && fine; step++) {
		uint64_t what = random_below(10);

		if (what < 4)
			fine = allocate_block(t);
		else if (what < 7)
			fine = release_block(t);
		else if (what == 7)
			unmap(t);
		else if (what == 8)
			places_settle(t->places);
		for (int i = 0; i < 10 && fine; i++)
			fine = check_place(t, base + random_below(PAGES * 4096));
		if (!fine)
			printf("# seed %llu: step %d\n", (unsigned long long)seed, step);
	}
	places_free(t->places);
	names_free(names);
	free(t);
	return fine;
}

/* ---- lines ---- */

/* These are not static, so that no compiler renames them. */
int process_variable[4] = { 1, 2, 3, 4 };
void process_function(void);

/* Notes the module of this test, which is the first one. */
static int first_module(struct dl_phdr_info *info, size_t size, void *ctx)
{
	uint64_t *words = ctx;

	(void)size;
	words[0] = info->dlpi_addr;
	words[1] = UINT64_MAX;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uint64_t low = info->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD)
			continue;
		words[1] = low < words[1] ? low : words[1];
		words[2] = low + p->p_memsz > words[2] ? low + p->p_memsz : words[2];
	}
	return 1;
}

struct writer {
	struct order_sink sink;
	struct mem_channel *channel;
	bool fine;
};

static void place_event(struct writer *w, enum mem_event kind, uint64_t a, uint64_t b, uint64_t c,
			uint64_t d, uint64_t e)
{
	uint64_t words[] = { a, b, c, d, e };

	w->fine &= w->sink.event(w->sink.ctx, 0, kind, words, 5);
}

static void access_by(struct writer *w, uint32_t ring, uint64_t pc, enum mem_kind kind,
		      uint64_t address)
{
	uint32_t number = MEM_SITE_FIRST;
	struct mem_site *sites = mem_sites(w->channel);
	uint64_t word;

	while (sites[number].pc != 0 && (sites[number].pc != pc || sites[number].kind != kind))
		number++;
	sites[number] = (struct mem_site){ .pc = pc, .bytes = 4, .kind = kind & 0x7f };
	word = (uint64_t)number << MEM_ADDRESS_BITS | address;
	w->fine &= w->sink.accesses(w->sink.ctx, ring, &word, 1);
}

/* What the invented program does. `f` is the address of a function of this test. */
static void invent(struct writer *w, uint64_t f)
{
	uint64_t variable = (uint64_t)(uintptr_t)process_variable, block = base + 0x100;

	place_event(w, MEM_REGION, variable, 16, MEM_DATA, 0, 0);
	place_event(w, MEM_REGION, base, 65536, MEM_HEAP, 0, 0);
	place_event(w, MEM_MALLOC, block, 40, f + 9, 0, 0);
	access_by(w, 0, f + 3, MEM_SAVE, block + 8);
	access_by(w, 0, f, MEM_BOTH, variable + 4);
	access_by(w, 2, f + 3, MEM_SAVE, block + 40);
	place_event(w, MEM_COPY, block, variable, 16, f + 20, 0);
	place_event(w, MEM_FILL, block, 0, f + 20, 0, 0);
	place_event(w, MEM_REALLOC, base + 0x200, 80, block, f + 30, 0);
	access_by(w, 0, f + 3, MEM_SAVE, block + 12);
	access_by(w, 0, 0x400123, MEM_LOAD, 0x7ffc12345678);
	place_event(w, MEM_FREE, base + 0x200, f + 40, 0, 0, 0);
	place_event(w, MEM_FREE, base + 0x200, f + 41, 0, 0, 0);
	place_event(w, MEM_MMAP, base + 0x100000, 8192, f + 50, 0, 0);
	place_event(w, MEM_MUNMAP, base + 0x101000, 4096, f + 60, 0, 0);
	access_by(w, 0, f + 3, MEM_LOAD, base + 0x100010);
	access_by(w, 0, f + 3, MEM_LOAD, base + 0x101010);
	place_event(w, MEM_ACCESS, f + 5, base + 0x5000, 300, MEM_LOAD, 0);
}

/* A function that is longer than a call: only its address is used. */
void process_function(void)
{
	__asm__ volatile(".skip 80, 0x90");
}

static const char wanted[] =
	"M$0:<malloc0001@process_function+9>,40\n"
	"S$1:<malloc0001@process_function+9>+8,[heap],process_function+3\n"
	"L$2:process_variable+4,PLACES.data,process_function+0\n"
	"S$3:process_variable+4,PLACES.data,process_function+0\n"
	"S$4:<malloc0001@process_function+9>+40,[heap],process_function+3,T2\n"
	"Y$5:<malloc0001@process_function+9>+0,process_variable+0,16,[heap],process_function+20\n"
	"W$6:<malloc0001@process_function+9>+0,0,[heap],process_function+20\n"
	"R$7:<reallo0002@process_function+30>,80,<freed:0001@process_function+9>\n"
	"S$8:<freed:0001@process_function+9>+12,[heap],process_function+3\n"
	"L$9:0x7ffc12345678,0x400123\n"
	"F$10:<reallo0002@process_function+30>,process_function+40\n"
	"F$11:<freed:0002@process_function+30>,process_function+41\n"
	"P$12:<memmap0003@process_function+50>,8192\n"
	"U$13:<memmap0003@process_function+50>+4096,4096,process_function+60\n"
	"L$14:<memmap0003@process_function+50>+16,[mmap],process_function+3\n"
	"L$15:<unmap:0003@process_function+50>+4112,[mmap],process_function+3\n"
	"L$16:[heap]+20480,300,[heap],process_function+5\n";

/* Replaces the name of this test's file. */
static void rename_module(char *text, const char *name)
{
	char *found;

	while ((found = strstr(text, name)) != NULL) {
		memmove(found + 6, found + strlen(name), strlen(found + strlen(name)) + 1);
		memcpy(found, "PLACES", 6);
	}
}

static void play_lines(struct tap *t, const char *program)
{
	struct mem_channel *c = calloc(1, 8192 + 4096 + MEM_SITES_MAX * sizeof(struct mem_site));
	uint64_t module[4] = { 0, 0, 0, 0 };
	struct memory m;
	struct writer w = { .channel = c, .fine = true };
	struct memory_output output;
	struct nfart_error e = { 0 };
	const char *slash = strrchr(program, '/');
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);
	struct lines *l;

	tap_case(t, memory_init(&m, c, program), "memory");
	m.recording = true;
	l = lines_new(&m, f, LINES_SYMBOLIC);
	output = lines_output(l);
	memory_add_output(&m, &output);
	w.sink = memory_sink(&m);
	dl_iterate_phdr(first_module, module);
	place_event(&w, MEM_MODULE, module[0], module[1], module[2], 0, 0);
	invent(&w, (uint64_t)(uintptr_t)&process_function);
	w.fine &= lines_flush(l, &e);
	fclose(f);
	rename_module(text, slash != NULL ? slash + 1 : program);
	tap_case(t, w.fine && strcmp(text, wanted) == 0, "lines");
	if (strcmp(text, wanted) != 0)
		for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
			printf("# %s\n", line);
	tap_case(t, m.counts.loads == 5 && m.counts.stores == 4 && m.counts.event[MEM_FREE] == 2,
		 "counts");
	lines_free(l);
	memory_free(&m);
	free(text);
	free(c);
}

int main(int argc, char **argv)
{
	struct tap t = { 0, 0 };
	uint64_t seed = setting("NFACC_SEED", 1), n = setting("NFACC_PLACES_SEEDS", 30);
	bool fine = true, fine_ranges = true;

	(void)argc;
	for (uint64_t i = seed; i < seed + n; i++)
		fine &= play_blocks(i);
	for (uint64_t i = seed; i < seed + n; i++)
		fine_ranges &= play_ranges(i);
	tap_case(&t, fine, "blocks that come and go, from seed %llu", (unsigned long long)seed);
	tap_case(&t, fine_ranges, "ranges");
	play_lines(&t, argv[0]);
	return tap_end(&t);
}
