# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Figures 6 to 8 of the paper on ETM2, from bench-etm-6.dat to bench-etm-8.dat of the model.
set encoding utf8
set terminal svg size 1200,380 background rgb 'white' font 'sans,12'
set style data lines
set border 3 lc rgb '#404040'
set tics nomirror out scale 0.5
set grid lc rgb '#e0e0e0'
set key top left reverse Left samplen 2
set xlabel 'target in MB/s'
array kinds[4] = ['prefetch', 'read', 'write', 'modify']
array colours[4] = ['#4477aa', '#66ccee', '#228833', '#ee6677']
array names[9] = ['PR', 'PR-stop', 'PR-user', 'TB 3:1', 'TB 2:2', 'TB 1:3', 'TB 3:1', 'TB 2:2', 'TB 1:3']
do for [figure = 6:8] {
	set output sprintf('bench-etm-%d.svg', figure)
	file = sprintf('bench-etm-%d.dat', figure)
	right = figure == 8 ? 3840 : 1000
	above = figure == 8 ? 2600 : 1300
	set xrange [0:right]
	set yrange [0:above]
	set multiplot layout 1,3
	do for [r = 0:2] {
		set title names[3 * (figure - 6) + r + 1]
		set ylabel (r == 0 ? 'transferred in MB/s' : '')
		plot x notitle lc rgb '#a0a0a0' dt 2, for [k = 1:4] file using 1:(column(1 + 4 * r + k)) lc rgb colours[k] lw (5 - k) * 0.8 + 0.8 title kinds[k]
	}
	unset multiplot
}
