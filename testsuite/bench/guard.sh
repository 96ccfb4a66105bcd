#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# make bench-guard: builds the last tag, or the commit that GUARD names, as this build was
# configured, and runs bench_guard on both. Without a tag it builds the latest commit that is a week
# older than the one that is checked out. What was built stays in guard/ of the build folder, a
# folder a commit, for the next time. ROW measures only the rows whose names contain it.
#
#   SRCDIR=... BUILDDIR=... guard.sh
#
# Exit code 1: a row is slow; 77: there is nothing to compare with; else: something failed.
set -u

# nothing WHY: ends the script, since nothing can be compared.
nothing() {
	echo "bench-guard: $1" >&2
	exit 77
}

# failed WHY: ends the script after a command failed.
failed() {
	echo "bench-guard: error: $1" >&2
	exit 3
}

make=${MAKE:-make}
# The outer make's options and variables do not belong to the other tree.
unset MAKEFLAGS MFLAGS MAKELEVEL
git -C "$SRCDIR" rev-parse HEAD >/dev/null 2>&1 || nothing 'the sources are no git checkout'
name=${GUARD:-$(git -C "$SRCDIR" describe --tags --abbrev=0 2>/dev/null)}
if [ -z "$name" ]; then
	now=$(git -C "$SRCDIR" log -1 --format=%ct)
	name=$(git -C "$SRCDIR" rev-list -1 --first-parent --before=$((now - 7 * 24 * 3600)) HEAD)
	[ -n "$name" ] || nothing "there is no tag, and no commit that is a week older; \
GUARD=COMMIT names what to compare with"
	echo 'bench-guard: there is no tag; compared is with the program of a week before'
fi
commit=$(git -C "$SRCDIR" rev-parse --verify --quiet "$name^{commit}") ||
	failed "there is no commit '$name'"
tree=$BUILDDIR/guard/$commit
if [ ! -e "$tree/built" ]; then
	rm -rf "$tree"
	mkdir -p "$tree/build" || failed "can't make $tree"
	git -C "$SRCDIR" archive "$commit" | tar xf - -C "$tree" || failed "can't unpack $name"
	# Speed is compared, not warnings: a newer compiler may have more of them.
	(
		cd "$tree" && autoreconf -fi && cd build &&
			eval "../configure -q $("$BUILDDIR/config.status" --config) --disable-werror" &&
			"$make" -s nfarun nfacc nfagen
	) >"$tree/log" 2>&1 || {
		tail -n 20 "$tree/log" >&2
		failed "can't build $name"
	}
	: >"$tree/built"
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/nfacc-guard.XXXXXX") || failed "can't make a folder"
trap 'rm -rf "$work"' EXIT
trap 'exit 3' INT TERM
echo "before: $name, $commit"
cd "$work" || exit 3
"$BUILDDIR/testsuite/bench/bench_guard" "$BUILDDIR" "$tree/build" ${ROW:+"$ROW"}
