/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * ring.c: a ring buffer of eight entries, which are written and read in turns, sometimes several at
 * once. BUG: the writer does not check whether there is room.
 */
#include <stdio.h>

enum { ROOM = 8, ALL = 100 };

static volatile long entries[ROOM];
static long head, tail;

static int put(long value)
{
#ifndef BUG
	if (head - tail == ROOM)
		return 0;
#endif
	entries[head++ % ROOM] = value;
	return 1;
}

static int take(long *value)
{
	if (head == tail)
		return 0;
	*value = entries[tail++ % ROOM];
	return 1;
}

int main(void)
{
	long next = 0, value, taken = 0;

	while (taken < ALL) {
		for (int burst = 0; burst < 10 && next < ALL; burst++)
			next += put(next);
		for (int burst = 0; burst < 7 && take(&value); burst++)
			taken++;
	}
	printf("%ld\n", taken);
	return 0;
}
