# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
# Completion of nfaplot for fish, made by genoptions from its options (make options).
# Is no word before the cursor an operand? A word is none if it begins with "-" or is
# the value of an option.
function __nfaplot_no_operand
    set -l words (commandline -opc)
    set words $words[2..-1]
    while set -q words[1]
        switch $words[1]
            case -p --protocol -I -f --from --ring-start --map --between --at --signal --time -D -j --jobs --size --title --columns --rows --points -o --output --color --colour
                set words $words[2..-1]
            case '-*'
            case '*'
                return 1
        end
        set words $words[2..-1]
    end
end
complete -c nfaplot -n __nfaplot_no_operand -f -a 'scatter\\t"when each request came, for which line, and how long it took" heat\\t"messages for each line over time" rate\\t"messages over time" histogram\\t"how long answers took" in-flight\\t"requests that are open over time"'
complete -c nfaplot -s p -l protocol -rF -a 'ahb-lite ahb-lite-data apb apb-data axi-stream axi-stream-data axi4 axi4-data axi4-lite axi4-lite-data tilelink-ul tilelink-ul-data ace ace-front ace-snoop tlc wishbone wishbone-data bytes eci eci-block eci-coherence eci-front mem mem-word' -d 'the protocol of the trace: a name, or the file of an image or a description'
complete -c nfaplot -s I -x -a '(__fish_complete_directories (commandline -ct))' -d 'look for NAME.proto there first'
complete -c nfaplot -s f -l from -x -a 'text records compact dense ila dump raw vcd fst ring-memory' -d 'the form of the trace'
complete -c nfaplot -l ring-start -x -d 'the oldest sample of a ring, counted from 0'
complete -c nfaplot -l map -rF -d 'JSON that says what sources and widths of samples mean'
complete -c nfaplot -l between -x -d 'read only batches with A <= time < B'
complete -c nfaplot -l strict -d 'a damaged chunk is an error, not a loss'
complete -c nfaplot -l as-is -d 'read a trace that looks compressed as it stands'
complete -c nfaplot -l at -x -d 'where a waveform has the signals of an interface, such as top.cpu.m_axi_'
complete -c nfaplot -l signal -x -d 'where a waveform has one signal of the taps'
complete -c nfaplot -l end -d 'of a waveform: its end is a last sample, as if an edge of the clock came'
complete -c nfaplot -l time -x -a 'cycles\\t"samples, counted from 0" wave\\t"time stamps of the waveform"' -d 'of a waveform: times are cycles, or its own time stamps'
complete -c nfaplot -s D -x -d 'set a parameter of the protocol, or of FILTER'
complete -c nfaplot -s j -l jobs -x -d 'read in N threads (0: one a core); the picture is the same'
complete -c nfaplot -l size -x -d 'width and height of the picture in pixels'
complete -c nfaplot -l title -x -d 'what stands above the plot'
complete -c nfaplot -l log -d 'a logarithmic scale of latencies, counts or colours'
complete -c nfaplot -l columns -x -d 'heat, rate, in-flight: at most N columns of time'
complete -c nfaplot -l rows -x -d 'heat: at most N rows of lines'
complete -c nfaplot -l points -x -d 'scatter: at most N requests, besides the slowest'
complete -c nfaplot -s o -l output -rF -d 'write to FILE: by the end of its name .svg, .png, or .gp for gnuplot\'s input'
complete -c nfaplot -s q -l quiet -d 'no progress'
complete -c nfaplot -l color -x -a 'auto always never' -d 'colour messages, and what is shown on a terminal'
complete -c nfaplot -s h -l help -d 'this text'
complete -c nfaplot -s V -l version -d 'the version'
