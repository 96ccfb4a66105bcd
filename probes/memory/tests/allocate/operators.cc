/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/*
 * `operators PLUGIN [wrong]`: a program and a library that it loads free what the other one has
 * made by new. With `wrong` the library then frees by delete what new[] made. With PLUGIN this is
 * that library; with OWN it has operators of its own that call malloc and free. If it is linked
 * with -Bsymbolic, nobody else calls them.
 */
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <new>
#include <string>

#ifdef PLUGIN
#ifdef OWN
void *operator new(size_t n)
{
	return malloc(n);
}

void operator delete(void *p) noexcept
{
	free(p);
}

void operator delete(void *p, size_t) noexcept
{
	free(p);
}
#endif

extern "C" {
char *made()
{
	return new char;
}

void gone(char *p)
{
	delete p;
}

std::string *text()
{
	return new std::string(100, 'x');
}

void wrong()
{
	char *volatile p = new char[3];
	delete p;
}
}
#else
int main(int argc, char **argv)
{
	void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW) : nullptr;
	if (!plugin)
		return 2;
	const auto made = (char *(*)())dlsym(plugin, "made");
	const auto gone = (void (*)(char *))dlsym(plugin, "gone");
	const auto text = (std::string * (*)()) dlsym(plugin, "text");
	gone(made());
	delete made();
	gone(new char);
	delete text();
	delete new std::string(100, 'y');
	if (argc > 2)
		((void (*)())dlsym(plugin, "wrong"))();
	puts("done");
	return 0;
}
#endif
