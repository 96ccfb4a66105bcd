/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pack.h: a placed NFA to cfg.bin, for every target whose engines load images. The only packer: every
 * other output prints what it made.
 */
#ifndef NFACC_BACKENDS_PACK_H
#define NFACC_BACKENDS_PACK_H

#include "backends/target.h"

/* Appends a target's configuration elements to b, ids rising. False: out of memory. */
typedef bool pack_elements(const struct target_job *job, struct buf *b);

/* Appends the image to job->image. The caller has checked that labels, lines and window fit.
 * False: out of memory, or a section of 2^30 bytes. The same input gives the same bytes. */
bool pack_image(struct target_job *job, pack_elements *fill);

/* For pack_elements: begins an element, and ends the one that pack_begin() began at `head`.
 * pack_end() answers false where memory is short or the element is too long. */
size_t pack_begin(const struct element *el, struct buf *b);
bool pack_end(const struct target_job *job, size_t head, struct buf *b);

/* The payload of a REGISTER element. */
void pack_register(const struct target_job *job, const struct element *el, struct buf *b);

/* The text of the names section; b->failed where memory is short. And the last part of a path: where a
 * file lies must not change the image. */
void pack_names(const struct target_job *job, struct buf *b);
const char *pack_base_name(const char *path);

#endif
