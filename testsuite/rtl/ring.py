# SPDX-License-Identifier: BSD-2-Clause
# SPDX-FileCopyrightText: nfacc contributors
"""ring.py MODE NFARUN IMAGE ONLY OFF: compares what ring_tb left in this folder. The records that
were sent must have gone to the stream; those in memory, decoded here by the description in nfacc-trace(5)
and by nfarun, must be the first ones, or the last ones if the ring wraps; all others must be counted."""
import json
import subprocess
import sys

mode, nfarun, image = sys.argv[1:4]
only, off = (int(x) for x in sys.argv[4:6])


def words(beat):
    """Returns the words of a beat. Those beyond its count may be undefined."""
    text = [beat.strip()[128 - 16 * i - 16:128 - 16 * i] for i in range(8)]
    count = int(text[0], 16) & 7
    return [int(w, 16) if i <= count or 'x' not in w else 0 for i, w in enumerate(text)]


def decode(beats):
    """Returns the records of beats, the oldest first, and how many words precede the first."""
    found, current, skipped, synchronised = [], [], 0, False
    for head, *rest in beats:
        count, first = head & 7, head >> 3 & 7
        assert 1 <= count and first <= count and head >> 6 & 3 == 0
        start = 1
        if not synchronised:
            start = first or count + 1
            skipped += start - 1
            synchronised = first != 0
        for i in range(start, count + 1):
            current.append(rest[i - 1])
            if len(current) >= 4 and len(current) == 3 + (bin(current[1]).count('1') or 1):
                found.append(current)
                current = []
    return found, current, skipped


sent = [[int(w, 16) for w in line.split()] for line in open('records')]
stream = [int(line, 16) for line in open('stream')]
kept = [words(line) for line in open('memory')]
read = [words(line) for line in open('reader')]
written, records, lost, full, error, response, longest = map(int, open('counts').read().split())

to_stream = sent[off - 1:] if only and off else [] if only else sent
assert stream == [w for record in to_stream for w in record], 'the stream'
taken = off - 1 if off else len(sent)
assert records + lost == taken, (records, lost, taken)
assert (mode == 'stop') >= full and (error != 0) == (response == 3)
assert (lost != 0) == (full or error), (lost, full, error)

# What is in memory: the newest run is that of beat 0.
n = len(kept)
run, lap = kept[0][0] >> 8 & 0xffffff, kept[0][0] >> 32
if error:
    # Beats after the bad burst may be there, but do not count.
    assert mode != 'wrap' or written <= n
    beats = kept[:written]
else:
    newest = [b for b in kept if b[0] and b[0] >> 8 == lap << 24 | run]
    assert newest == kept[:len(newest)]
    rest = kept[len(newest):] if lap else []
    assert all(b[0] >> 8 == (lap - 1) << 24 | run for b in rest)
    assert written == lap * n + len(newest), (written, lap, n, len(newest))
    beats = rest + newest
found, cut, skipped = decode(beats)
if error:
    assert found == sent[:records], 'the records before the error'
else:
    assert not cut and found == sent[records - len(found):records], 'the records in memory'
    # All that is missing at the beginning was overwritten.
    assert mode != 'stop' or lap == 0
    assert skipped <= 5 and (len(found) == records or lap > 0)
if mode == 'wait':
    assert len(read) == written
    assert decode(read)[0] == sent[:records], 'what the reader read'

# What nfarun makes of the memory.
with open('dump', 'wb') as f:
    for beat in kept:
        for w in beat:
            f.write(w.to_bytes(8, 'little'))
p = subprocess.run([nfarun, '--from', 'ring-memory', '--to', 'json', image, 'dump'],
                   capture_output=True, text=True)
if error:
    print('%d of %d records before the error' % (records, taken))
    sys.exit()
assert p.returncode == 0, p.stderr
got = [(b['time'], {m['channel']: int(m['header'], 16) for m in b['messages']})
       for b in map(json.loads, p.stdout.splitlines()) if 'messages' in b]
want = [(r[0], {k: r[3 + bin(r[1] & (1 << k) - 1).count('1')] for k in range(3) if r[1] >> k & 1})
        for r in found if r[1]]
assert got == want, 'nfarun'
losses = [r[3] for r in found if not r[1]]
assert not losses or 'lost: %d messages, gaps: %d,' % (sum(losses), len(losses)) in p.stderr, p.stderr
print('%d of %d records in memory, %d lost, %d laps, bursts up to %d' %
      (len(found), taken, lost, lap, longest))
