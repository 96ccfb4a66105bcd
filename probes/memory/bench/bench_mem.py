#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""What nfamem costs beside others that see the memory accesses of programs (make bench-mem).

Five programs run natively; under nfamem, counting, filtering and writing text; under valgrind, with
its tools none and lackey (--trace-mem=yes); and with gcc's hooks of -fsanitize=thread, which
hooks.c answers. All numbers are CPU seconds of the whole run, nfamem's own included, as the median
of RUNS (default 3). It runs in the build folder. Without nfamem the others are measured, and the
exit code is 1.
"""
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

SRC = os.environ.get('SRCDIR', '.')
CC = os.environ.get('CC', 'gcc').split()
RUNS = int(os.environ.get('RUNS', '3'))
HERE = os.path.join(SRC, 'probes/memory/bench')
NFAMEM = os.path.abspath('nfamem')
CASES = (('stringsearch', ['200']), ('qsort', ['5000']), ('susan', ['76', '95']),
         ('basicmath', ['30']), ('disparity', ['96', '64', '16']))
# Two sizes of one program: the difference is accesses alone, without starts and ends.
SLOPE = ('disparity', (['96', '64', '16'], ['192', '128', '24']))

# Programs of Debian, counted, that run for some tenths of a second natively; {} is the folder of their
# inputs. At most so many times as long.
TIMES = 10
DEBIAN = (('bzip2', ['-9c', '{}/text'], TIMES), ('xz', ['-1c', '{}/text'], TIMES),
          ('jq', ['-c', '.[].v', '{}/json'], TIMES),
          ('sqlite3', [':memory:', '-init', '{}/sql', '.quit'], TIMES),
          ('perl', ['{}/pl'], TIMES), ('python3', ['{}/py'], 6), ('luajit', ['{}/lua'], TIMES),
          ('node', ['{}/js'], TIMES))
INPUTS = {
    'pl': 'my (%h, $s); for my $i (1..1500000) { my $k = $i % 5003; $h{$k} += $i;\n'
          '$s += length("x$k"); } print $s, " ", scalar(keys %h), "\\n";\n',
    'py': 'd, s = {}, 0\nfor i in range(2000000):\n    k = i % 5003\n    d[k] = d.get(k, 0) + i\n'
          '    s += len("x%d" % k)\nprint(s, sorted(d.values())[7])\n',
    'lua': 'local h, s = {}, 0\nfor i = 1, 20000000 do local k = i % 5003 + 1\n'
           'h[k] = (h[k] or 0) + i; s = s + k end print(s, #h)\n',
    'js': 'let s = 0; const m = new Map(); for (let i = 0; i < 3000000; i++) {\n'
          "const k = 'k' + i % 5003; m.set(k, (m.get(k) || 0) + i); s += k.length; }\n"
          'console.log(s, m.size);\n',
    'sql': 'create table t(a integer primary key, b text, c real);\n'
           'with recursive n(i) as (select 1 union all select i + 1 from n where i < 400000)\n'
           "insert into t select i, 'n' || (i * 7919 % 10007), i * 1.5 from n;\n"
           'create index x on t(b);\n'
           'select b, count(*) from t group by b order by 2 desc, 1 limit 3;\n',
}
START = 4e-3 # seconds to start and to end, counting

# Runs of which one takes a few milliseconds, and the other some tenths of a second. They watch what
# their _start allocates, which is nothing.
UNWATCHED = (('qsort', (['5000'], ['1500000'])), ('basicmath', (['30'], ['40000'])),
             ('disparity', (['96', '64', '16'], ['1000', '700', '96'])))


def run(command, **more):
    """Runs a command; returns CPU seconds of it and its children, and its exit code."""
    p = subprocess.Popen(command, stdout=subprocess.DEVNULL, **more)
    _, status, usage = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, p.returncode


def remove_outputs(command):
    """Removes the files that a command writes: to replace a file costs more than to write a new
    one, as ext4 then writes it to the disk at once."""
    for before, argument in zip(command, command[1:]):
        path = argument if before == '-o' else argument.partition('--log-file=')[2]
        if path and os.path.exists(path):
            os.remove(path)


def seconds(command, runs=RUNS, times=1):
    """The median of the CPU seconds of `runs` runs, each `times` times in a row."""
    taken = []
    for _ in range(runs):
        total = 0
        for _ in range(times):
            remove_outputs(command)
            cpu, code = run(command, stderr=subprocess.DEVNULL)
            if code:
                sys.exit(f'{" ".join(command)}: exit code {code}')
            total += cpu
        taken.append(total / times)
    return statistics.median(taken)


def compile_all(tmp):
    for name, _ in CASES:
        source = os.path.join(HERE, name + '.c')
        base = CC + ['-std=gnu11', '-O2', '-g', '-no-pie']
        subprocess.run(base + [source, '-o', f'{tmp}/{name}', '-lm'], check=True)
        subprocess.run(CC + ['-std=gnu11', '-O2', '-g', '-fsanitize=thread', '-c', source, '-o',
                             f'{tmp}/{name}.o'], check=True)
        subprocess.run(CC + ['-O2', f'{tmp}/{name}.o', f'{HERE}/hooks.c', '-o',
                             f'{tmp}/{name}-hooks', '-lm'], check=True)


def hooked(command):
    said = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
    return int(said.stderr.split()[-1])


def lackey(tmp, command):
    return ['valgrind', '--tool=lackey', '--trace-mem=yes', f'--log-file={tmp}/lackey'] + command


def lackey_lines(tmp):
    """How many lines lackey wrote: of data, and of all."""
    data = every = 0
    with open(f'{tmp}/lackey', 'rb') as f:
        for line in f:
            if line[:3] in (b' L ', b' S ', b' M '):
                data += 1
                every += 1
            elif line[:3] == b'I  ':
                every += 1
    return data, every


def nfamem_lines(tmp):
    with open(f'{tmp}/text', 'rb') as f:
        return sum(line[:1] in b'LS' for line in f)


def nfamem(tmp, how, command):
    options = {'count': ['--summary', '-o', f'{tmp}/summary'],
               'filter': ['-f', f'{tmp}/filter.bin', '-o', f'{tmp}/matches'],
               'text': ['-o', f'{tmp}/text']}[how]
    return [NFAMEM, '-q'] + options + ['--'] + command


def share(tmp):
    """What the last summary says: accesses, instructions, how many of them were patched, faults."""
    with open(f'{tmp}/summary') as f:
        said = dict(line.rsplit(None, 1) for line in f if line.startswith('Number of '))
    count = {name[len('Number of '):]: int(number) for name, number in said.items()}
    return (count['performed loads'] + count['performed stores'],
            count['instructions that accessed memory'], count['these that were patched'],
            count['faults'])


def costs(tmp, ours):
    """Measures each program; returns rows, each a map from column to number."""
    rows = {}
    for name, arguments in CASES:
        command = [f'{tmp}/{name}'] + arguments
        row = rows[name] = {'native': seconds(command, times=10)}
        row['hooks'] = seconds([f'{tmp}/{name}-hooks'] + arguments, times=5)
        if ours:
            for how in 'count', 'filter', 'text':
                row[how] = seconds(nfamem(tmp, how, command))
            row['written'] = nfamem_lines(tmp)
            row['share'] = share(tmp)
        if shutil.which('valgrind'):
            row['none'] = seconds(['valgrind', '-q', '--tool=none'] + command)
            row['lackey'] = seconds(lackey(tmp, command), runs=1 if RUNS < 5 else 3)
            row['data'], row['lines'] = lackey_lines(tmp)
        print('.', end='', file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return rows


def table(title, rows, columns, form):
    print(f'\n{title}')
    print(f'{"":14}' + ''.join(f'{c:>12}' for c in columns))
    for name, row in rows.items():
        cells = (form(c, row) if c in row else '-' for c in columns)
        print(f'{name:14}' + ''.join(f'{cell:>12}' for cell in cells))


def target(what, wanted, values, good):
    """Prints a target of the benchmark beside what was measured; values: name -> number."""
    for name, value in values.items():
        how = 'met' if good(value) else 'missed'
        print(f'{what:44} {wanted:>9} {name:14} {value:10.2f}  {how}')


def slopes(tmp, ours):
    """Nanoseconds an access, from two sizes of one program; name of the tool -> number."""
    name, sizes = SLOPE
    plain = [[f'{tmp}/{name}'] + size for size in sizes]
    hooks = [[f'{tmp}/{name}-hooks'] + size for size in sizes]
    accesses = hooked(hooks[1]) - hooked(hooks[0])
    native = seconds(plain[1], times=3) - seconds(plain[0], times=3)
    spent = {'hooks': seconds(hooks[1]) - seconds(hooks[0])}
    if ours:
        for how in 'count', 'filter', 'text':
            spent[how] = (seconds(nfamem(tmp, how, plain[1])) - seconds(nfamem(tmp, how, plain[0])))
    if shutil.which('valgrind'):
        none = [['valgrind', '-q', '--tool=none'] + command for command in plain]
        spent['none'] = seconds(none[1]) - seconds(none[0])
        lines = []
        for command in plain:
            lines.append((seconds(lackey(tmp, command), runs=1), lackey_lines(tmp)[1]))
        theirs = (lines[1][0] - lines[0][0]) / (lines[1][1] - lines[0][1]) * 1e9
    else:
        theirs = None
    print(f'\nnanoseconds an access, of {accesses:,} of {name}, by difference of two sizes')
    cost = {how: (s - native) / accesses * 1e9 for how, s in spent.items()}
    for how, ns in cost.items():
        print(f'{how:14}{ns:12.2f}')
    if theirs is not None:
        cost['lackey'] = theirs
        print(f'{"lackey":14}{theirs:12.2f}  a line, of fetches and of the stack, too')
    return cost


def unwatched(tmp):
    """What --watch costs a program that does not touch what is watched; name -> slowdown of the
    longer run, and without starts and ends. The runs alternate, so what else the machine does is
    in both."""
    whole, slope = {}, {}
    for name, sizes in UNWATCHED:
        taken = {(how, size): [] for how in ('native', 'watch') for size in (0, 1)}
        for _ in range(max(RUNS, 9)):
            for size, arguments in enumerate(sizes):
                command = [f'{tmp}/{name}'] + arguments
                watch = [NFAMEM, '-q', '--summary', '-o', f'{tmp}/summary', '--watch',
                         'malloc@_start', '--'] + command
                taken['native', size].append(seconds(command, runs=1))
                taken['watch', size].append(seconds(watch, runs=1))
        cost = {key: statistics.median(values) for key, values in taken.items()}
        whole[name] = cost['watch', 1] / cost['native', 1]
        slope[name] = ((cost['watch', 1] - cost['watch', 0]) /
                       (cost['native', 1] - cost['native', 0]))
        print(f'{name}: {cost["native", 1]:.3f} s native, {cost["watch", 1]:.3f} s with --watch of '
              f'what it does not touch')
    return whole, slope


def write_inputs(tmp):
    for name, text in INPUTS.items():
        with open(f'{tmp}/{name}', 'w') as f:
            f.write(text)
    with open(f'{tmp}/text', 'w') as f:
        f.writelines(f'{i * 7919 % 100003} is line {i} of {i * 31 % 1009} words\n'
                     for i in range(300000))
    with open(f'{tmp}/json', 'w') as f:
        json.dump([{'id': i, 'v': [i * k / 7 for k in range(5)], 'o': {'b': str(i)}}
                   for i in range(40000)], f)


def debian(tmp):
    """What it costs to count in programs of Debian. The runs alternate, so what else the machine does
    is in both."""
    write_inputs(tmp)
    print('\nprograms of Debian, counted: CPU seconds')
    for name, arguments, most in DEBIAN:
        path = shutil.which(name, path='/usr/bin:/bin')
        if path is None:
            print(f'{name:14}is not installed')
            continue
        command = [path] + [a.format(tmp) for a in arguments]
        native, counted = alternate(command, nfamem(tmp, 'count', command), RUNS)
        print(f'{name:14}{native:12.3f}{counted:12.3f}')
        target('counted / native', f'<= {most}', {name: counted / native}, lambda v: v <= most)


def alternate(command, other, runs):
    """The medians of two commands that run in turn."""
    taken = [[], []]
    for _ in range(runs):
        taken[0].append(seconds(command, runs=1))
        taken[1].append(seconds(other, runs=1))
    return statistics.median(taken[0]), statistics.median(taken[1])


def start(tmp):
    native, counted = alternate(['true'], nfamem(tmp, 'count', ['true']), 10 * RUNS)
    target('start, counting, in milliseconds', f'<= {START * 1e3:.0f}', {'true': 1e3 * (counted - native)},
           lambda v: v <= START * 1e3)


def shares(tmp, rows):
    """How many instructions were patched, and accesses made without a fault: of the programs here,
    and of those of Debian in programs.test. Returns both shares over all."""
    found = [(name, row['share']) for name, row in rows.items()]
    env = dict(os.environ, SRCDIR=os.path.abspath(SRC), BUILDDIR=os.getcwd(), SHARES=f'{tmp}/shares')
    subprocess.run(['sh', os.path.join(SRC, 'probes/memory/tests/programs.test')], env=env,
                   stdout=subprocess.DEVNULL, check=False)
    with open(f'{tmp}/shares') as f:
        for line in f:
            name, *numbers = line.split()
            found.append((name, tuple(int(number) for number in numbers)))
    found.append(('all', tuple(map(sum, zip(*(numbers for _, numbers in found))))))
    print(f'\n{"":14}{"accesses":>12}{"patched":>25}{"without a fault":>17}')
    for name, (accesses, sites, patched, faults) in found:
        print(f'{name:14}{accesses:12,}{patched:9,} of {sites:6,}{patched / sites:8.2%}'
              f'{1 - faults / accesses:17.3%}')
    return 100 * patched / sites, 100 * (1 - faults / accesses)


def agreement(tmp, ours):
    """Compares nfamem with lackey on arrays of the programs, access by access."""
    print('\naccesses to arrays, as nfamem and lackey have them, in order')
    for name, arguments, arrays in (('susan', ['20', '20'], ('brightness', 'place')),
                                    ('stringsearch', ['5'], ('skip',))):
        command = [f'{tmp}/{name}'] + arguments
        symbols = subprocess.run(['nm', '-S', f'{tmp}/{name}'], stdout=subprocess.PIPE, text=True,
                                 check=True).stdout
        for array in arrays:
            at, size = (int(x, 16) for x in re.search(
                rf'^(\S+) (\S+) \S {array}$', symbols, re.M).groups())
            run(lackey(tmp, command), stderr=subprocess.DEVNULL)
            theirs = []
            with open(f'{tmp}/lackey') as f:
                for line in f:
                    if line[:3] in (' L ', ' S ', ' M '):
                        address = int(line[3:].split(',')[0], 16)
                        if at <= address < at + size:
                            theirs += [(k, address) for k in line[1].replace('M', 'LS')]
            if not ours:
                print(f'{name:14}{array:14}lackey {len(theirs):9}')
                continue
            run([NFAMEM, '-q', '--format=madt-raw', '-o', f'{tmp}/text', '--'] + command)
            mine = []
            with open(f'{tmp}/text') as f:
                for line in f:
                    if line[:2] in ('L#', 'S#'):
                        address = int(re.split('[:,]', line)[1], 16)
                        if at <= address < at + size:
                            mine.append((line[0], address))
            print(f'{name:14}{array:14}lackey {len(theirs):9}, nfamem {len(mine):9}, '
                  f'{"the same" if mine == theirs else "DIFFERENT"}')


def bugs(tmp, ours):
    """Which of the programs with bugs each tool reports."""
    print('\nprograms with a bug, and what reports it (CPU seconds; a dash: not reported)')
    folder = os.path.join(SRC, 'probes/memory/tests/programs')
    print(f'{"":20}{"memcheck":>12}{"ASan":>12}{"nfamem":>12}')
    for source in sorted(os.listdir(folder)):
        name = source[:-2]
        if not os.path.exists(f'{SRC}/examples/mem/{name}.re'):
            continue
        base = CC + ['-std=gnu11', '-O0', '-g', '-pthread', '-DBUG', os.path.join(folder, source)]
        subprocess.run(base + ['-o', f'{tmp}/bug'], check=True)
        subprocess.run(base + ['-fsanitize=address', '-o', f'{tmp}/bug-asan'], check=True)
        cells = []
        if shutil.which('valgrind'):
            cpu, code = run(['valgrind', '-q', '--error-exitcode=99', f'{tmp}/bug'],
                            stderr=subprocess.DEVNULL)
            cells.append(f'{cpu:.3f}' if code == 99 else '-')
        else:
            cells.append('not there')
        cpu, code = run([f'{tmp}/bug-asan'], stderr=subprocess.DEVNULL)
        cells.append(f'{cpu:.3f}' if code else '-')
        if ours:
            subprocess.run(['./nfacc', '--overlay', 'none', f'{SRC}/examples/mem/{name}.re', '-o',
                            f'{tmp}/bug.bin'], check=True)
            cpu, _ = run([NFAMEM, '-q', '-f', f'{tmp}/bug.bin', '-o', f'{tmp}/matches', '--',
                          f'{tmp}/bug'], stderr=subprocess.DEVNULL)
            cells.append(f'{cpu:.3f}' if os.path.getsize(f'{tmp}/matches') else '-')
        else:
            cells.append('not there')
        print(f'{name:20}' + ''.join(f'{c:>12}' for c in cells))


def targets(rows, cost):
    print('\ntargets')
    target('whole run: lackey / nfamem, text', '>= 50',
           {n: r['lackey'] / r['text'] for n, r in rows.items()}, lambda v: v >= 50)
    target('an access written: lackey / nfamem', '>= 5',
           {n: (r['lackey'] / r['lines']) / (r['text'] / r['written']) for n, r in rows.items()},
           lambda v: v >= 5)
    target('the same, without starts and ends', '>= 5', {SLOPE[0]: cost['lackey'] / cost['text']},
           lambda v: v >= 5)
    target('an access counted: nfamem / hooks', '<= 3', {SLOPE[0]: cost['count'] / cost['hooks']},
           lambda v: v <= 3)
    target('an access filtered: nfamem / hooks', '<= 8',
           {SLOPE[0]: cost['filter'] / cost['hooks']}, lambda v: v <= 8)


def main():
    ours = os.access(NFAMEM, os.X_OK)
    with tempfile.TemporaryDirectory() as tmp:
        compile_all(tmp)
        if ours:
            subprocess.run(['./nfacc', '--overlay', 'none', f'{SRC}/examples/mem/use-after-free.re',
                            '-o', f'{tmp}/filter.bin'], check=True)
        rows = costs(tmp, ours)
        tools = ('native', 'count', 'filter', 'text', 'hooks', 'none', 'lackey')
        table(f'CPU seconds, median of {RUNS}; count, filter and text are nfamem', rows, tools,
              lambda c, row: f'{row[c]:.4f}')
        table('what is written: lines of nfamem; of lackey, of data and of all', rows,
              ('written', 'data', 'lines'), lambda c, row: f'{row[c]:,}')
        table('slowdown (the form of table IV)', rows, tools,
              lambda c, row: f'{row[c] / row["native"]:.0f}')
        if ours and shutil.which('valgrind'):
            for name, row in rows.items():
                for how in 'count', 'text':
                    if row[how] > row['none']:
                        print(f'{name}: nfamem ({how}) is slower than valgrind with no tool')
        cost = slopes(tmp, ours)
        agreement(tmp, ours)
        bugs(tmp, ours)
        if ours:
            start(tmp)
            debian(tmp)
            patched, quiet = shares(tmp, rows)
            target('instructions that are patched, %', '>= 97', {'all': patched}, lambda v: v >= 97)
            target('accesses without a fault, %', '>= 99.9', {'all': quiet}, lambda v: v >= 99.9)
            whole, slope = unwatched(tmp)
            target('--watch of what is not touched / native', '<= 1.05', whole, lambda v: v <= 1.05)
            target('the same, without starts and ends', '<= 1.05', slope, lambda v: v <= 1.05)
        if ours and shutil.which('valgrind'):
            targets(rows, cost)
    if not ours:
        sys.exit('nfamem is not built: only the others were measured')


if __name__ == '__main__':
    main()
