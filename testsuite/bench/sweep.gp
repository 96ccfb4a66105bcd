# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Figure 30 of the thesis: LUT sites and flip-flops of bench-sweep.dat, beside nfacc's model and the
# thesis's (T eq. 30, 31).
set terminal svg size 1200,600 background rgb 'white' font 'sans,12'
set output 'bench-sweep.svg'
set multiplot layout 2,4
set style data linespoints
set pointsize 0.5
set key top left
set grid
set xtics font ',10'
set yrange [0:*]
array names[4] = ['C (clique)', 'L (length)', 'R (rings)', 'NCLS (lines)']
do for [i = 1:4] {
	set xlabel names[i]
	set ylabel i == 1 ? 'LUTs' : ''
	plot 'bench-sweep.dat' index i - 1 every ::1 using 1:2 title 'Yosys', \
		'' index i - 1 every ::1 using 1:4 title 'our model', \
		'' index i - 1 every ::1 using 1:6 title 'T eq. 31'
}
do for [i = 1:4] {
	set xlabel names[i]
	set ylabel i == 1 ? 'flip-flops' : ''
	plot 'bench-sweep.dat' index i - 1 every ::1 using 1:3 title 'Yosys', \
		'' index i - 1 every ::1 using 1:5 title 'our model', \
		'' index i - 1 every ::1 using 1:7 title 'T eq. 30'
}
unset multiplot
