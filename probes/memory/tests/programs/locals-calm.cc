// SPDX-License-Identifier: BSD-2-Clause
// SPDX-FileCopyrightText: nfacc contributors
// The same in C++: temporaries, exceptions, lambdas.
#include <algorithm>
#include <array>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

struct guard {
	int &n;
	explicit guard(int &m) : n(m) { n++; }
	~guard() { n--; }
};

static std::string twice(const std::string &s)
{
	return s + s;
}

static int deep(int n, int &open)
{
	guard g(open);
	std::array<int, 20> a{};
	a[n % 20] = n;
	if (n == 0)
		throw std::runtime_error(twice("bottom"));
	return deep(n - 1, open) + a[3];
}

static std::size_t measure(std::initializer_list<std::string> l)
{
	std::size_t n = 0;
	for (const auto &s : l)
		n += s.size();
	return n;
}

template <typename T> static T sum(const std::vector<T> &v)
{
	T t{};
	std::for_each(v.begin(), v.end(), [&t](const T &x) { t += x; });
	return t;
}

int main()
{
	int open = 0;
	std::ostringstream out;
	for (int i = 0; i < 5; i++) {
		try {
			std::string local = twice("x" + std::to_string(i));
			out << local << deep(i + 3, open);
		} catch (const std::exception &e) {
			out << e.what() << open;
		}
	}
	std::map<std::string, int> m{ { "one", 1 }, { "two", 2 }, { "three", 3 } };
	std::function<int(int)> f = [&](int k) { return k ? f(k - 1) + m["one"] : 0; };
	const std::string &kept = twice("kept");
	const auto [low, high] = std::minmax({ 5, 3, 9 });
	int list[] = { 5, 1, 4 };
	std::sort(std::begin(list), std::end(list));
	auto p = std::make_unique<std::array<long, 8>>();
	(*p)[7] = measure({ "a", twice("b"), kept });
	out << f(6) << kept << low << high << list[2] << (*p)[7];
	out << sum(std::vector<double>{ 1.5, 2.5 }) << sum<std::string>({ "u", "v" });
	std::cout << out.str() << "\n";
}
