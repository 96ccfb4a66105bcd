#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# run.sh TEST [ARGUMENT...]: runs one test for automake's driver, and passes its TAP on. A test that
# prints no result has tested nothing, and fails, unless its plan gives a reason: `1..0 # SKIP why`.
# The driver alone would count such a test as skipped. The last line is a comment: the CPU time that
# the test and all that it started took. The exit code is the test's.
exec 3>&1
ended=$(
	{
		{
			"$@" 3>&- 4>&-
			echo $? >&4
			times >&4
		} | awk '
			/^(not )?ok([ \t]|$)/ || /^1\.\.0[ \t]*# *[Ss][Kk][Ii][Pp]/ { results++ }
			{ print; fflush() }
			END { if (!results) print "Bail out! the test ran nothing" }' >&3
	} 4>&1
)
# The exit code; user and system time of the shell; and those of what it ran.
# shellcheck disable=SC2086
set -- $ended
echo "# CPU time: $4 user, $5 system"
exit "$1"
