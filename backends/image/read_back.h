/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * read_back.h: implements the functions load() and verify() of struct target (target.h) for every
 * target whose engines load images.
 */
#ifndef NFACC_BACKENDS_READ_BACK_H
#define NFACC_BACKENDS_READ_BACK_H

#include "backends/target.h"

/* Loads job->image into job->loaded with the code that engines use. An image that this code refuses
 * is a bug, which is reported; the answer is then NFART_INTERNAL. NFART_SYSTEM: out of memory. */
enum nfart_status read_back_load(struct target_job *job);

/* Compares overlay, protocol, registers and label names of job->loaded with what `job` and `source`
 * say. `wrong` receives a line for the first difference. If there is no difference, reads the
 * automaton from the bits of the image (inspect.h) into *r. False: out of memory. */
bool read_back_verify(const struct target_job *job, const struct spec *source,
		      struct target_reading *r, struct buf *wrong);

#endif
