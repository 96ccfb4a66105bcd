# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# report.awk: prints what lcov counted (coverage.sh). Of the variables, src is the prefix of file
# names, causes the file of causes, and list the file for the branches that were not taken. Exit code
# 1 if fewer than `least` per cent were taken.
BEGIN {
	while ((getline line <causes) > 0)
		if (line !~ /^(#|$)/) {
			split(line, part, "\t")
			cause[++ncauses] = part[1]
			pattern[ncauses] = part[2]
		}
	printf "" >list
}

# The cause that a line of source text stands for: the first whose pattern matches.
function cause_of(text, i) {
	for (i = 1; i <= ncauses; i++)
		if (text ~ pattern[i])
			return cause[i]
	return "a combination of conditions that no test has"
}

function read_source(file, n, line) {
	delete text
	while ((getline line <file) > 0)
		text[++n] = line
	close(file)
}

/^SF:/ {
	read_source(substr($0, 4))
	name = substr($0, 4 + length(src))
	folder = name
	sub(/\/[^\/]*$/, "", folder)
	if (!(folder in total)) {
		order[++nfolders] = folder
		total[folder] = 0
	}
}

/^DA:/ {
	split(substr($0, 4), f, ",")
	lines[folder]++
	run[folder] += f[2] != 0
}

/^BRDA:/ {
	split(substr($0, 6), f, ",")
	total[folder]++
	if (f[4] != "-" && f[4] != 0) {
		taken[folder]++
		next
	}
	gsub(/^[ \t]+/, "", text[f[1]])
	why = cause_of(text[f[1]])
	if (!(why in missed))
		whys[++nwhys] = why
	missed[why]++
	if (name ":" f[1] != last)
		printf "%s:%d: %s: %s\n", name, f[1], why, text[f[1]] >list
	last = name ":" f[1]
}

function percent(x, n) {
	return n == 0 ? 100 : 100 * x / n
}

END {
	printf "%-28s %16s %26s\n", "folder", "lines", "branches"
	for (i = 1; i <= nfolders; i++) {
		d = order[i]
		printf "%-28s %6d %7.1f %% %6d of %6d %7.1f %%\n", d, lines[d], \
			percent(run[d], lines[d]), taken[d], total[d], percent(taken[d], total[d])
		l += lines[d]; r += run[d]; b += total[d]; t += taken[d]
	}
	printf "%-28s %6d %7.1f %% %6d of %6d %7.1f %%\n", "all", l, percent(r, l), t, b, percent(t, b)
	printf "\nbranches not taken, by cause (each is in coverage/%s)\n", list
	for (i = 1; i <= nwhys; i++)
		printf "%6d  %s\n", missed[whys[i]], whys[i]
	if (b == 0) {
		print "nothing was counted"
		exit 1
	}
	if (percent(t, b) < least) {
		printf "fewer than %d %% of the branches\n", least
		exit 1
	}
}
