/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/profile/qemu/truth.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The file for all harts; NULL: not wanted. The C library locks it while a line is written. */
static FILE *file;

bool truth_open(const char *path)
{
	file = fopen(path, "we");
	return file != NULL;
}

const char *truth_close(void)
{
	int error;

	if (!file)
		return NULL;
	error = ferror(file);
	if (fclose(file))
		error = 1;
	file = NULL;
	return error ? strerror(errno ? errno : EIO) : NULL;
}

/* Writes the stays that have ended. All of them have this name. */
static void write_stays(struct truth *truth, const char *name)
{
	for (unsigned i = 0; i < truth->stays; i++) {
		const struct stay *stay = &truth->stay[i];

		if (stay->count > 0)
			fprintf(file, "%u %" PRIu64 " %" PRIu64 " %" PRIx64 " %" PRIx64 " %s\n",
				truth->hart, stay->first, stay->count, stay->satp, stay->task, name);
	}
	truth->stays = 0;
}

static void leave_task(struct truth *truth, uint64_t committed)
{
	struct stay *stay = &truth->stay[truth->stays - 1];

	stay->count = committed - stay->first;
	truth->inside = false;
}

void truth_step(struct truth *truth, const struct processor *processor,
	const struct nfaperf_token *now, uint64_t committed)
{
	char name[16];

	if (now->privilege == NFAPERF_USER && !truth->inside) {
		if (truth->stays == TRUTH_STAYS)
			write_stays(truth, "?");
		truth->stay[truth->stays++] = (struct stay){ .first = committed, .satp = now->satp,
			.task = machine_task(processor) };
		truth->inside = true;
	}
	if (now->privilege != NFAPERF_USER && truth->inside)
		leave_task(truth, committed);
	if (now->privilege != NFAPERF_SUPERVISOR)
		return;
	if (!machine_learn_names(processor, now->satp) || truth->stays == 0)
		return;
	machine_name(processor, truth->stay[truth->stays - 1].task, name);
	write_stays(truth, name[0] ? name : "?");
}

void truth_end(struct truth *truth, uint64_t committed)
{
	if (!file)
		return;
	if (truth->inside)
		leave_task(truth, committed);
	write_stays(truth, "?");
}
