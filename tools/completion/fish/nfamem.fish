# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Completion of nfamem for fish, made by genoptions from its options (make options).
complete -c nfamem -l engine -x -a 'patch\\t"after its first fault, an instruction jumps to a copy that records its accesses" stub\\t"each access faults, and a copy of the instruction carries it out" step\\t"each access faults, and memory is opened for this one instruction"' -d 'how accesses are recorded'
complete -c nfamem -l watch -x -d 'watch only this variable, or what this function allocates (malloc@FUNCTION)'
complete -c nfamem -l follow -d 'also watch the processes that the program starts'
complete -c nfamem -l from-start -d 'record the whole run, even if the program calls MadT__start() and MadT__stop()'
complete -c nfamem -l detach-after -x -d 'stop watching after about N accesses; the program goes on'
complete -c nfamem -s f -l filter -rF -d 'write the matches of this filter as they are found, and no trace; FILTER is an image, or a filter (.re), which is compiled first'
complete -c nfamem -l once -d 'with -f: write only the first of the matches that differ in nothing but block, offset and thread'
complete -c nfamem -l format -x -a 'madt\\t"a line for each event, with names" madt-raw\\t"a line for each event, with numbers" madt-both\\t"both lines" compact\\t"a compact trace of protocol mem" compact-word\\t"a compact trace of protocol mem-word"' -d 'the format of the trace; with --summary or --page-map there is a trace only if this is given'
complete -c nfamem -l summary -d 'at the end, write how many events there were'
complete -c nfamem -l page-map -rF -d 'draw how often each page was accessed, as SVG'
complete -c nfamem -s o -l output -rF -d 'write to FILE'
complete -c nfamem -s q -l quiet -d 'write no notes and no progress to standard error'
complete -c nfamem -l color -x -a 'auto always never' -d 'colour messages, and what is shown on a terminal'
complete -c nfamem -s h -l help -d 'this text'
complete -c nfamem -s V -l version -d 'the version'
