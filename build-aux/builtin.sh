#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# builtin.sh FILE...: the description files as a C table (contract/builtin.h), on standard output.
set -eu
echo '/* made by build-aux/builtin.sh */'
echo '#include "contract/builtin.h"'
table() {
	echo "const struct builtin $1[] = {"
	ending=$2
	shift 2
	for f; do
		case $f in
		*"$ending")
			printf '\t{ "%s",\n' "$(basename "$f" "$ending")"
			sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/\t  "&\\n"/' "$f"
			echo '	},'
			;;
		esac
	done
	echo '	{ 0 }'
	echo '};'
}
table builtin_protocols .proto "$@"
table builtin_overlays .ov "$@"
table builtin_targets .etm "$@"
