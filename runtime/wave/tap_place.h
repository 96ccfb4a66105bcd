/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * tap_place.h: the places of a waveform where all signals of an interface are.
 */
#ifndef NFART_TAP_PLACE_H
#define NFART_TAP_PLACE_H

#include "contract/proto/tap.h"
#include "runtime/wave/tap_names.h"
#include "support/arena.h"

enum { TAP_MOST_PLACES = 20 };

/* Places, each once: what stands before the names of the signals. They are in an arena. */
struct tap_places {
	struct arena arena;
	const char **prefixes; /* [n] */
	size_t n;
};

/* Finds the places where the waveform has all signals of x that have no usual value, at least one.
 * An interface with one signal is nowhere, as it would be everywhere. A place whose signals are
 * those of another one is left out. False: out of memory. The caller frees *p in every case. Cost:
 * the number of names, times the number of signals for those that end like the first signal. */
bool tap_places_find(struct tap_places *p, const struct tap_names *names,
		     const struct tap_interface *x);
void tap_places_free(struct tap_places *p);

#endif
