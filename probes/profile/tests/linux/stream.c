/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * stream.c: sends bytes over a TCP connection from the machine to itself, like iperf3, whose
 * sources were not available. Its functions have the names of iperf3's functions.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PORT = 5201, PIECE = 16384, PIECES = 40 };

static char piece[PIECE];

__attribute__((noinline)) static long Nread(int handle, char *to, size_t size)
{
	size_t left = size;

	while (left > 0) {
		long got = read(handle, to, left);

		if (got <= 0)
			break;
		left -= (size_t)got;
		to += got;
	}
	return (long)(size - left);
}

__attribute__((noinline)) static long Nwrite(int handle, const char *from, size_t size)
{
	size_t left = size;

	while (left > 0) {
		long put = write(handle, from, left);

		if (put <= 0)
			break;
		left -= (size_t)put;
		from += put;
	}
	return (long)(size - left);
}

__attribute__((noinline)) static void run_server(int listener)
{
	int handle = accept(listener, NULL, NULL);
	long sum = 0, got;

	while ((got = Nread(handle, piece, PIECE)) > 0)
		sum += got;
	printf("received %ld\n", sum);
	close(handle);
}

__attribute__((noinline)) static void run_client(const struct sockaddr_in *address)
{
	int handle = socket(AF_INET, SOCK_STREAM, 0);

	if (connect(handle, (const struct sockaddr *)address, sizeof(*address)))
		perror("connect");
	for (int i = 0; i < PIECES; i++)
		Nwrite(handle, piece, PIECE);
	close(handle);
}

int main(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(PORT),
		.sin_addr = { htonl(INADDR_LOOPBACK) } };
	int listener = socket(AF_INET, SOCK_STREAM, 0), status = 0;

	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) || listen(listener, 1)) {
		perror("bind");
		return 1;
	}
	if (fork() == 0) {
		run_client(&address);
		_exit(0);
	}
	run_server(listener);
	wait(&status);
	return status;
}
