/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * susan.c: smooths a picture: each pixel becomes the mean of those around it, weighted by how near
 * they are in place and in brightness, with tables of the weights: susan WIDTH HEIGHT. Prints a
 * checksum.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { AROUND = 3, SIDE = 2 * AROUND + 1 };

static unsigned char brightness[511];
static unsigned char place[SIDE * SIDE];

static void weigh(void)
{
	for (int d = -255; d <= 255; d++)
		brightness[d + 255] = (unsigned char)(100 * exp(-(d / 27.0) * (d / 27.0)));
	for (int y = -AROUND; y <= AROUND; y++)
		for (int x = -AROUND; x <= AROUND; x++)
			place[(y + AROUND) * SIDE + x + AROUND] =
				(unsigned char)(100 * exp(-(x * x + y * y) / 16.0));
}

static unsigned char smooth(const unsigned char *in, int width)
{
	int total = 0, weights = 0;
	const unsigned char *nearness = place;

	for (int y = -AROUND; y <= AROUND; y++)
		for (int x = -AROUND; x <= AROUND; x++) {
			int other = in[y * width + x];
			int weight = *nearness++ * brightness[other - *in + 255];

			total += weight * other;
			weights += weight;
		}
	return (unsigned char)(total / weights);
}

int main(int argc, char **argv)
{
	int width = argc > 1 ? atoi(argv[1]) : 76, height = argc > 2 ? atoi(argv[2]) : 95;
	unsigned char *in, *out;
	uint32_t random = 7, sum = 0;

	if (width <= SIDE || height <= SIDE || width > 10000 || height > 10000)
		return 2;
	in = malloc((size_t)(width * height));
	out = calloc((size_t)height, (size_t)width);
	if (!in || !out)
		return 2;
	for (int i = 0; i < width * height; i++) {
		random = random * 1664525U + 1013904223U;
		in[i] = (unsigned char)(100 * (i / 19 % 2) + 50 + (random >> 24) % 32);
	}
	weigh();
	for (int y = AROUND; y < height - AROUND; y++)
		for (int x = AROUND; x < width - AROUND; x++)
			out[y * width + x] = smooth(in + y * width + x, width);
	for (int i = 0; i < width * height; i++)
		sum = sum * 31 + out[i];
	printf("%u\n", sum);
	free(in);
	free(out);
	return 0;
}
