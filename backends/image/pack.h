/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * pack.h: makes an image (cfg.bin) of a placed NFA, for every target whose engines load images. No
 * other code packs: every other output prints an image that was packed here.
 */
#ifndef NFACC_BACKENDS_PACK_H
#define NFACC_BACKENDS_PACK_H

#include "backends/target.h"

/* Appends a target's configuration elements to b, in the order of their
 * ids. False: out of memory. */
typedef bool pack_elements(const struct target_job *job, struct buf *b);

/* Appends the image to job->image. `fill` appends the configuration elements. The caller has
 * checked that labels, lines and window fit the target. False: out of memory, or an element is too
 * long (pack_end()). The same input gives the same bytes. */
bool pack_image(struct target_job *job, pack_elements *fill);

/* For the functions of type pack_elements. pack_begin() appends the header of an element and
 * returns its offset in b. The caller then appends the payload. pack_end() takes that offset as
 * `head` and writes the length of the payload into the header. False: out of memory, or the payload
 * has 2^30 words or more. */
size_t pack_begin(const struct element *el, struct buf *b);
bool pack_end(const struct target_job *job, size_t head, struct buf *b);

/* Appends the payload of a REGISTER element: the value of the register that the element names. */
void pack_register(const struct target_job *job, const struct element *el, struct buf *b);

/* Appends the text of the section `names`, which says where in the source each state comes from.
 * b->failed says that memory was short. */
void pack_names(const struct target_job *job, struct buf *b);
/* Appends the text of the section `guards`, which says how the predicates of states were written.
 * b->failed: as above. Linear in the states, and in the codes of the predicates times their
 * tests. */
void pack_guards(const struct target_job *job, struct buf *b);

/* Returns the last part of a path. Only this part goes into an image: the folder of a file
 * must not change the bytes. */
const char *pack_base_name(const char *path);

#endif
