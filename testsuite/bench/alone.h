/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * alone.h: what each solver of the mapper does alone, on families of graphs. A solver that stays in
 * the mapper answers a family on which the others fail or are slower.
 */
#ifndef NFACC_TESTSUITE_ALONE_H
#define NFACC_TESTSUITE_ALONE_H

#include <stdbool.h>

/* Prints a row for each family. A cell has the number of the three seeds that the solver answers
 * within `seconds` of processor time, and the median time of the answers. Only rows whose name
 * contains `only` are printed; NULL: all. False: two solvers answer an instance differently. */
bool alone_print(unsigned seconds, const char *only);

#endif
