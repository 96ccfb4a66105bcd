/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * basicmath.c: arithmetic that touches little memory: real roots of cubic equations, integer square
 * roots, degrees and radians: basicmath ROUNDS. Prints what it finds, as such programs do.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Real roots of x^3 + a x^2 + b x + c; returns how many. */
static int roots(double a, double b, double c, double *root)
{
	double q = (a * a - 3 * b) / 9, r = (2 * a * a * a - 9 * a * b + 27 * c) / 54;
	double d = q * q * q - r * r;

	if (d >= 0) {
		double angle = acos(r / sqrt(q * q * q));

		for (int k = 0; k < 3; k++)
			root[k] = -2 * sqrt(q) * cos((angle + 2 * M_PI * k) / 3) - a / 3;
		return 3;
	}
	root[0] = cbrt(sqrt(-d) + fabs(r));
	root[0] += q / root[0];
	root[0] *= r < 0 ? 1 : -1;
	root[0] -= a / 3;
	return 1;
}

static uint32_t square_root(uint32_t x)
{
	uint32_t root = 0;

	for (uint32_t bit = 1U << 30; bit; bit >>= 2)
		if (x >= root + bit) {
			x -= root + bit;
			root = root / 2 + bit;
		} else {
			root /= 2;
		}
	return root;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 30;
	double root[3], sum = 0;

	if (rounds < 1)
		return 2;
	for (int i = 0; i < rounds; i++) {
		for (double a = 1; a < 10; a++) {
			int n = roots(a, i + 0.5, -a * i, root);

			printf("%d:", n);
			for (int k = 0; k < n; k++)
				printf(" %f", root[k]);
			putchar('\n');
		}
		for (uint32_t x = 0; x < 1000; x++)
			sum += square_root(x * 1000003U + (uint32_t)i);
		for (int degrees = 0; degrees < 360; degrees++)
			sum += degrees * M_PI / 180;
	}
	printf("%f\n", sum);
	return 0;
}
