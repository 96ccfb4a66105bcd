/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Spec -> NFA -> homogeneous NFA. */
#include "compiler/stage.h"

#include "compiler/warn.h"
#include "ir/build.h"

static const struct diag_range nowhere = { DIAG_NO_SOURCE, 0, 0 };

static bool made_counters(const struct spec *s)
{
	return s->counters.n != 0 && s->counters.at[s->counters.n - 1].made;
}

/* Turns repetitions with large bounds into counters. If that needs more counters than the target
 * has, the threshold is doubled until they suffice. So the repetitions with the largest bounds get
 * the counters. */
static enum nfart_status automaton_count(struct pipeline *p)
{
	struct count_options o = {
		.threshold = p->options.passes.level == 0 ? 0 : p->options.count,
		.max_k = p->target.limits.max_k,
	};
	enum nfart_status status;

	status = spec_count(&p->spec, &o, &p->counts);
	while (status == NFART_OK && p->spec.counters.n > p->target.limits.counters &&
	       made_counters(&p->spec)) {
		spec_uncount(&p->spec, &p->counts);
		o.threshold *= 2;
		status = spec_count(&p->spec, &o, &p->counts);
	}
	return status;
}

enum nfart_status stage_automaton(struct target_job *job)
{
	struct pipeline *p = job->compiler;
	enum nfart_status status = NFART_SYSTEM;

	if (warn_anchored(&p->spec, &p->diags))
		status = automaton_count(p);
	if (status == NFART_OK)
		status = nfa_build(&p->nfa, &p->spec);
	if (status == NFART_OK && !nfa_bounds(&p->spec, &p->bound.states, &p->bound.edges))
		status = NFART_SYSTEM;
	p->options.passes.most_degree = p->target.limits.most_degree;
	if (status == NFART_OK)
		status = passes_run(&p->nfa, &p->options.passes, &p->passes);
	if (status == NFART_GAVEUP)
		diag_report(&p->diags, DIAG_ERROR, "too-large", nowhere,
			    "gave up: the automaton has more than %d states or %d transitions",
			    NFA_MAX_STATES, NFA_MAX_EDGES);
	if (status == NFART_INTERNAL)
		diag_report(&p->diags, DIAG_ERROR, "internal", nowhere,
			    "internal error after pass '%s': %s",
			    p->passes.at[p->passes.n - 1].name, p->passes.broken);
	progress_at(p->options.progress, "automaton", 0, "warnings");
	if (status == NFART_OK && !warn_automaton(&p->nfa, &p->diags))
		status = NFART_SYSTEM;
	return status;
}
