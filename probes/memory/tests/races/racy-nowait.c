/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* A loop of OpenMP loads what another thread stores in its part of the loop. */
static volatile long a[1024];
int main(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp for schedule(static) nowait
		for (int i = 0; i < 1024; i++)
			a[i] = i;
#pragma omp for schedule(static)
		for (int i = 0; i < 1024; i++)
			a[i] += a[1023 - i];
	}
	return 0;
}
