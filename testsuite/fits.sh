#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# fits.sh OVERLAY... -- NFACC ARGUMENTS: runs nfacc for the first of the overlays that the filter
# fits, and with the arguments as they are if it fits none. So a test runs on engines as far as they
# have the parts. Appends a line to the file FITS for each filter that fits.
overlays=
while [ "$1" != -- ]; do
	overlays="$overlays $1"
	shift
done
shift
for o in $overlays; do
	"$@" --overlay "$o" >"$FITS.out" 2>"$FITS.err"
	code=$?
	if [ $code -ne 1 ] && [ $code -ne 3 ]; then
		echo "$o" >>"$FITS"
		cat "$FITS.out"
		cat "$FITS.err" >&2
		exit $code
	fi
done
exec "$@"
