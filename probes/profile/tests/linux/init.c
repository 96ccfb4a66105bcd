/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * init.c: the first program of the long test. It runs the others, each in its own process, and
 * switches the machine off.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <net/if.h>
#include <string.h>
#include <unistd.h>

/* Nothing can be sent over the interface lo before it is switched on. */
static void begin_network(void)
{
	struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	int handle = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (handle < 0 || ioctl(handle, SIOCSIFFLAGS, &request))
		perror("lo");
	close(handle);
}

static void run(char **arguments)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		execv(arguments[0], arguments);
		perror(arguments[0]);
		_exit(1);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
		printf("failed: %s\n", arguments[0]);
}

int main(void)
{
	static char *programs[][5] = {
		{ "/hello", "2" },
		{ "/hello", "3" },
		{ "/hello", "4" },
		{ "/hello", "5" },
		{ "/shared", "2" },
		{ "/busybox", "sh", "-c", "/busybox seq 300 | /busybox sort | /busybox md5sum" },
		{ "/shared" },
		{ "/busybox", "find", "/lib", "/dev" },
		{ "/stream" },
	};

	mount("none", "/proc", "proc", 0, NULL);
	begin_network();
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (access(programs[i][0], X_OK) == 0) /* busybox may be missing */
			run(programs[i]);
	printf("done\n");
	fflush(stdout);
	reboot(RB_POWER_OFF);
	return 1;
}
