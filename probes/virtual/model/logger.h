/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * logger.h: the Logger. It turns annotated snoops into records
 * (probes/virtual/contract/virtual.def) and keeps them in a memory, from which software takes them.
 */
#ifndef NFACC_PROBES_VIRTUAL_MODEL_LOGGER_H
#define NFACC_PROBES_VIRTUAL_MODEL_LOGGER_H

#include "probes/virtual/model/virtual.h"

struct virt_record {
	uint64_t word[2];
};

struct virt_logger {
	struct virt_record record[VIRT_RECORDS];
	unsigned first, n;
};

/* Makes the record of an annotated snoop. */
struct virt_record virt_record_of(const struct virt_snoop *s, const struct virt_annotated *a);

/* Stores a record. Returns false if the memory is full. */
bool virt_logger_put(struct virt_logger *l, const struct virt_record *r);

/* Takes the oldest record. Returns false if there is none. */
bool virt_logger_take(struct virt_logger *l, struct virt_record *r);

#endif
