# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# The thesis's figures 28b and 29 from bench-misses.dat, in bench-misses-accesses.svg and
# bench-misses-kinds.svg.
set encoding utf8
set style fill solid 1.0
set border lc rgb '#404040'
set tics nomirror out scale 0.5

set terminal svg size 900,420 background rgb 'white' font 'sans,12'
set output 'bench-misses-accesses.svg'
set title 'Accesses and misses of the 24 lines of the search tree, 2048 lookups'
set style data histograms
set style histogram clustered gap 1
set xtics rotate by 45 right
set xlabel 'offset of the line in the tree'
set ylabel 'accesses or misses'
set key autotitle columnheader top right reverse Left samplen 1.5
set grid ytics lc rgb '#d0d0d0'
set xrange [-0.8:23.8]
set yrange [0:*]
plot 'bench-misses.dat' index 0 using 2:xtic(1) lc rgb '#4477aa', \
	'' index 0 using 3 lc rgb '#ee7733', \
	'' index 0 using 4 lc rgb '#228833'

# Numbers on dark cells are white.
stats 'bench-misses.dat' index 1 using 3 name 'often' nooutput
stats 'bench-misses.dat' index 2 using 3 name 'seldom' nooutput
dark(n, most) = n > 0.72 * most ? 0xffffff : 0x202020

set terminal svg size 1100,560 background rgb 'white' font 'sans,12'
set output 'bench-misses-kinds.svg'
unset key
set key noautotitle
unset grid
set multiplot layout 2,1 title 'Misses of each line by kind, 2048 lookups'
set palette defined (0 '#fff7ec', 0.5 '#fdbb84', 1 '#b30000')
set cbrange [0:*]
set cblabel 'misses'
set xrange [-0.5:23.5]
set yrange [-0.5:2.5]
set ylabel ''
set xlabel 'offset of the line in the tree'
set xtics rotate by 45 right scale 0 ()
set for [i = 0:23] xtics add (sprintf('0x%x', 128 * i) i)
set ytics scale 0 ('coherency' 0, 'capacity or conflict' 1, 'all' 2)
set title 'p = 0.125'
plot 'bench-misses.dat' index 1 using 1:2:(0.5):(0.5):3 with boxxyerror lc palette, \
	'' index 1 using 1:2:3:(dark($3, often_max)) with labels textcolor rgb variable font ',10'
set title 'p = 0.01'
plot 'bench-misses.dat' index 2 using 1:2:(0.5):(0.5):3 with boxxyerror lc palette, \
	'' index 2 using 1:2:3:(dark($3, seldom_max)) with labels textcolor rgb variable font ',10'
unset multiplot
