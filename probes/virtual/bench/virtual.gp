# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# virtual.gp: draws what virtual.sh has measured, from the files in `folder`.
set terminal pngcairo size 1000,420 font 'sans,11'
set grid xtics lc rgb '#dddddd'
set xlabel 'step (an access of one core)'
set format x '%.1s%c'

names = 'main draw blur_rows blur_columns gradients thin thresholds follow'
row(f) = sum [i=1:words(names)] (word(names, i) eq f ? i : 0)
set output 'virtual-functions.png'
set title 'Reads of code with virtual addresses, by function'
set yrange [words(names) + 0.5:0.5]
set ytics ()
do for [i=1:words(names)] { set ytics add (sprintf('%s', system("echo ".word(names, i)." | sed 's/_/\\\\_/'")) i) }
unset key
plot folder.'/functions' using 1:(row(strcol(2))) with points pt 5 ps 0.6 lc rgb '#1f77b4'

set output 'virtual-pages.png'
set title 'Reads of data with virtual addresses, by page'
pages = system("awk '{ print $2 }' ".folder."/pages | LC_ALL=C sort -u | tr '\\n' ' '")
page(p) = sum [i=1:words(pages)] (word(pages, i) eq p ? i : 0)
set yrange [*:*]
stats folder.'/pages' using 1 nooutput
columns = 100
width = (STATS_max + 1) / columns
set yrange [0.5:words(pages) + 0.5]
set ytics () font 'sans,8'
do for [i=1:words(pages)] { set ytics add (word(pages, i).'000' i) }
system("awk -v w=".sprintf('%f', width)." '{ n[int($1 / w) \" \" $2]++ } END { for (k in n) print k, n[k] }' ".folder."/pages >".folder."/cells")
set cblabel 'reads' offset 2
set palette defined (0 '#deebf7', 0.5 '#6baed6', 1 '#08306b')
set style fill solid noborder
plot folder.'/cells' using (($1 + 0.5) * width):(page(strcol(2))):(width / 2):(0.5):3 with boxxyerror fc palette

set output 'virtual-overhead.png'
set title 'Invalidations and additional misses for each 1,000 accesses, second level 8 KiB'
unset colorbox
set style data histogram
set style histogram clustered gap 1
set style fill solid
set logscale y
set yrange [0.01:100]
set xlabel ''
set format x '%s'
unset grid
set grid ytics lc rgb '#dddddd'
set ytics auto font 'sans,11'
set key outside right
set ylabel ''
plot folder.'/bars' using 2:xtic(1) title 'lines cleaned', '' using 3 title 'TLB invalidations', \
	'' using 4 title 'first-level misses', '' using 5 title 'second-level misses'
