/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * read_back.h: target.h's load() and verify(), for every target whose engines load images.
 */
#ifndef NFACC_BACKENDS_READ_BACK_H
#define NFACC_BACKENDS_READ_BACK_H

#include "backends/target.h"

/* The image as an engine reads it: an image that an engine would refuse is a bug. */
enum nfart_status read_back_load(struct target_job *job);

/* Compares overlay, protocol, registers and names with what was asked for, then takes the automaton out
 * of the bits (inspect.h). */
bool read_back_verify(const struct target_job *job, struct target_reading *r, struct buf *wrong);

#endif
