# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Completion of nfamem for fish, made by genoptions from its options (make options).
complete -c nfamem -l engine -x -a 'patch\\t"an instruction jumps to a copy that records, once it has faulted" stub\\t"each access faults, and a copy of the instruction does it" step\\t"each access faults, and memory is open for one instruction"' -d 'how accesses are seen'
complete -c nfamem -l watch -x -d 'watch only this variable, or what this function allocates (malloc@FUNCTION)'
complete -c nfamem -l follow -d 'watch the processes that the program starts, too'
complete -c nfamem -l from-start -d 'record the whole run, also if the program calls MadT__start() and MadT__stop()'
complete -c nfamem -l detach-after -x -d 'leave the program alone after N accesses'
complete -c nfamem -s f -l filter -rF -d 'write what this filter finds, as soon as it does: an image, or a filter (.re) that is compiled'
complete -c nfamem -l once -d 'with -f: write equal matches once, whichever block, offset and thread'
complete -c nfamem -l format -x -a 'madt\\t"a line for each event, with names" madt-raw\\t"a line for each event, with numbers" madt-both\\t"both lines" compact\\t"a compact trace of protocol mem" compact-word\\t"a compact trace of protocol mem-word"' -d 'the form of the trace; with -f or --summary there is none unless this is given'
complete -c nfamem -l summary -d 'at the end, how many events there were'
complete -c nfamem -l page-map -rF -d 'draw how often each page was accessed, as SVG; then there is no trace either'
complete -c nfamem -s o -l output -rF -d 'write to FILE'
complete -c nfamem -s q -l quiet -d 'no notes on standard error'
complete -c nfamem -l color -x -a 'auto always never' -d 'colour messages, and what is shown on a terminal'
complete -c nfamem -s h -l help -d 'this text'
complete -c nfamem -s V -l version -d 'the version'
