#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Traces a program under qemu, static and with shared libraries, and measures how fast call stacks
# are made of the tokens. With RV_TOKENS=FILE and RV_ELFS='FILE...', takes these tokens.
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
if [ -n "${RV_TOKENS:-}" ]; then
	# The files are words.
	exec "$BUILDDIR/probes/profile/bench/bench_rv" "$RV_TOKENS" $RV_ELFS
fi
for tool in riscv64-linux-gnu-gcc qemu-riscv64; do
	command -v $tool >/dev/null || { echo "bench-rv: $tool is not installed"; exit 0; }
done
lib=/usr/riscv64-linux-gnu/lib
for kind in static dynamic; do
	elfs="$tmp/work" flags=-static
	[ $kind = static ] || flags='' elfs="$elfs $lib/libc.so.6 $lib/ld-linux-riscv64-lp64d.so.1"
	riscv64-linux-gnu-gcc -O1 $flags -o "$tmp/work" "$SRCDIR/probes/profile/bench/rv_work.c"
	qemu-riscv64 -L "${lib%/lib}" -plugin "$BUILDDIR/.libs/nfaperf-qemu.so,out=$tmp/tokens" \
		"$tmp/work" >/dev/null
	echo "$kind:"
	# The files are words.
	"$BUILDDIR/probes/profile/bench/bench_rv" "$tmp/tokens" $elfs
done
