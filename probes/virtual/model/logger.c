/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
#include "probes/virtual/model/logger.h"

struct virt_record virt_record_of(const struct virt_snoop *s, const struct virt_annotated *a)
{
	struct virt_record r = { { 0, 0 } };

	r.word[VIRT_RECORD_VA_WORD] |= VIRT_PUT(RECORD, VA, a->va);
	r.word[VIRT_RECORD_KIND_WORD] |= VIRT_PUT(RECORD, KIND, s->kind);
	r.word[VIRT_RECORD_OBSERVED_WORD] |= VIRT_PUT(RECORD, OBSERVED, a->observed);
	r.word[VIRT_RECORD_SHARED_WORD] |= VIRT_PUT(RECORD, SHARED, a->shared);
	r.word[VIRT_RECORD_LINE_WORD] |= VIRT_PUT(RECORD, LINE, s->pa >> 6);
	r.word[VIRT_RECORD_TIME_WORD] |= VIRT_PUT(RECORD, TIME, s->time);
	return r;
}

bool virt_logger_put(struct virt_logger *l, const struct virt_record *r)
{
	if (l->n == VIRT_RECORDS)
		return false;
	l->record[(l->first + l->n++) % VIRT_RECORDS] = *r;
	return true;
}

bool virt_logger_take(struct virt_logger *l, struct virt_record *r)
{
	if (l->n == 0)
		return false;
	*r = l->record[l->first];
	l->first = (l->first + 1) % VIRT_RECORDS;
	l->n--;
	return true;
}
