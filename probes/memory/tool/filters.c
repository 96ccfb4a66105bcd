/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/memory/tool/filters.h"

#include <stdlib.h>
#include <string.h>

#include "probes/memory/tool/filter_file.h"
#include "support/buf.h"
#include "support/vec.h"

enum { MOST_FILE = 1 << 20 };

/* Puts a file of examples/mem/ into the program, as a string. -Wa,-I names the folder. */
#define SHIPPED(symbol, file)                                                                      \
	__asm__(".pushsection .rodata\n"                                                           \
		".globl " #symbol "\n"                                                             \
		#symbol ":\n"                                                                      \
		".incbin \"" file "\"\n"                                                           \
		".byte 0\n"                                                                        \
		".popsection\n");                                                                  \
	extern const char symbol[] __attribute__((visibility("hidden")))

SHIPPED(filters_use_after_free, "use-after-free.re");
SHIPPED(filters_double_free, "double-free.re");
SHIPPED(filters_beyond, "beyond.re");
SHIPPED(filters_load_before_store, "load-before-store.re");
SHIPPED(filters_order, "order.re");

static const struct filters_check checks[NFAMEM_CHECKS] = {
	[CHECK_USE_AFTER_FREE] = { "use-after-free.re", filters_use_after_free, false, false },
	[CHECK_DOUBLE_FREE] = { "double-free.re", filters_double_free, false, false },
	[CHECK_BEYOND] = { "beyond.re", filters_beyond, false, false },
	[CHECK_UNINITIALISED] = { "load-before-store.re", filters_load_before_store, true, true },
	[CHECK_ORDER] = { "order.re", filters_order, false, true },
};

/*
 * Reads a file of patterns, one a line. A line may be empty, or a comment that begins with '#'.
 */
static enum nfart_status read_suppressions(struct filters *f, const char *path,
					   struct nfart_error *e)
{
	struct buf text = { 0 };
	int error = buf_read_file(&text, path, MOST_FILE);
	char *line, *rest;

	if (error != 0) {
		buf_free(&text);
		return nfart_fail(e, NFART_SYSTEM, "can't read %s: %s", path, strerror(error));
	}
	buf_add(&text, "", 1);
	if (text.failed) {
		buf_free(&text);
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	}
	f->patterns = text.at;
	for (line = strtok_r(f->patterns, "\n", &rest); line != NULL;
	     line = strtok_r(NULL, "\n", &rest)) {
		line += strspn(line, " \t");
		line[strcspn(line, " \t\r")] = 0;
		if (line[0] == 0 || line[0] == '#')
			continue;
		if (f->npatterns == NFAMEM_IGNORED)
			return nfart_fail(e, NFART_INPUT, "%s has more than %d patterns", path,
					  NFAMEM_IGNORED);
		f->pattern[f->npatterns++] = line;
	}
	return NFART_OK;
}

enum nfart_status filters_open(struct filters *f, const struct nfamem_options *o,
			       struct nfart_error *e)
{
	*f = (struct filters){ 0 };
	if (o->checking.suppressions != NULL &&
	    read_suppressions(f, o->checking.suppressions, e) != NFART_OK)
		return e->status;
	if (o->filter != NULL) {
		f->n = 1;
		f->one[0].image = filter_file_open(o->filter, o->colour, e);
		return f->one[0].image != NULL ? NFART_OK : e->status;
	}
	for (unsigned i = 0; i < NFAMEM_CHECKS; i++) {
		struct filters_one *one = &f->one[f->n];

		if (!(o->checking.checks >> i & 1) || checks[i].text == NULL)
			continue;
		f->n++;
		one->check = &checks[i];
		one->image =
			filter_file_compile(one->check->text, one->check->file, o->colour, e);
		if (one->image == NULL)
			return e->status;
	}
	return NFART_OK;
}

/*
 * The part of a pattern that is for a word of --check; NULL: it is not for that word.
 * "WORD:PATTERN" is for that word alone.
 */
static const char *pattern_for(const char *pattern, const char *word)
{
	const char *colon = strchr(pattern, ':');
	size_t n = colon != NULL ? (size_t)(colon - pattern) : 0;

	if (colon == NULL)
		return pattern;
	return strlen(word) == n && memcmp(word, pattern, n) == 0 ? colon + 1 : NULL;
}

