/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* pthread_once initialises what all threads load. */
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static volatile long table[64];
static volatile long seen[2][64];
static void fill(void)
{
	for (int i = 0; i < 64; i++)
		table[i] = i;
}
static void *first(void *arg)
{
	pthread_once(&once, fill);
	for (int i = 0; i < 64; i++)
		seen[0][i] = table[i];
	return arg;
}
static void *second(void *arg)
{
	pthread_once(&once, fill);
	for (int i = 0; i < 64; i++)
		seen[1][i] = table[i];
	return arg;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
