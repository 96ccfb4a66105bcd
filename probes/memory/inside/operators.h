/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * The operators new and delete of C++, and whether those of this library are the only ones. A
 * program or a library may have its own, which call malloc and free. What it makes by one of them
 * may be freed by another one, and that is right. Tail calls hide who called malloc, so the answer
 * is for the whole process:
 *
 *   - If a module other than the C++ library defines an operator, nothing is certain.
 *   - A module that calls malloc or free, but no operator, may have hidden operators
 *     (-static-libstdc++). Then only new against new[] is certain, because both are operators of
 *     this library. Libraries of glibc and gcc are known to have none.
 *
 * A module that is loaded later counts from then on, also when it is gone.
 */
#ifndef NFACC_PROBES_MEMORY_INSIDE_OPERATORS_H
#define NFACC_PROBES_MEMORY_INSIDE_OPERATORS_H
#include <link.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * All variants of the operators. OPERATOR(name, maker), for those that free, and for those that
 * allocate.
 */
#define DELETES(OPERATOR)                                                                          \
	OPERATOR(_ZdlPv, MEM_BY_NEW)                                                               \
	OPERATOR(_ZdaPv, MEM_BY_NEW_ARRAY)                                                         \
	OPERATOR(_ZdlPvm, MEM_BY_NEW)                                                              \
	OPERATOR(_ZdaPvm, MEM_BY_NEW_ARRAY)                                                        \
	OPERATOR(_ZdlPvRKSt9nothrow_t, MEM_BY_NEW)                                                 \
	OPERATOR(_ZdaPvRKSt9nothrow_t, MEM_BY_NEW_ARRAY)                                           \
	OPERATOR(_ZdlPvSt11align_val_t, MEM_BY_NEW)                                                \
	OPERATOR(_ZdaPvSt11align_val_t, MEM_BY_NEW_ARRAY)                                          \
	OPERATOR(_ZdlPvmSt11align_val_t, MEM_BY_NEW)                                               \
	OPERATOR(_ZdaPvmSt11align_val_t, MEM_BY_NEW_ARRAY)                                         \
	OPERATOR(_ZdlPvSt11align_val_tRKSt9nothrow_t, MEM_BY_NEW)                                  \
	OPERATOR(_ZdaPvSt11align_val_tRKSt9nothrow_t, MEM_BY_NEW_ARRAY)

#define NEWS(PLAIN, NOTHROW, ALIGNED, BOTH)                                                        \
	PLAIN(_Znwm, MEM_BY_NEW)                                                                   \
	PLAIN(_Znam, MEM_BY_NEW_ARRAY)                                                             \
	NOTHROW(_ZnwmRKSt9nothrow_t, MEM_BY_NEW)                                                   \
	NOTHROW(_ZnamRKSt9nothrow_t, MEM_BY_NEW_ARRAY)                                             \
	ALIGNED(_ZnwmSt11align_val_t, MEM_BY_NEW)                                                  \
	ALIGNED(_ZnamSt11align_val_t, MEM_BY_NEW_ARRAY)                                            \
	BOTH(_ZnwmSt11align_val_tRKSt9nothrow_t, MEM_BY_NEW)                                       \
	BOTH(_ZnamSt11align_val_tRKSt9nothrow_t, MEM_BY_NEW_ARRAY)

/*
 * Notes the operators of a module with this dynamic section and path (empty: the program). Call it
 * before the module's data is watched. Takes no lock. Cost: linear in its symbols and relocations.
 */
void operators_module(uintptr_t base, const ElfW(Dyn) *dynamic, const char *path);

/* Modules may be loaded, or be there, without a call of operators_module(): nothing is certain. */
void operators_unknown(void);

/*
 * Whether it is certain that all calls of operators are those of this library; if `malloced`, also
 * that no call of malloc or free is made by another operator.
 */
bool operators_certain(bool malloced);
#endif
