# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# lib.sh: prints TAP from shell tests, which source it. The plan comes last, because the number of
# cases is not known before.
set -u
tap_n=0
tap_failed=0
tmp=$(mktemp -d "${TMPDIR:-/tmp}/nfacc-test.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM

ok() {
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $1"
}

# not_ok NAME [FILE]: reports a failed case. FILE says why it failed. With FIRST_FAILURE set the
# test ends here.
not_ok() {
	tap_n=$((tap_n + 1))
	tap_failed=1
	echo "not ok $tap_n - $1"
	if [ $# -gt 1 ] && [ -f "$2" ]; then
		sed 's/^/# /' "$2" | head -n 40
	fi
	if [ -n "${FIRST_FAILURE:-}" ]; then
		plan
		exit 1
	fi
}

skip() {
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $1 # SKIP $2"
}

# check NAME WANTED GOT: reports a case, in which two files must be the same.
check() {
	if diff -u "$2" "$3" >"$tmp/diff" 2>&1; then
		ok "$1"
	else
		not_ok "$1" "$tmp/diff"
	fi
}

# is NAME WANTED GOT: reports a case, in which two texts must be the same.
is() {
	printf '%s\n' "$2" >"$tmp/is.wanted"
	printf '%s\n' "$3" >"$tmp/is.got"
	check "$1" "$tmp/is.wanted" "$tmp/is.got"
}

# wait_for COMMAND...: waits until a command succeeds, at most a minute: a busy machine starts
# processes late.
wait_for() {
	for _ in $(seq 1500); do
		"$@" && return
		sleep 0.04
	done
	return 1
}

# setting NAME PRESET: gives the variable NAME its preset if the environment does not set it. It
# must be a positive number. If it is not, the test ends here, and fails: otherwise it would do
# nothing and pass.
setting() {
	eval "value=\${$1-$2}"
	case $value in
	'' | 0* | *[!0-9]* | ???????????*)
		echo "Bail out! $1=$value is not a positive number"
		exit 99
		;;
	esac
	eval "$1=$value"
}

# full: is this a run of `make check-full`? A test then does what it leaves out in `make check`, and
# leaves out what it did there.
full() {
	[ -n "${NFACC_FULL:-}" ]
}

# turn NUMBER PARTS: `make check` tries one of PARTS parts of a long list, and `make check-full` the
# others. This says whether the NUMBERth of the list has its turn now. NFACC_SEED chooses the part:
# the test calls `seed_of_day` first, so that it is another one each day.
turn() {
	if [ $(((NFACC_SEED + $1) % $2)) -eq 0 ]; then ! full; else full; fi
}
seed_of_day() {
	setting NFACC_SEED $(($(date +%s) / 86400))
	echo "# NFACC_SEED=$NFACC_SEED"
}

# wants NAME WANTED GOT [HEAD]: puts a case down for `compare`. Two files must be the same, where
# HEAD is a first line that GOT lacks.
wants() {
	printf '%s\t%s\t%s\t%s\n' "$@" >>"$tmp/wants"
}
# compare: reports the cases that were put down. One process reads all files.
compare() {
	LC_ALL=C awk -F '\t' '
		function slurp(file,  text, more, got) {
			RS = "\001"
			while ((got = (getline more <file)) > 0)
				text = text more RS
			close(file)
			RS = "\n"
			return got < 0 ? "\001there is no " file : text
		}
		{ print (slurp($2) == ($4 != "" ? $4 "\n" : "") slurp($3) ? "same" : "differs") "\t" $0 }
	' "$tmp/wants" >"$tmp/compared"
	while IFS='	' read -r how name wanted got head; do
		if [ "$how" = same ]; then
			ok "$name"
			continue
		fi
		{ [ -z "$head" ] || echo "$head"; cat "$got"; } >"$tmp/with-head"
		check "$name" "$wanted" "$tmp/with-head"
	done <"$tmp/compared"
	: >"$tmp/wants"
}

# plan: prints the plan. It fails if a case has failed or if there was none, and so does a test of
# which it is the last command.
plan() {
	[ "$tap_n" -gt 0 ] || not_ok 'the test ran nothing'
	echo "1..$tap_n"
	return $tap_failed
}

# verilog_only NAME TOOL...: ends the test if a tool is not installed, or if NFACC_NO_VERILOG is
# set. A build with sanitizers sets it, because nothing that they check runs in such a test.
verilog_only() {
	name=$1
	shift
	why=${NFACC_NO_VERILOG:+NFACC_NO_VERILOG is set}
	for tool; do
		command -v "$tool" >/dev/null 2>&1 || why="$tool is not installed"
	done
	if [ -n "$why" ]; then
		skip "$name" "$why"
		plan
		exit 0
	fi
}

# rtl_dirs RTL: prints the options that make Verilator and Icarus find the engine's modules, whose
# Verilog is in the folder RTL.
rtl_dirs() {
	sed -n "s|^\([^/][^/]*\)/.*|-y $1/\1|p" "$1/nfacc.f" | sort -u | tr '\n' ' '
}

# rtl_files RTL: prints the files of these modules.
rtl_files() {
	sed -n "s|^[^/]|$1/&|p" "$1/nfacc.f" | tr '\n' ' '
}
