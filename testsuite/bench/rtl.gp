# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# LUT sites and flip-flops of bench-rtl.dat, beside the thesis's model and measurements.
set terminal svg size 1000,500 background rgb 'white' font 'sans,12'
set output 'bench-rtl.svg'
set datafile missing '?'
set style data histograms
set style fill solid
set key outside right
set logscale y
set xtics rotate by -45
set grid y
plot 'bench-rtl.dat' using 3:xtic(1) every ::1 title 'LUT sites', '' using 8 every ::1 title 'LUTs, T table 8', \
	'' using 10 every ::1 title 'LUTs, T eq. 31', '' using 4 every ::1 title 'FFs', \
	'' using 9 every ::1 title 'FFs, T table 8', '' using 11 every ::1 title 'FFs, T eq. 30'
