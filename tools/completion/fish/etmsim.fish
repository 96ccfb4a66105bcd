# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Completion of etmsim for fish, made by genoptions from its options (make options).
complete -c etmsim -l core -x -a 'a35 a53 a55 a57 a72 a76 a78 armv9' -d 'the core: what its trace unit has, and on which inputs events come'
complete -c etmsim -s I -x -a '(__fish_complete_directories (commandline -ct))' -d 'look for NAME.etm there first'
complete -c etmsim -l reading -x -d 'what the trace unit does at the points that no text settles'
complete -c etmsim -l until -x -d 'go on up to cycle N; without TRACE nothing comes in'
complete -c etmsim -s f -l from -x -a 'text records compact dense ila dump raw vcd fst ring-memory' -d 'the form of the trace'
complete -c etmsim -s t -l to -x -a 'text records compact dense json csv perfetto vcd pcapng pretty' -d 'the form of the output'
complete -c etmsim -l all -d 'write every batch, not only cycles that change the state or an output'
complete -c etmsim -s o -l output -rF -d 'write to FILE'
complete -c etmsim -l color -x -a 'auto always never' -d 'colour messages, and what is shown on a terminal'
complete -c etmsim -s h -l help -d 'this text'
complete -c etmsim -s V -l version -d 'the version'
