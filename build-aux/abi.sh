#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# abi.sh HEADERS LIBRARY: the library's binary interface as libabigail sees it, without what users don't
# see: types that the headers keep opaque, paths and lines.
exec abidw --headers-dir "$1" --drop-private-types --no-corpus-path --no-comp-dir-path --no-show-locs \
	--drop-undefined-syms "$2"
