/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* mmap, mremap, munmap, mprotect, madvise, brk, and mappings of files. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

static const int both = PROT_READ | PROT_WRITE;

static void anonymous(void)
{
	char *p = mmap(NULL, 8 * PAGE, both, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(p, 'a', 8 * PAGE);
	p[PAGE] = 'b';
	madvise(p + PAGE, PAGE, MADV_DONTNEED);
	printf("after MADV_DONTNEED: %d %d %d\n", p[0], p[PAGE], p[2 * PAGE]);
	p[5 * PAGE] = 'c';
	p = mremap(p, 8 * PAGE, 100 * PAGE, MREMAP_MAYMOVE);
	printf("after mremap: %d %d %d\n", p[0], p[5 * PAGE], p[99 * PAGE]);
	mprotect(p, PAGE, PROT_READ);
	int pipes[2];
	if (pipe(pipes) != 0 || write(pipes[1], p, 10) != 10)
		exit(1);
	printf("read to what is read-only: %zd\n", read(pipes[0], p, 10));
	printf("read to what is not: %zd\n", read(pipes[0], p + PAGE, 10));
	char *q = mmap(p + 2 * PAGE, PAGE, both, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	printf("fixed: %d %d %d\n", q == p + 2 * PAGE, *q, p[3 * PAGE]);
	printf("munmap: %d\n", munmap(p, 100 * PAGE));
}

static void file(void)
{
	char name[64], text[8] = "";
	/* How many loads mkstemp() has is a matter of chance. */
	snprintf(name, sizeof name, "/tmp/nfamem-maps-%d", 10000000 + (int)getpid());
	int fd = open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
	unlink(name);
	if (write(fd, "0123456789", 10) != 10 || ftruncate(fd, 2 * PAGE) != 0)
		exit(1);
	char *shared = mmap(NULL, 2 * PAGE, both, MAP_SHARED, fd, 0);
	char *own = mmap(NULL, 2 * PAGE, both, MAP_PRIVATE, fd, 0);
	shared[1] = 'S';
	own[2] = 'P';
	if (pread(fd, text, 4, 0) != 4 || pwrite(fd, "W", 1, 3) != 1)
		exit(1);
	printf("file: %s, shared: %.5s, private: %.3s\n", text, shared, own);
	munmap(shared, 2 * PAGE);
	munmap(own, 2 * PAGE);
	close(fd);
}

int main(void)
{
	anonymous();
	file();
	char *end = sbrk(3 * PAGE);
	memset(end, 'x', 3 * PAGE);
	printf("mlockall: %d\n", mlockall(MCL_CURRENT | MCL_FUTURE) < 0 && mlockall(77) < 0);
	char *locked = malloc(100000);
	memset(locked, 'l', 100000);
	printf("locked: %d\n", locked[99999]);
	free(locked);
	munlockall();
	printf("break: %d %d\n", end[0], end[3 * PAGE - 1]);
	printf("back: %d\n", sbrk(-3 * PAGE) == end + 3 * PAGE);
	printf("is back: %d\n", sbrk(0) == end);
	return 0;
}
