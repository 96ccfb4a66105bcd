/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Comes first: it has the version. */
#include "config.h"

#include "probes/memory/reader/findings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "probes/memory/reader/findings_form.h"
#include "probes/memory/reader/report.h"

enum progress { EMPTY, SOME, ENDED };

struct findings {
	FILE *f;
	enum findings_form form;
	enum progress *shared; /* of the document; changed by who has the turn */
	struct turns *turns;
	uint32_t process; /* 0: there is one */
	struct buf text;
};

struct findings *findings_new(FILE *f, enum findings_form form)
{
	struct findings *w = calloc(1, sizeof *w);

	if (w == NULL)
		return NULL;
	*w = (struct findings){ .f = f, .form = form };
	w->shared = mmap(NULL, sizeof *w->shared, PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (w->shared == MAP_FAILED) {
		free(w);
		return NULL;
	}
	return w;
}

void findings_free(struct findings *w)
{
	if (w != NULL) {
		munmap(w->shared, sizeof *w->shared);
		buf_free(&w->text);
	}
	free(w);
}

void findings_process(struct findings *w, uint32_t pid, struct turns *turns)
{
	w->process = pid;
	w->turns = turns;
}

void findings_take_turn(struct findings *w)
{
	turns_take(w->turns);
}

bool findings_give_turn(struct findings *w, struct nfart_error *e)
{
	const bool fine = !w->text.failed && fflush(w->f) == 0 && !ferror(w->f);
	const int error = errno;

	turns_give(w->turns);
	if (w->text.failed)
		nfart_fail(e, NFART_SYSTEM, "out of memory");
	else if (!fine)
		nfart_fail(e, NFART_SYSTEM, "can't write what was found: %s", strerror(error));
	return fine;
}

/* Writes w->text and empties it. */
static void flush_text(struct findings *w)
{
	if (w->text.n != 0 && !w->text.failed)
		fwrite(w->text.at, 1, w->text.n, w->f);
	w->text.n = 0;
}

bool findings_begin(struct findings *w, const struct sarif_rule *rules, size_t nrules,
		    struct nfart_error *e)
{
	if (w->form != FINDINGS_SARIF)
		return true;
	findings_take_turn(w);
	sarif_begin(&w->text, "nfamem", PACKAGE_VERSION, rules, nrules);
	flush_text(w);
	return findings_give_turn(w, e);
}

bool findings_end(struct findings *w, struct nfart_error *e)
{
	findings_take_turn(w);
	if (w->form == FINDINGS_SARIF) {
		sarif_end(&w->text);
		*w->shared = ENDED;
	}
	flush_text(w);
	return findings_give_turn(w, e);
}

void findings_write(struct findings *w, struct memory *memory, struct finding *f)
{
	if (*w->shared == ENDED)
		return;
	f->process = w->process;
	switch (w->form) {
	case FINDINGS_TEXT:
		report_text(&w->text, memory, f);
		break;
	case FINDINGS_JSON:
		findings_json(&w->text, memory, f);
		break;
	case FINDINGS_SARIF:
		if (*w->shared == SOME)
			buf_addf(&w->text, ",\n");
		findings_sarif(&w->text, memory, f);
		break;
	}
	*w->shared = SOME;
	flush_text(w);
}
