#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# fuzz.sh SECONDS [TARGET...]: builds the fuzz targets with clang, libFuzzer, ASan and UBSan. It
# runs each target (default: all) for SECONDS, with a fixed seed (FUZZ_SEED, default 1), and prints
# a table. Run it in a build folder: it uses the generated sources there and works in ./fuzz. A run
# begins with the corpus of the source tree and with what earlier runs found, which stays in
# ./fuzz/TARGET.found. Inputs that broke something are in ./fuzz/TARGET.broke.
#
# fuzz.sh keep [TARGET...]: adds those found inputs to the corpus of the source tree that cover
# something it does not cover. `make check` runs that corpus.
#
# Exit code: 0, or 1 if something broke, or 77 without clang's libFuzzer.
set -u
if [ $# -lt 1 ]; then
	echo "usage: fuzz.sh SECONDS|keep [TARGET...]" >&2
	exit 2
fi
seconds=$1
shift
src=${SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${BUILDDIR:-$(pwd)}
cc=${FUZZ_CC:-clang}
out=$build/fuzz
mkdir -p "$out/obj" || exit 1
echo 'int LLVMFuzzerTestOneInput(const char *p, unsigned long n) { return p == 0 && n > 0; }' \
	>"$out/obj/try.c"
if ! "$cc" -fsanitize=fuzzer,address,undefined "$out/obj/try.c" -o "$out/obj/try" \
	2>"$out/obj/try.err"; then
	echo "fuzz.sh: $cc has no libFuzzer (Debian: clang, libclang-rt-14-dev); ./setup fuzz installs it" >&2
	exit 77
fi
if [ ! -f "$build/grammar/re_parse.c" ] || [ ! -f "$build/contract/builtin_data.c" ]; then
	echo "fuzz.sh: $build is no build folder: run make there first" >&2
	exit 2
fi
flags="-std=gnu11 -DHAVE_CONFIG_H -I$src -I$build -O1 -g -fno-omit-frame-pointer"
flags="$flags -fsanitize=address,undefined -fno-sanitize-recover=all"
flags="$flags $(pkg-config --cflags yaml-0.1 jansson igraph zlib libzstd liblz4)"
libs="$(pkg-config --libs yaml-0.1 jansson igraph zlib libzstd liblz4)"

# The build is a makefile, so that a second run compiles only what changed. The library is every
# source without main().
{
	objects=
	rule() {
		o=$(echo "$1" | sed "s,$src/,,; s,$build/,,; s,/,_,g; s,c\$,o,")
		echo "$o: $1"
		printf '\t%s %s -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ %s\n' "$cc" "$flags" "$1"
		objects="$objects $o"
	}
	echo 'all:'
	for f in $(cd "$src" && find support contract grammar ir backends compiler runtime \
		probes/etm/model probes/profile/stacks probes/virtual/program testsuite/property -name '*.c' |
			LC_ALL=C sort | sed "s,^,$src/,") "$build"/grammar/*.c \
			"$build"/contract/*.c \
		"$src"/testsuite/fuzz/*.c; do
		case $f in
		*/ranks_*.c) continue ;; # of nfarun and nfarun-mpi, beside their main()
		compiler/module.c | */compiler/module.c | */contract/module.c) continue ;; # a way to link the compiler
		esac
		grep -q '^int main(\|^int LLVMFuzzerTestOneInput(' "$f" || rule "$f"
	done
	echo "lib.a: $objects"
	printf '\trm -f $@ && ar rcs $@ $^\n'
	for f in $(grep -l '^int LLVMFuzzerTestOneInput(' "$src"/testsuite/fuzz/*.c); do
		t=$(basename "$f" .c)
		echo "all: $t"
		echo "$t: $f lib.a"
		printf '\t%s %s -fsanitize=fuzzer -o $@ %s lib.a %s\n' "$cc" "$flags" "$f" "$libs"
	done
	echo '-include *.d'
} >"$out/obj/Makefile"
make -s -C "$out/obj" -j"$(nproc)" || exit 1

if [ $# -eq 0 ]; then
	for f in $(grep -l '^int LLVMFuzzerTestOneInput(' "$src"/testsuite/fuzz/*.c); do
		set -- "$@" "$(basename "$f" .c)"
	done
fi
# keep TARGET: only new edges count, not how often they were taken. So the corpus stays small.
keep() {
	mkdir -p "$out/$1.found" "$src/testsuite/fuzz/corpus/$1"
	"$out/obj/$1" -merge=1 -set_cover_merge=1 -use_counters=0 -timeout=20 -rss_limit_mb=3000 \
		"$src/testsuite/fuzz/corpus/$1" "$out/$1.found" >"$out/$1.log" 2>&1 || return 1
	echo "$1: $(find "$src/testsuite/fuzz/corpus/$1" -type f | wc -l) inputs in the corpus"
}

# row TARGET: what libFuzzer's last status line says. Edges are what it calls coverage; features
# also count how often an edge was taken.
row() {
	awk -v target="$1" '/ cov: [0-9]+ ft: / {
		n = substr($1, 2)
		for (i = 2; i < NF; i++) v[$i] = $(i + 1)
	}
	END {
		sub(/\/.*/, "", v["corp:"])
		printf "%-10s %12s %10s %8s %9s %8s\n", target, n, v["exec/s:"], v["cov:"], v["ft:"], v["corp:"]
	}' "$out/$1.log"
}

# As many targets run at a time as there are processors. running: PROCESS:TARGET of each.
running= code=0
trap 'for r in $running; do kill "${r%%:*}"; done; exit 130' INT TERM
start() {
	mkdir -p "$out/$1.found" "$out/$1.broke" "$src/testsuite/fuzz/corpus/$1"
	"$out/obj/$1" -seed="${FUZZ_SEED:-1}" -max_total_time="$seconds" -max_len=4096 -timeout=20 \
		-rss_limit_mb=3000 -artifact_prefix="$out/$1.broke/" "$out/$1.found" \
		"$src/testsuite/fuzz/corpus/$1" >"$out/$1.log" 2>&1 &
	running="$running $!:$1"
}

# finish: waits for those that run, and says what came of each.
finish() {
	for r in $running; do
		t=${r#*:}
		wait "${r%%:*}"
		broke=$?
		row "$t"
		if [ $broke -ne 0 ]; then
			echo "$t: broke; see $out/$t.log"
			grep -m 5 'ERROR\|runtime error\|expected\|SUMMARY' "$out/$t.log"
			code=1
		fi
	done
	running=
}

if [ "$seconds" != keep ]; then
	echo "$seconds s a target, seed ${FUZZ_SEED:-1}"
	printf '%-10s %12s %10s %8s %9s %8s\n' target executions 'a second' edges features inputs
fi
for t; do
	if [ "$seconds" = keep ]; then
		keep "$t" || { echo "$t: not merged; see $out/$t.log"; code=1; }
	else
		start "$t"
		[ "$(echo "$running" | wc -w)" -lt "$(nproc)" ] || finish
	fi
done
finish
exit $code
