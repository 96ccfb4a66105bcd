/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * beside.h: finds the libraries that a tool loads when it runs, in the build folder and installed.
 */
#ifndef NFACC_SUPPORT_BESIDE_H
#define NFACC_SUPPORT_BESIDE_H

#include <limits.h>

/* Puts the path of the library `file` into path. It is looked for in the folder .libs beside the
 * running program, where a build has it, then in the library folder beside the program's folder;
 * where neither has it, the path is that in `installed`, where configure was told to install it. */
void beside_find(const char *file, const char *installed, char path[PATH_MAX]);

#endif
