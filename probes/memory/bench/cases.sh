#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Runs the programs with small bugs (tests/cases) under several tools, and prints what each finds. Usage:
#
#     SRCDIR=... BUILDDIR=... sh cases.sh [--cases='NAME...'] [--table] TOOL...
#
# TOOL is one of nfamem, memcheck, asan and tsan. A line is a case, and for each tool a word: `found`
# if it says something of the bad variant and nothing of the good one; `missed` if it says nothing of
# the bad variant; `false` if it says something of the good one. What nfamem and memcheck say must be of
# the kind that cases.txt names. A compiler's tool may say anything. With
# --table the output is a table for memory.md, whose last line counts what was found.
set -u
only=
case $1 in
--cases=*)
	only=${1#*=}
	shift
	;;
esac
table=false
if [ "$1" = --table ]; then
	table=true
	shift
fi
cases=$SRCDIR/probes/memory/tests/cases
tmp=$(mktemp -d "${TMPDIR:-/tmp}/nfacc-cases.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM

# built DIRECTORY OPTION...
built() {
	mkdir "$tmp/$1" || exit 99
	directory=$tmp/$1
	shift
	for file in "$cases"/*.c "$cases"/*.cc; do
		name=${file##*/}
		case $name in *.cc) compiler=c++ ;; *) compiler=cc ;; esac
		"$compiler" -O0 -g -w -pthread "$@" "$file" -o "$directory/${name%%.*}" || exit 99
	done
}

# What of nfamem and of memcheck is a report of each kind.
nfamem_says() {
	case $1 in
	over | under) echo '^beyond: \|^use-after-free: ' ;;
	used) echo '^use-after-free: ' ;;
	wrong) echo '^double-free ' ;;
	unset) echo '^uninitialised: ' ;;
	race) echo '^race: ' ;;
	lost) echo '^leak: ' ;;
	local) echo '^stack ' ;;
	esac
}
memcheck_says() {
	case $1 in
	over | under | used | local) echo 'Invalid \(read\|write\)\|unaddressable byte' ;;
	wrong) echo 'Invalid free\|Mismatched free' ;;
	unset) echo 'ninitialised' ;;
	race) echo 'data race' ;;
	lost) echo 'are \(definitely\|indirectly\|possibly\) lost' ;;
	esac
}

# says TOOL KIND PROGRAM NAME VARIANT: whether the tool says that there is a bug of this kind.
says() {
	case $1 in
	nfamem)
		timeout 60 "$BUILDDIR/nfamem" -q --check --stack -o "$tmp/said" -- "$tmp/plain/$3" "$4" "$5" \
			>"$tmp/out" 2>&1
		grep -q "$(nfamem_says "$2")" "$tmp/said"
		;;
	memcheck)
		timeout 60 valgrind -q --leak-check=full --log-file="$tmp/said" "$tmp/plain/$3" "$4" \
			"$5" >"$tmp/out" 2>&1
		grep -q "$(memcheck_says "$2")" "$tmp/said"
		;;
	asan | tsan)
		timeout 60 "$tmp/$1/$3" "$4" "$5" >"$tmp/said" 2>&1
		grep -q 'ERROR: \|WARNING: ThreadSanitizer' "$tmp/said"
		;;
	esac
}

# result TOOL KIND PROGRAM NAME: prints found, missed or false.
result() {
	if says "$1" "$2" "$3" "$4" good; then
		echo false
	elif says "$1" "$2" "$3" "$4" bad; then
		echo found
	else
		echo missed
	fi
}

# As a table of Markdown, if that is wanted.
written() {
	if ! $table; then
		cat
		return
	fi
	awk -v tools="$*" 'BEGIN { n = split(tools, tool, " ")
		printf "| case |"
		for (i = 1; i <= n; i++)
			printf " %s |", tool[i]
		printf "\n|---|"
		for (i = 1; i <= n; i++)
			printf "---|"
		print "" }
	{ printf "| %s |", $1
		for (i = 1; i <= n; i++) {
			printf " %s |", $(i + 1)
			found[i] += $(i + 1) == "found" }
		print "" }
	END { printf "| found, of %d |", NR
		for (i = 1; i <= n; i++)
			printf " %d |", found[i]
		print "" }'
}

case " $* " in *' nfamem '* | *' memcheck '*) built plain ;; esac
case " $* " in *' asan '*) built asan -fsanitize=address ;; esac
case " $* " in *' tsan '*) built tsan -fsanitize=thread ;; esac
while read -r name kind program rest; do
	case $name in '' | '#'*) continue ;; esac
	case ${only:+ $only } in '' | *" $name "*) ;; *) continue ;; esac
	line=$name
	for tool; do
		line="$line $(result "$tool" "$kind" "$program" "$name")"
	done
	echo "$line"
done <"$cases/cases.txt" | written "$@"
