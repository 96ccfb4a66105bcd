/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* The proof of what a target made. */
#include "compiler/stage.h"

#include <inttypes.h>
#include <string.h>

#include "compiler/proof/registers.h"
#include "compiler/warn.h"

static const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };

/* Returns the protocol in whose slots batches arrive: the target's, or that of the filters. */
static const struct nfart_proto *tapped(struct pipeline *p)
{
	const char *name = p->target.limits.tap;

	return name != NULL ? stage_find_protocol(p, name, strlen(name)) : p->front.ast.proto;
}

/* Reports a proof that failed. Returns NFART_INTERNAL in that case. */
static enum nfart_status report_proof(struct pipeline *p)
{
	size_t record = SIZE_MAX;

	if (p->verify.verdict != VERIFY_REFUTED)
		return p->diags.failed ? NFART_SYSTEM : NFART_OK;
	/* The first line is the message. The lines of the stream after it become notes, because a
	 * message has one line. */
	for (const char *at = p->verify.text.at, *end; at < p->verify.text.at + p->verify.text.n;
	     at = end + 1) {
		end = memchr(at, '\n', (size_t)(p->verify.text.at + p->verify.text.n - at));
		if (at == p->verify.text.at)
			record = diag_report(&p->diags, DIAG_ERROR, "internal", nowhere,
					     "internal error: %.*s", (int)(end - at), at);
		else
			diag_note(&p->diags, record, nowhere, "%.*s", (int)(end - at), at);
	}
	return NFART_INTERNAL;
}

enum nfart_status stage_prove_image(struct pipeline *p)
{
	struct verify_input in = {
		.job = &p->job,
		.ast = &p->front.ast,
		.tap = tapped(p),
		.steps = p->options.proof.steps,
		.progress = p->options.progress,
	};

	if (!verify_image(&in, p->options.proof.level, &p->verify))
		return NFART_SYSTEM;
	warn_bounded(&p->spec, &p->verify,
		     p->options.proof.level != VERIFY_FULL && p->options.proof.steps == 0,
		     &p->diags);
	return report_proof(p);
}

enum nfart_status stage_prove_registers(struct pipeline *p)
{
	if (!registers_verify(&p->job, p->options.proof.level, p->options.proof.steps, &p->verify))
		return NFART_SYSTEM;
	if (p->verify.verdict == VERIFY_UP_TO && p->options.proof.level == VERIFY_FULL) {
		diag_report(&p->diags, DIAG_ERROR, "bounded", nowhere,
			    "the registers are proved to mean the source for %" PRIu64
			    " cycles only (%.*s); --verify=bounded takes them with that", p->verify.depth,
			    (int)p->verify.text.n, p->verify.text.at);
		return NFART_INTERNAL;
	}
	if (p->verify.verdict == VERIFY_UP_TO)
		diag_report(&p->diags, DIAG_WARNING, "bounded", nowhere,
			    "the registers are proved to be right only for the first %" PRIu64
			    " cycles", p->verify.depth);
	return report_proof(p);
}
