/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * canny.c: an edge detector, as a program to be traced: canny WIDTH HEIGHT RUNS. It draws a picture,
 * and finds its edges RUNS times: blur, gradients, thinning, thresholds, and edges that hang
 * together. It prints how many pixels are edges.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct image {
	int width, height;
	int16_t *pixel, *blurred, *across, *strength;
	uint8_t *direction, *edge;
	int *stack;
};

#define STEP __attribute__((noinline))

STEP void draw(struct image *m)
{
	for (int y = 0; y < m->height; y++)
		for (int x = 0; x < m->width; x++) {
			int dx = 2 * x - m->width, dy = 2 * y - m->height;

			m->pixel[y * m->width + x] =
				(int16_t)((dx * dx + dy * dy < m->height * m->height / 2 ? 200 : 40) +
					  (x * 7 + y * 13) % 8);
		}
}

static int at(const int16_t *p, const struct image *m, int x, int y)
{
	x = x < 0 ? 0 : x >= m->width ? m->width - 1 : x;
	y = y < 0 ? 0 : y >= m->height ? m->height - 1 : y;
	return p[y * m->width + x];
}

STEP void blur_rows(struct image *m)
{
	for (int y = 0; y < m->height; y++)
		for (int x = 0; x < m->width; x++)
			m->across[y * m->width + x] =
				(int16_t)((at(m->pixel, m, x - 1, y) + 2 * at(m->pixel, m, x, y) +
					   at(m->pixel, m, x + 1, y)) / 4);
}

STEP void blur_columns(struct image *m)
{
	for (int y = 0; y < m->height; y++)
		for (int x = 0; x < m->width; x++)
			m->blurred[y * m->width + x] =
				(int16_t)((at(m->across, m, x, y - 1) + 2 * at(m->across, m, x, y) +
					   at(m->across, m, x, y + 1)) / 4);
}

STEP void gradients(struct image *m)
{
	for (int y = 0; y < m->height; y++)
		for (int x = 0; x < m->width; x++) {
			int gx = at(m->blurred, m, x + 1, y) - at(m->blurred, m, x - 1, y);
			int gy = at(m->blurred, m, x, y + 1) - at(m->blurred, m, x, y - 1);
			int ax = abs(gx), ay = abs(gy);

			m->strength[y * m->width + x] = (int16_t)(ax + ay);
			m->direction[y * m->width + x] =
				(uint8_t)(2 * ay < ax ? 0 : 2 * ax < ay ? 2 : (gx > 0) == (gy > 0) ? 1 : 3);
		}
}

STEP void thin(struct image *m)
{
	static const int dx[] = { 1, 1, 0, -1 }, dy[] = { 0, 1, 1, 1 };

	for (int y = 0; y < m->height; y++)
		for (int x = 0; x < m->width; x++) {
			int i = y * m->width + x, d = m->direction[i], s = m->strength[i];

			m->across[i] = (int16_t)(s >= at(m->strength, m, x + dx[d], y + dy[d]) &&
						 s > at(m->strength, m, x - dx[d], y - dy[d]) ? s : 0);
		}
}

STEP int thresholds(struct image *m)
{
	int n = 0;

	for (int i = 0; i < m->width * m->height; i++) {
		m->edge[i] = m->across[i] > 60 ? 2 : m->across[i] > 20;
		if (m->edge[i] == 2)
			m->stack[n++] = i;
	}
	return n;
}

STEP int follow(struct image *m, int n)
{
	int edges = n;

	while (n > 0) {
		int i = m->stack[--n], x = i % m->width, y = i / m->width;

		for (int k = 0; k < 9; k++) {
			int nx = x + k % 3 - 1, ny = y + k / 3 - 1, to = ny * m->width + nx;

			if (nx < 0 || ny < 0 || nx >= m->width || ny >= m->height ||
			    m->edge[to] != 1)
				continue;
			m->edge[to] = 2;
			m->stack[n++] = to;
			edges++;
		}
	}
	return edges;
}

int main(int argc, char **argv)
{
	int width = argc > 1 ? atoi(argv[1]) : 80, height = argc > 2 ? atoi(argv[2]) : 45;
	int runs = argc > 3 ? atoi(argv[3]) : 5, edges = 0;
	size_t n = width > 0 && height > 0 && width < 8192 && height < 8192
			   ? (size_t)width * (size_t)height : 0;
	struct image m = { width, height, calloc(n, 2), calloc(n, 2), calloc(n, 2), calloc(n, 2),
			   calloc(n, 1), calloc(n, 1), calloc(n, sizeof(int)) };

	if (n == 0 || m.pixel == NULL || m.blurred == NULL || m.across == NULL ||
	    m.strength == NULL || m.direction == NULL || m.edge == NULL || m.stack == NULL)
		return 1;
	draw(&m);
	for (int run = 0; run < runs; run++) {
		blur_rows(&m);
		blur_columns(&m);
		gradients(&m);
		thin(&m);
		edges = follow(&m, thresholds(&m));
	}
	printf("%d edges\n", edges);
	return 0;
}
