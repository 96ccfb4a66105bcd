/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/tests/machine_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probes/profile/stacks/rv_profile.h"
#include "probes/profile/tool/print.h"

static struct profile_size size_of(const struct rv_profile *p, const struct profile_view *v)
{
	struct profile_size size = { .nodes = p->tree.nodes.n, .shown = v->tree.nodes.n };

	for (size_t i = 0; i < p->spaces.processes.n; i++)
		size.processes += !p->spaces.processes.at[i].ended;
	return size;
}

bool machine_profile(const struct random_machine *x, const char *folder, int left_out,
		     size_t fold_ends, struct buf *b, struct profile_size *size)
{
	struct rv_code code;
	struct rv_profile p = { 0 };
	struct profile_view v = { 0 };
	struct profile_children c = { 0 };
	struct nfart_error e;
	bool ok = rv_code_init(&code);
	char path[256];

	for (size_t m = 0; m < x->modules.n && ok; m++) {
		snprintf(path, sizeof path, "%s/%s", folder, x->modules.at[m].name);
		ok = (int)m == left_out || rv_code_add(&code, path, &e) == NFART_OK;
	}
	rv_code_switches(&code, "__switch_to");
	ok = ok && rv_profile_init(&p, &code, false);
	p.folding.fold_ends = fold_ends;
	ok = ok && rv_profile_put(&p, x->tokens.at, x->tokens.n, true) == x->tokens.n;
	if (ok) {
		rv_profile_settle(&p);
		ok = profile_view_make(&v, &p, NULL) && profile_children_make(&c, &v);
	}
	if (ok)
		print_folded(&v, &c, PRINT_CYCLES, b);
	if (ok)
		*size = size_of(&p, &v);
	profile_children_free(&c);
	profile_view_free(&v);
	rv_profile_free(&p);
	rv_code_free(&code);
	return ok && !b->failed;
}

uint64_t folded_total(const struct buf *b)
{
	uint64_t sum = 0;

	for (const char *s = b->at; s != NULL && *s != 0; s = strchr(s, '\n') + 1)
		sum += strtoull(s + strcspn(s, " "), NULL, 10);
	return sum;
}

uint64_t folded_under(const struct buf *b, const char *name)
{
	uint64_t sum = 0;
	size_t n = strlen(name);

	for (const char *s = b->at; s != NULL && *s != 0; s = strchr(s, '\n') + 1)
		if (strncmp(s, name, n) == 0 && s[n] == ';') {
			const char *end = s + strcspn(s, " "), *kernel = strstr(s, ";[kernel]");
			if (kernel == NULL || kernel > end)
				sum += strtoull(end, NULL, 10);
		}
	return sum;
}

bool machine_write_all(struct random_machine *x, struct gen_random *random, uint64_t seed,
		       const char *folder, size_t processes, struct machine_rules rules)
{
	bool asids = seed % 2 == 0;
	bool ok = true;
	char path[256];

	machine_make(x, random, asids, rules);
	for (uint32_t m = 0; m < x->modules.n && ok; m++) {
		snprintf(path, sizeof path, "%s/%s", folder, x->modules.at[m].name);
		ok = machine_write_elf(x, m, path);
	}
	machine_run(x, processes);
	return ok;
}

void machine_clear(struct random_machine *x, const char *folder)
{
	char path[256];

	for (uint32_t m = 0; m < x->modules.n; m++) {
		snprintf(path, sizeof path, "%s/%s", folder, x->modules.at[m].name);
		unlink(path);
	}
	machine_free(x);
}
