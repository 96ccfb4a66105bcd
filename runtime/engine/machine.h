/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * machine.h: steps the machines of an image (nfacc-filter(5), Machines). The state of a machine is a
 * state of the image, one of which is active in each copy. Its counts are among those of the copy.
 */
#ifndef NFART_MACHINE_H
#define NFART_MACHINE_H

#include "contract/image.h"

/* Returns the state of the image that is active among those of the machine. */
uint32_t machine_state(const struct image_machine *m, const uint64_t *active);

/* Is exactly one state of the machine active? */
bool machine_has_state(const struct image_machine *m, const uint64_t *active);

/* Steps a machine from a state by a batch for which the predicates `truth` hold. `counts` are those
 * of the whole copy; the machine changes its own. Returns the state after the batch. */
uint32_t machine_step(const struct image_machine *m, const uint64_t *truth, uint32_t state,
		      uint32_t *counts);

#endif
