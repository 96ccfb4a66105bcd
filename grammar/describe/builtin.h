/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * builtin.h: the shipped protocols, parsed.
 */
#ifndef NFACC_GRAMMAR_BUILTIN_H
#define NFACC_GRAMMAR_BUILTIN_H

#include "contract/builtin.h"
#include "contract/proto/proto.h"

/* Parses the shipped protocol of this name. The caller frees the result with proto_free(). NULL:
 * there is no such protocol, or memory is short. */
struct nfart_proto *proto_builtin(const char *name);

#endif
