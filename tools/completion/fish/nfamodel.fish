# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Completion of nfamodel for fish, made by genoptions from its options (make options).
# Is no word before the cursor an operand? A word is none if it begins with "-" or is
# the value of an option.
function __nfamodel_no_operand
    set -l words (commandline -opc)
    set words $words[2..-1]
    while set -q words[1]
        switch $words[1]
            case -o --output -p --protocol -I --out-depth --serve
                set words $words[2..-1]
            case '-*'
            case '*'
                return 1
        end
        set words $words[2..-1]
    end
end
complete -c nfamodel -n __nfamodel_no_operand -a 'blue counters default green guards orange payload red rings4 table8-300 table8-4 table8-4x128 violet yellow'
complete -c nfamodel -s o -l output -x -a '(__fish_complete_directories (commandline -ct))' -d 'where models are'
complete -c nfamodel -s p -l protocol -x -a 'ahb-lite ahb-lite-data apb apb-data axi-stream axi-stream-data axi4 axi4-data axi4-lite axi4-lite-data tilelink-ul tilelink-ul-data ace ace-front ace-snoop tlc wishbone wishbone-data bytes eci eci-block eci-coherence eci-front mem mem-word' -d 'what it taps, where the overlay leaves that open'
complete -c nfamodel -s I -x -a '(__fish_complete_directories (commandline -ct))' -d 'look there for protocols first'
complete -c nfamodel -l xilinx -d 'the vendor primitives, with simulation models of them'
complete -c nfamodel -l trace -d 'the model can write waveforms'
complete -c nfamodel -l out-depth -x -d 'batches that wait for the output'
complete -c nfamodel -l ring -d 'the engine can write its records to a ring in memory'
complete -c nfamodel -l serve -rF -d 'then run it, for nfactl(1) at the socket PATH, until a signal comes'
complete -c nfamodel -s h -l help -d 'this text'
complete -c nfamodel -s V -l version -d 'the version'
