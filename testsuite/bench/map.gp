# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# The thesis's figure 34 from bench-map.dat.
set terminal svg size 800,500 background rgb 'white' font 'sans,12'
set output 'bench-map.svg'
set datafile missing '?'
set key autotitle columnheader outside right
set logscale y
set format y '10^{%T}'
set xlabel 'STEs of the overlay, n'
set ylabel 'CPU seconds'
set grid
columns = int(system('head -n 1 bench-map.dat | wc -w'))
plot for [i = 2:columns] 'bench-map.dat' using 1:i with linespoints
