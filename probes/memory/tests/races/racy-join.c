/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* The creator stores before it joins. */
#include <pthread.h>
static volatile long value;
static void *store(void *arg)
{
	value = 1;
	return arg;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, store, NULL);
	value = 2;
	pthread_join(t, NULL);
	return 0;
}
