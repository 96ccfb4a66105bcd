/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* AST -> spec, in the protocol that the target taps. */
#include "compiler/stage.h"

#include <string.h>

#include "compiler/lower.h"
#include "compiler/warn.h"
#include "ir/retap.h"

static const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };

/* Warns of a checker that is not told which lines it is for. Messages of different lines would look
 * like errors of one. */
static void warn_lines(struct pipeline *p, const struct pipeline_file *files, size_t n)
{
	for (size_t i = 0;
	     i < n && !p->spec.substreams.by_line && p->spec.proto->header.addr_bits != 0; i++)
		if (files[i].form == FORM_COHERENCE) {
			diag_report(&p->diags, DIAG_WARNING, "checker-lines", nowhere,
				    "%s: without substreams all lines are one to the checker; give "
				    "--substream here, or to nfarun", files[i].name);
			return;
		}
}

/* Reports that the guards tell too many kinds of messages apart, at the first of them. */
static void report_guards(struct pipeline *p)
{
	const struct ast *a = &p->front.ast;
	size_t i = 0;

	while (i + 1 < a->basics.n && a->basics.at[i].ntests == 0)
		i++;
	diag_report(&p->diags, DIAG_ERROR, "gave-up", a->basics.at[i].guard_range,
		    "gave up: the guards tell more than %d kinds of messages of one slot apart, or "
		    "finding these kinds takes too much",
		    ALPHABET_MOST);
}

/* Reports the machines of the spec, which the target can't execute. */
static enum nfart_status refuse_machines(struct pipeline *p)
{
	for (size_t i = 0; i < p->spec.machines.n; i++)
		diag_report(&p->diags, DIAG_ERROR, "no-fit", p->spec.machines.at[i].range,
			    "'%s' executes no machines", p->target.setup.name);
	return p->spec.machines.n != 0 ? NFART_NOFIT : NFART_OK;
}

/* Makes the spec from the tree. If the target taps another protocol than the filter's, the spec is
 * converted to that protocol. */
static enum nfart_status lower_and_tap(struct pipeline *p)
{
	const char *wanted = p->target.limits.tap;
	const struct nfart_proto *tap;
	enum nfart_status status = lower(&p->front.ast, &p->spec);
	struct diag_range where;
	uint32_t slot;
	char name[80] = "";

	if (status == NFART_GAVEUP)
		report_guards(p);
	if (status == NFART_OK && !warn_machines(&p->spec, &p->diags))
		status = NFART_SYSTEM;
	if (status == NFART_OK && !p->target.limits.machines)
		status = refuse_machines(p);
	if (status != NFART_OK || wanted == NULL || strcmp(wanted, p->spec.proto->name) == 0)
		return status;
	tap = stage_find_protocol(p, wanted, strlen(wanted));
	if (p->failed)
		return NFART_SYSTEM;
	if (tap == NULL) {
		diag_report(&p->diags, DIAG_ERROR, "overlay", nowhere,
			    "overlay '%s' taps protocol '%s', "
			    "which does not exist",
			    p->target.setup.name, wanted);
		return NFART_INPUT;
	}
	status = spec_retap(&p->spec, tap, &where, &slot);
	if (status != NFART_NOFIT)
		return status;
	if (slot != UINT32_MAX)
		proto_slot_name(p->spec.proto, slot, name);
	diag_report(&p->diags, DIAG_ERROR, "not-tapped", where,
		    slot != UINT32_MAX
			    ? "overlay '%s' taps %s and does not see slot %s"
			    : "overlay '%s' taps %s, whose headers differ from this protocol's%s",
		    p->target.setup.name, wanted, name);
	return NFART_NOFIT;
}

enum nfart_status stage_lower(struct pipeline *p, const struct pipeline_file *files, size_t n)
{
	enum nfart_status status = lower_and_tap(p);

	if (status == NFART_OK)
		warn_lines(p, files, n);
	return status;
}
