/* SPDX-License-Identifier: BSD-2-Clause */
/* SPDX-FileCopyrightText: nfacc contributors */
/* Bugs with objects of C++. */
#include "cases.h"

#include <string>
#include <vector>

static void over_vector(int bad)
{
	std::vector<int> v(10);

	sink = v[bad ? 10 : 9];
}

static void used_vector(int bad)
{
	std::vector<int> v(10);
	int *first = &v[0];

	v.resize(1000);
	sink = bad ? *first : v[0];
}

static void used_object(int bad)
{
	std::string *s = new std::string(100, 'x');
	const char *text = s->c_str();

	if (bad)
		delete s;
	sink = text[5];
	if (!bad)
		delete s;
}

static void free_new(int bad)
{
	int *volatile p = new int[10];

	if (bad)
		delete p;
	else
		delete[] p;
}

static void lost_array(int bad)
{
	std::string *s = new std::string[3];

	s[1] = "a text that is too long for the object itself";
	if (!bad)
		delete[] s;
}

int main(int argc, char **argv)
{
	static const struct one_case cases[] = {
		{ "over-vector", over_vector }, { "used-vector", used_vector },
		{ "used-object", used_object }, { "free-new", free_new },
		{ "lost-array", lost_array }, { NULL, NULL }
	};

	return run_case(cases, argc, argv);
}