/* Pattern i of --ignore, and after those that of the suppressions. */
static const char *pattern_at(const struct filters *f, const struct nfamem_options *o, unsigned i)
{
	return i < o->checking.nignore ? o->checking.ignore[i]
				       : f->pattern[i - o->checking.nignore];
}

static void ignore_pattern(const struct filters_one *one, const char *pattern)
{
	const char *word = one->check != NULL ? nfamem_check_words[one->check - checks] : "";

	pattern = pattern_for(pattern, word);
	if (pattern != NULL)
		matches_ignore(one->matches, pattern);
}

static enum nfart_status begin_one(struct filters *f, struct filters_one *one,
				   const struct nfamem_options *o, struct memory *m,
				   struct findings *w, struct nfart_error *e)
{
	static const char *const library[] = { "libc.so.*", "libc-2.*", "ld-linux*" };
	struct messages **messages = &f->messages[one->check != NULL && one->check->words];

	if (*messages == NULL) {
		struct memory_output output;

		*messages = messages_new(m, nfart_image_proto(one->image), e);
		if (*messages == NULL)
			return e->status;
		output = messages_output(*messages);
		memory_add_output(m, &output);
	}
	one->matches = matches_new(m, *messages, one->image, w, e);
	if (one->matches == NULL)
		return e->status;
	if (one->check != NULL)
		matches_word(one->matches, nfamem_check_words[one->check - checks]);
	if (o->once || one->check != NULL)
		matches_once(one->matches);
	for (unsigned i = 0; i < o->checking.nignore; i++)
		ignore_pattern(one, o->checking.ignore[i]);
	for (unsigned i = 0; i < f->npatterns; i++)
		ignore_pattern(one, f->pattern[i]);
	for (size_t i = 0; one->check != NULL && one->check->program && i < 3; i++)
		matches_ignore(one->matches, library[i]);
	return NFART_OK;
}

static enum nfart_status begin_leaks(struct filters *f, const struct nfamem_options *o,
				     struct memory *m, struct findings *w, struct nfart_error *e)
{
	struct memory_output output;

	f->leaks = leaks_new(m, w, o->checking.reachable);
	if (f->leaks == NULL)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	output = leaks_output(f->leaks);
	memory_add_output(m, &output);
	/* The loader keeps only pointers to the inside of tables of thread-local memory. */
	leaks_ignore(f->leaks, "ld-linux*");
	for (unsigned i = 0; i < o->checking.nignore + f->npatterns; i++) {
		const char *pattern = pattern_at(f, o, i);

		pattern = pattern_for(pattern, nfamem_check_words[CHECK_LEAK]);
		if (pattern != NULL)
			leaks_ignore(f->leaks, pattern);
	}
	return NFART_OK;
}

static enum nfart_status begin_races(struct filters *f, const struct nfamem_options *o,
				     struct memory *m, struct findings *w, struct nfart_error *e)
{
	struct memory_output output;
	const char *pattern;

	f->races = races_new(m, w);
	if (f->races == NULL)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	output = races_output(f->races);
	memory_add_output(m, &output);
	for (unsigned i = 0; i < o->checking.nignore + f->npatterns; i++) {
		pattern = pattern_for(pattern_at(f, o, i), nfamem_check_words[CHECK_RACE]);
		if (pattern != NULL)
			races_ignore(f->races, pattern);
	}
	return NFART_OK;
}

static enum nfart_status begin_locals(struct filters *f, const struct nfamem_options *o,
				      struct memory *m, struct findings *w, struct nfart_error *e)
{
	struct memory_output output;

	f->locals = locals_new(m, w);
	if (f->locals == NULL)
		return nfart_fail(e, NFART_SYSTEM, "out of memory");
	output = locals_output(f->locals);
	memory_add_output(m, &output);
	for (unsigned i = 0; i < o->checking.nignore + f->npatterns; i++) {
		const char *pattern = pattern_at(f, o, i);

		pattern = pattern_for(pattern, nfamem_check_words[CHECK_STACK]);
		if (pattern != NULL)
			locals_ignore(f->locals, pattern);
	}
	return NFART_OK;
}

