/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * qsort.c: sorts points by their distance from the origin with the C library's qsort: qsort POINTS.
 * Prints a checksum of the order.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct point {
	int x, y, z;
	double square;
};

static int nearer(const void *a, const void *b)
{
	const struct point *p = a, *q = b;

	return (p->square > q->square) - (p->square < q->square);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 10000;
	struct point *points = malloc((size_t)n * sizeof *points);
	uint32_t random = 12345, sum = 0;

	if (n < 1 || !points)
		return 2;
	for (int i = 0; i < n; i++) {
		int *axes[] = { &points[i].x, &points[i].y, &points[i].z };

		points[i].square = 0;
		for (int k = 0; k < 3; k++) {
			random = random * 1664525U + 1013904223U;
			*axes[k] = (int)(random >> 16) - 32768;
			points[i].square += (double)*axes[k] * *axes[k];
		}
	}
	qsort(points, (size_t)n, sizeof *points, nearer);
	for (int i = 0; i < n; i++)
		sum = sum * 31 + (uint32_t)points[i].x;
	printf("%u\n", sum);
	free(points);
	return 0;
}
