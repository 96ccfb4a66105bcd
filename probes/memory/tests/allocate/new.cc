// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// new.cc: uses all operators new and delete, each in a function of its own. The sizes are 1000 and
// more. The address of an aligned block must show the alignment. At the end it asks for more memory
// than there is: first the new-handler must be called, and then there must be an exception.
#include <cstdint>
#include <cstdio>
#include <new>

static const std::align_val_t line{ 64 };
static int handled;

extern "C" {
void one() { ::operator delete(::operator new(1001)); }
void array() { ::operator delete[](::operator new[](1002)); }
void sized() { ::operator delete(::operator new(1003), 1003); }
void array_sized() { ::operator delete[](::operator new[](1004), 1004); }
void quiet() { ::operator delete(::operator new(1005, std::nothrow), std::nothrow); }
void array_quiet() { ::operator delete[](::operator new[](1006, std::nothrow), std::nothrow); }
}

static void check(void *p)
{
	if ((uintptr_t)p % 64)
		puts("not aligned");
}

extern "C" {
void aligned()
{
	void *p = ::operator new(1007, line);
	check(p);
	::operator delete(p, line);
}
void array_aligned()
{
	void *p = ::operator new[](1008, line);
	check(p);
	::operator delete[](p, line);
}
void aligned_sized()
{
	void *p = ::operator new(1009, line);
	check(p);
	::operator delete(p, 1009, line);
}
void array_aligned_sized()
{
	void *p = ::operator new[](1010, line);
	check(p);
	::operator delete[](p, 1010, line);
}
void aligned_quiet()
{
	void *p = ::operator new(1011, line, std::nothrow);
	check(p);
	::operator delete(p, line, std::nothrow);
}
void array_aligned_quiet()
{
	void *p = ::operator new[](1012, line, std::nothrow);
	check(p);
	::operator delete[](p, line, std::nothrow);
}
}

static void handler()
{
	handled++;
	std::set_new_handler(nullptr);
}

int main()
{
	one();
	array();
	sized();
	array_sized();
	quiet();
	array_quiet();
	aligned();
	array_aligned();
	aligned_sized();
	array_aligned_sized();
	aligned_quiet();
	array_aligned_quiet();
	const volatile size_t most = SIZE_MAX / 4;
	std::set_new_handler(handler);
	printf("%d\n", ::operator new(most, std::nothrow) == nullptr);
	std::set_new_handler(handler);
	printf("%d\n", ::operator new[](most, line, std::nothrow) == nullptr);
	std::set_new_handler(handler);
	try {
		::operator delete(::operator new(most));
	} catch (const std::bad_alloc &) {
		puts("bad_alloc");
	}
	std::set_new_handler(handler);
	try {
		::operator delete[](::operator new[](most, line), line);
	} catch (const std::bad_alloc &) {
		puts("bad_alloc");
	}
	printf("handled %d\n", handled);
}