enum nfart_status filters_begin(struct filters *f, const struct nfamem_options *o,
				struct memory *m, struct findings *w, struct nfart_error *e)
{
	enum nfart_status status = NFART_OK;

	if (o->checking.checks >> CHECK_RACE & 1)
		status = begin_races(f, o, m, w, e);
	if (status == NFART_OK && o->checking.checks >> CHECK_LEAK & 1)
		status = begin_leaks(f, o, m, w, e);
	if (status == NFART_OK && o->checking.checks >> CHECK_STACK & 1)
		status = begin_locals(f, o, m, w, e);
	for (unsigned i = 0; i < f->n && status == NFART_OK; i++)
		status = begin_one(f, &f->one[i], o, m, w, e);
	return status;
}

bool filters_head(const struct filters *f, const struct nfamem_options *o, struct findings *w,
		  struct nfart_error *e)
{
	static const char *const texts[NFAMEM_CHECKS] = {
		[CHECK_USE_AFTER_FREE] = "An access to memory that was freed.",
		[CHECK_DOUBLE_FREE] =
			"A free of what is no block in use, or by the wrong function.",
		[CHECK_BEYOND] = "An access beyond the end of a block.",
		[CHECK_UNINITIALISED] = "A load of memory to which nothing was stored.",
		[CHECK_RACE] = "Two accesses by different threads that nothing orders.",
		[CHECK_ORDER] = "A use of a lock that is not initialised, or destroyed.",
		[CHECK_LEAK] = "Blocks in use at the exit to which no pointer leads.",
		[CHECK_STACK] = "A wrong access to a variable on the stack."
	};
	struct sarif_rule rules[NFAMEM_CHECKS];
	VEC(struct sarif_rule) labels = { 0 };
	size_t n = 0;
	bool fine = true;

	for (unsigned i = 0; i < NFAMEM_CHECKS; i++)
		if (o->checking.checks >> i & 1)
			rules[n++] = (struct sarif_rule){ nfamem_check_words[i], texts[i] };
	for (uint32_t i = 0; o->filter != NULL && i < nfart_image_nlabels(f->one[0].image); i++) {
		const char *label = nfart_image_labels(f->one[0].image)[i];

		fine &= vec_push(&labels, ((struct sarif_rule){ label, label }));
	}
	if (!fine)
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	else
		fine = o->filter != NULL ? findings_begin(w, labels.at, labels.n, e)
					 : findings_begin(w, rules, n, e);
	vec_free(&labels);
	return fine;
}

void filters_inherit(struct filters *f, uint32_t thread)
{
	for (unsigned i = 0; i < 2; i++)
		if (f->messages[i] != NULL)
			messages_inherit(f->messages[i], thread);
	if (f->races != NULL)
		races_inherit(f->races);
}

bool filters_end(struct filters *f, struct nfart_error *e)
{
	for (unsigned i = 0; i < f->n; i++)
		if (f->one[i].matches != NULL && !matches_end(f->one[i].matches, e))
			return false;
	return f->leaks == NULL || leaks_end(f->leaks, e);
}

uint64_t filters_count(const struct filters *f)
{
	uint64_t n = (f->races != NULL ? races_count(f->races) : 0) +
		     (f->leaks != NULL ? leaks_count(f->leaks) : 0) +
		     (f->locals != NULL ? locals_count(f->locals) : 0);

	for (unsigned i = 0; i < f->n; i++)
		if (f->one[i].matches != NULL)
			n += matches_count(f->one[i].matches);
	return n;
}

void filters_stop(struct filters *f)
{
	races_free(f->races);
	f->races = NULL;
	leaks_free(f->leaks);
	f->leaks = NULL;
	locals_free(f->locals);
	f->locals = NULL;
	for (unsigned i = 0; i < f->n; i++) {
		matches_free(f->one[i].matches);
		f->one[i].matches = NULL;
	}
	for (unsigned i = 0; i < 2; i++) {
		messages_free(f->messages[i]);
		f->messages[i] = NULL;
	}
}

void filters_free(struct filters *f)
{
	filters_stop(f);
	for (unsigned i = 0; i < f->n; i++)
		nfart_image_free(f->one[i].image);
	free(f->patterns);
	f->patterns = NULL;
	f->n = 0;
}
