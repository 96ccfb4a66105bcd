/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * disparity.c: a depth map of two pictures, by sums of absolute differences: disparity WIDTH HEIGHT
 * SHIFTS. Prints the sum of the map. Its structure is that of the benchmark whose findDisparity the
 * paper on MadT traces (its listings 1 and 2): planes with two numbers in front of their elements,
 * one window of differences for each shift, and the best shift of each pixel.
 */
#include <stdio.h>
#include <stdlib.h>

enum { WINDOW = 4 };

typedef struct {
	int width, height;
	float data[];
} F2D;

typedef struct {
	int width, height;
	int data[];
} I2D;

#define at(plane, row, column) ((plane)->data[(row) * (plane)->width + (column)])

static F2D *fMallocHandle(int rows, int columns)
{
	F2D *p = malloc(sizeof *p + sizeof p->data[0] * (size_t)(rows * columns));

	if (!p)
		exit(1);
	p->width = columns;
	p->height = rows;
	return p;
}

static I2D *iMallocHandle(int rows, int columns)
{
	I2D *p = malloc(sizeof *p + sizeof p->data[0] * (size_t)(rows * columns));

	if (!p)
		exit(1);
	p->width = columns;
	p->height = rows;
	return p;
}

/* Two pictures of the same scene: the right one is shifted, farther below more than above. */
static void draw(I2D *left, I2D *right)
{
	for (int i = 0; i < left->height; i++)
		for (int j = 0; j < left->width; j++) {
			int shift = 1 + i * 6 / left->height;

			at(left, i, j) = (j * 37 + i * 11) % 251;
			at(right, i, j) = ((j + shift) * 37 + i * 11) % 251;
		}
}

/* Squares of differences between the left picture and the right one, shifted. */
static void differences(const I2D *left, const I2D *right, F2D *out, int shift)
{
	for (int i = 0; i < left->height; i++)
		for (int j = 0; j < left->width; j++) {
			int other = j >= shift ? at(right, i, j - shift) : 0;
			int d = at(left, i, j) - other;

			at(out, i, j) = (float)(d * d);
		}
}

/* Sums over all pixels above and to the left. */
static void integrate(const F2D *in, F2D *out)
{
	for (int j = 0; j < in->width; j++)
		at(out, 0, j) = at(in, 0, j);
	for (int i = 1; i < in->height; i++)
		for (int j = 0; j < in->width; j++)
			at(out, i, j) = at(out, i - 1, j) + at(in, i, j);
	for (int i = 0; i < in->height; i++)
		for (int j = 1; j < in->width; j++)
			at(out, i, j) = at(out, i, j - 1) + at(out, i, j);
}

/* Sums over a window around each pixel, where the picture has one. */
static void windows(const F2D *sums, F2D *out)
{
	for (int i = 0; i < sums->height; i++)
		for (int j = 0; j < sums->width; j++) {
			int top = i > WINDOW ? i - WINDOW : 0, before = j > WINDOW ? j - WINDOW : 0;

			at(out, i, j) = at(sums, i, j) + at(sums, top, before) - at(sums, top, j) -
					at(sums, i, before);
		}
}

static void findDisparity(F2D *retSAD, F2D *minSAD, I2D *retDisp, int level, int nr, int nc)
{
	int i, j, a, b;

	for (i = 0; i < nr; i++) {
		for (j = 0; j < nc; j++) {
			a = (int)at(retSAD, i, j);
			b = (int)at(minSAD, i, j);
			if (a < b) {
				at(minSAD, i, j) = (float)a;
				at(retDisp, i, j) = level;
			}
		}
	}
}

int main(int argc, char **argv)
{
	int columns = argc > 1 ? atoi(argv[1]) : 13, rows = argc > 2 ? atoi(argv[2]) : 10;
	int shifts = argc > 3 ? atoi(argv[3]) : 8;
	I2D *left, *right, *best;
	F2D *least, *squares, *sums, *window;
	long total = 0;

	if (columns < 1 || rows < 1 || columns > 10000 || rows > 10000)
		return 2;
	left = iMallocHandle(rows, columns);
	right = iMallocHandle(rows, columns);
	least = fMallocHandle(rows, columns);
	best = iMallocHandle(rows, columns);
	squares = fMallocHandle(rows, columns);
	sums = fMallocHandle(rows, columns);
	window = fMallocHandle(rows, columns);
	draw(left, right);
	for (int i = 0; i < rows * columns; i++) {
		least->data[i] = 255.0F * 255.0F * 64;
		best->data[i] = 0;
	}
	for (int shift = 0; shift < shifts; shift++) {
		differences(left, right, squares, shift);
		integrate(squares, sums);
		windows(sums, window);
		findDisparity(window, least, best, shift, rows, columns);
	}
	for (int i = 0; i < rows * columns; i++)
		total += best->data[i];
	printf("%ld\n", total);
	free(left);
	free(right);
	free(least);
	free(best);
	free(squares);
	free(sums);
	free(window);
	return 0;
}
