/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * verify.h: proves that an image means what the filters say. The runtime's own code has loaded the
 * bytes of the image, and backends/image/inspect.h turns them back into an automaton. Registers,
 * names and protocol of the image are compared with the checked syntax tree. Labels and log are
 * compared as languages (ir/decide/decide.h): reference.h reads a second automaton from the tree,
 * and the automaton of the image must accept the same.
 *
 * So lowering, construction, passes, mapper and packer need not be trusted. The proof relies on
 * lexer, parser and checker, on the tables of protocols, on the runtime's decoder, and on itself.
 */
#ifndef NFACC_COMPILER_PROOF_VERIFY_H
#define NFACC_COMPILER_PROOF_VERIFY_H

#include "backends/target.h"
#include "grammar/ast.h"
#include "support/progress.h"

enum verify_level { VERIFY_OFF, VERIFY_BOUNDED, VERIFY_FULL };

enum verify_verdict {
	VERIFY_NOTHING,  /* there was no proof: it is switched off, or there is no image */
	VERIFY_PROVED,   /* the image is right for all streams */
	VERIFY_UP_TO,    /* the image is right for streams of up to `depth` batches */
	VERIFY_REFUTED   /* the image is wrong; `text` says how */
};

struct verify_report {
	enum verify_verdict verdict;
	/* of VERIFY_UP_TO: the number of batches in the longest streams; 0: nothing was proved */
	uint64_t depth;
	/* There is a language for each label, and one for the log. `total` is the number of
	 * languages; it is 0 if the source's automaton is too large to compare anything. `proved`
	 * of them are proved for all streams. */
	size_t proved, total;
	/* of VERIFY_UP_TO: the label whose language is proved for the shortest streams only; the
	 * log has the number after the last label */
	uint32_t weakest;
	uint64_t work,        /* how many steps the decision procedure took */
		nanoseconds;  /* how long the proof took */
	/* of VERIFY_REFUTED: a line that says what differs. If languages differ, a stream that
	 * shows this follows as batch text. Of VERIFY_UP_TO, for registers: why no further. */
	struct buf text;
};

struct verify_input {
	const struct target_job *job; /* it has the image as it was loaded from the packed bytes */
	const struct ast *ast;        /* the source: checked, without errors */
	/* the protocol in whose slots batches arrive; NULL: there was no memory for it */
	const struct nfart_proto *tap;
	uint64_t steps;               /* most steps of the proof; 0: the limit of its level */
	const struct progress *progress; /* shows the progress; or NULL */
};

/* Proves the image and fills *r, which is zeroed or was filled before. False: out of memory. The
 * number of steps is limited. At VERIFY_BOUNDED the proof takes little time beside the rest of a
 * compilation. */
bool verify_image(const struct verify_input *in, enum verify_level level, struct verify_report *r);
void verify_report_free(struct verify_report *r);

#endif
