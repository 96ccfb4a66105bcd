/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* OpenMP: a critical section, a loop with a barrier, a loop with parts on demand. */
static volatile long sum, a[256], b[256], count;
int main(void)
{
	for (int round = 0; round < 4; round++) {
#pragma omp parallel num_threads(3)
		{
#pragma omp for schedule(static)
			for (int i = 0; i < 256; i++)
				a[i] = i;
#pragma omp for schedule(dynamic, 16)
			for (int i = 0; i < 256; i++)
				b[i] = a[255 - i];
#pragma omp critical
			sum += a[7];
#pragma omp atomic
			count++;
#pragma omp barrier
#pragma omp single
			sum += b[3];
		}
	}
	return sum == 0;
}
