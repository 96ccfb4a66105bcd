# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Completion of nfactl for fish, made by genoptions from its options (make options).
complete -c nfactl -l list -d 'list the kinds of devices, and the commands'
complete -c nfactl -l timeout -x -d 'the most milliseconds for an access, a wait, or a pause within the output'
complete -c nfactl -l stream -rF -d 'read the output there, as bare words, if the device brings none'
complete -c nfactl -s i -l image -rF -d 'the image whose labels and protocol stream, inject and selftest use'
complete -c nfactl -l on -x -d 'swap: the image takes over after the first batch with one of these labels'
complete -c nfactl -s o -l output -rF -d 'where stream writes; others can follow the file meanwhile'
complete -c nfactl -s t -l to -x -a 'text records compact dense json csv perfetto vcd pcapng pretty' -d 'the form in which stream writes'
complete -c nfactl -s n -l records -x -d 'end stream after N records'
complete -c nfactl -l lines -d 'stream names the accepting lines that records name, in place of labels'
complete -c nfactl -l ring-size -x -d 'ring: how many bytes of memory it takes, a multiple of 4096'
complete -c nfactl -l batches -x -d 'selftest: how many random batches a simulated engine is given'
complete -c nfactl -s q -l quiet -d 'print faults only'
complete -c nfactl -s h -l help -d 'this text'
complete -c nfactl -s V -l version -d 'the version'
