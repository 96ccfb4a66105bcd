#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# coverage.sh [-a] TEST...: which branches of ir/, compiler/, backends/ and runtime/ the tests take.
# It builds with gcov's counters in ./coverage, below the build folder where it runs, and runs the
# tests there. With -a what they count is added to what was counted before. It prints a table of the
# folders, and how many of the branches that were not taken have which cause (causes.txt). Each of
# these is listed in coverage/not-taken.txt. Exit code: 0, or 1 if a test failed or fewer than LEAST
# per cent of all branches were taken, or 77 without lcov. FULL_TESTS are tests that run, too, as in
# `make check-full`.
set -u
LEAST=90
src=${SRCDIR:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${BUILDDIR:-$(pwd)}
out=$build/coverage
here=$src/testsuite/coverage
folders='ir compiler backends runtime'
if ! command -v lcov >/dev/null; then
	echo 'coverage.sh: there is no lcov (Debian: lcov); ./setup coverage installs it' >&2
	exit 77
fi
mkdir -p "$out" && cd "$out" || exit 1
[ -f Makefile ] || "$src/configure" -q --enable-coverage --disable-mpi || exit 1
make -s all >make.log 2>&1 || { cat make.log; exit 1; }

# How much the random tests do. The environment may ask for more.
export NFACC_PAIRS="${NFACC_PAIRS:-300}" NFACC_RANDOM="${NFACC_RANDOM:-100}"
export NFACC_COUNT_PAIRS="${NFACC_COUNT_PAIRS:-300}" NFACC_FAULTS="${NFACC_FAULTS:-6}"
export NFACC_THREAD_PAIRS="${NFACC_THREAD_PAIRS:-100}" NFACC_LARGE="${NFACC_LARGE:-40}"
add=
[ "${1-}" != -a ] || { add=1; shift; }
[ -n "$add" ] || find . -name '*.gcda' -exec rm -f {} +
# What was counted in sources that have changed since does not count.
find . -name '*.gcno' | while read -r notes; do
	counts=${notes%.gcno}.gcda
	[ ! "$notes" -nt "$counts" ] || rm -f "$counts"
done
# kept TEST...: prints which of the tests are run.
kept() {
	for t; do
		case $t in
		# Left out: tests that run none of this code, that install it, or that build it
		# anew.
		contract/* | */abi.test | */architecture.test | */bench_map.test | */install.test) ;;
		*/licences.test | */mpi.test | */seeded.test | */setup.test) ;;
		*/rtl/engine.test | */rtl/formal.test | */rtl/header.test | */rtl/lint.test) ;;
		*/rtl/nfa.test | */rtl/random.test) ;;
		*) echo "$t" ;;
		esac
	done | tr '\n' ' '
}
code=0
make -k check TESTS="$(kept "$@")" >check.log 2>&1 || code=1
if [ -n "${FULL_TESTS:-}" ]; then
	# shellcheck disable=SC2086
	NFACC_FULL=1 make -k check TESTS="$(kept $FULL_TESTS)" >>check.log 2>&1 || code=1
fi
grep -E '^(FAIL|ERROR|SKIP|# (TOTAL|PASS|SKIP|FAIL|ERROR))' check.log

# Headers of other folders, and of the system, are counted where they are included; they are left
# out.
exclude=$(grep -v '^#' "$here/excluded.txt" | cut -f 1 | paste -s -d '|')
rc='--rc lcov_branch_coverage=1'
from= of=
for f in $folders; do from="$from --directory $f" of="$of $src/$f/*"; done
set -f
# shellcheck disable=SC2086
{ lcov $rc --rc lcov_excl_br_line="$exclude" -q --capture $from --output-file all.info &&
	lcov $rc -q --extract all.info $of --output-file coverage.info; } >lcov.log 2>&1 ||
	{ cat lcov.log; exit 1; }
awk -v src="$src/" -v least=$LEAST -v causes="$here/causes.txt" -v list=not-taken.txt \
	-f "$here/report.awk" coverage.info || code=1
exit $code
