# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Throughput of the software engine from bench-curves.dat: each curve is a block of the file, two a
# panel and three in the last, in this order.
level = system("sed -n '1s/^# //p' bench-curves.dat")
set terminal svg size 1000,760 background rgb 'white' font 'sans,12'
set output 'bench-curves.svg'
set datafile separator whitespace
set multiplot layout 2,2 title \
	sprintf('nfacc software engine: throughput of one core, %s instructions', level) font 'sans,15'
set grid
set key bottom left Left reverse samplen 2 autotitle columnheader
set logscale xy
set ylabel 'million messages a second'
set yrange [0.5:5000]
set format y '%g'
set style line 1 lw 2 pt 7 ps 0.6 lc rgb '#0060ad'
set style line 3 lw 2 pt 9 ps 0.6 dt 2 lc rgb '#2e8b57'
set style line 2 lw 2 pt 5 ps 0.6 lc rgb '#dd6b00'

set title 'States: protocol bytes, a label for each pattern'
set xlabel 'states of the automaton'
set xrange [10:20000]
set format x '%.0f'
plot for [i = 0:1] 'bench-curves.dat' index i using 1:2 with linespoints ls i + 1

set title 'Labels: protocol bytes, words dealt to them'
set xlabel 'labels'
set logscale x 2
set xrange [1:512]
plot for [i = 2:3] 'bench-curves.dat' index i using 1:2 with linespoints ls i - 1

set title 'Lines: protocol eci, compact, checks.re (4 labels)'
set xlabel 'lines observed, each with its own copy of the automaton'
set xrange [1:1048576]
set xtics 16
plot for [i = 4:5] 'bench-curves.dat' index i using 1:2 with linespoints ls i - 3

set title 'Match rate: protocol eci, compact, one state'
set xlabel 'batches accepted, %'
set logscale x 10
set xrange [0.001:100]
set xtics auto
set format x '%g'
plot for [i = 6:8] 'bench-curves.dat' index i using 1:2 with linespoints ls i - 5
unset multiplot
