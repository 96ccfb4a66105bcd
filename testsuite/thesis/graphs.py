#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: nfacc contributors
"""graphs.py rings C,L,R,N | napoly N,F | figure34 SIZE,SEED [on C,L,R,N]: prints a graph and the
overlay that it is to be mapped onto, in the form that nfacc --map-graph reads; without `on`, how many
edges the graph has, and its diameter. rings: the overlay graph itself (T 3.3.2). napoly: that of
T 5.4.2. figure34: (7,SIZE/10,1,0) without three edges in ten, which is mapped onto
(10,SIZE/10,1,0) (T 5.3)."""
import random
import sys


def rings(c, l, r, n):
    """The STEs are numbered clique by clique."""
    def near(a, b):
        ring = min((a[0] - b[0]) % r, (b[0] - a[0]) % r)
        place = min((a[1] - b[1]) % l, (b[1] - a[1]) % l)
        return ring == 0 and place <= 1 or place == 0 and ring <= n

    place = [(ring, at) for ring in range(r) for at in range(l) for _ in range(c)]
    return [(u, v) for v in range(len(place)) for u in range(v) if near(place[u], place[v])], len(place)


def napoly(n, f):
    after = [range(max(0, i - (f - 1) // 2), min(n, i + f // 2 + 1)) for i in range(n)]
    return sorted({(min(i, j), max(i, j)) for i in range(n) for j in after[i] if i != j}), n


def figure34(size, seed):
    edges, n = rings(7, size // 10, 1, 0)
    drawn = random.Random(seed)
    return [e for e in edges if drawn.random() >= 0.3], n


def diameter(edges, n):
    next_to = [set() for _ in range(n)]
    for u, v in edges:
        next_to[u].add(v)
        next_to[v].add(u)
    most = 0
    for s in range(n):
        seen, front, steps = {s}, {s}, 0
        while front:
            front = {w for u in front for w in next_to[u]} - seen
            seen |= front
            steps += bool(front)
        assert len(seen) == n, "not connected"
        most = max(most, steps)
    return most


def main():
    numbers = [int(v) for v in sys.argv[2].split(",")]
    edges, n = {"rings": rings, "napoly": napoly, "figure34": figure34}[sys.argv[1]](*numbers)
    if len(sys.argv) == 3:
        print(f"{n} nodes, {len(edges)} edges, diameter {diameter(edges, n)}")
        return
    print(sys.argv[4].replace(",", " "), n, len(edges))
    for u, v in edges:
        print(u, v)


main()
