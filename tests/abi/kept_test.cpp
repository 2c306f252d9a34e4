// SPDX-License-Identifier: Apache-2.0
// Compiled plugins of earlier minors, in C and made with the SDK of their time, are loaded and give the numbers that
// they gave (tests/abi/kept). They are files of x86-64 Linux: elsewhere the test says so and is skipped.
#include <bit>
#include <cstdlib>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "scheme_check.hpp"

using namespace poslab;

namespace kept {

constexpr base::Index H = 2, N = 3, K = 4;
const host::Model model{H * K, H, 16};
const host::Context context{N, 16, true};
const std::string folder = POSLAB_ABI_SOURCE "/kept/";

inline std::string hex(double x) { return fmt::format("{:016x}", std::bit_cast<std::uint64_t>(x)); }

// Sixteenths: exact in both scalars, and the same whatever the C library is.
template <class S>
base::Array<S> sixteenths(std::initializer_list<base::Index> shape, int first) {
  base::Array<S> out(shape);
  for (S& x : out.flat()) x = S((first += 37) % 64 - 32) / S(16);
  return out;
}

// "encode float: 3fe0... 3fd1..." for every operation.
template <class S>
void add_numbers(std::map<std::string, std::string>& lines, const host::Scheme& scheme, const std::string& of) {
  const std::string scalar = sizeof(S) == 4 ? " float" : " double";
  const auto add = [&](const std::string& operation, const base::Array<S>& numbers) {
    std::string& line = lines[of + " " + operation + scalar];
    for (const S x : numbers.flat()) line += " " + hex(static_cast<double>(x));
  };
  base::Array<S> gain({H});
  gain(0) = S(0.5), gain(1) = S(-1.25);
  base::Array<double> at({N, 1});
  at(0, 0) = 0, at(1, 0) = 1, at(2, 0) = 70.5;
  const std::vector<base::View<const S>> weights{gain.view()};
  if (scheme.has(host::Operation::encode)) {
    base::Array<S> code({N, H * K});
    scheme.encode<S>(context, at, weights, code);
    add("encode", code);
  }
  for (const host::Side side : host::all_sides) {
    const std::string name = fmt::format("{}", static_cast<int>(side));
    base::Array<S> x = sixteenths<S>({H, N, K}, 1), gradient = sixteenths<S>({H, N, K}, 2);
    scheme.transform<S>(context, side, at, weights, x);
    scheme.transform_gradient<S>(context, side, at, weights, gradient, {});
    add("transform-" + name, x), add("transform-gradient-" + name, gradient);
  }
  base::Array<S> bias({H, N, N}), gradient({H});
  const host::Tile tile{at, at, 0};
  scheme.bias<S>(context, tile, weights, bias);
  gradient(0) = S(1), gradient(1) = S(2);
  const std::vector<base::View<S>> gradients{gradient.view()};
  scheme.bias_gradient<S>(context, tile, weights, sixteenths<S>({H, N, N}, 3), gradients);
  add("bias", bias), add("bias-gradient", gradient);
}

inline std::map<std::string, std::string> numbers_of(const std::string& plugin) {
  std::map<std::string, std::string> lines;
  const auto opened = host::Plugin::open(folder + plugin + ".so");
  const data::Values set{{"rate", 0.375},
                         {"first", std::int64_t{1}},
                         {"order", data::Value(opened->info().parameter("order")->choices.back())},
                         {"doubled", false},
                         {"steps", std::vector<double>{2, 0.5, 1}}};
  for (const data::Values& values : {data::Values{}, set}) {
    const host::Scheme scheme(opened, values, model);
    const std::string of = plugin + (values.empty() ? " default" : " set");
    lines[of + " factors"] = " " + hex(scheme.embedding_scale()) + " " + hex(scheme.initial_query_scale());
    add_numbers<float>(lines, scheme, of);
    add_numbers<double>(lines, scheme, of);
  }
  return lines;
}

TEST_CASE("compiled plugins of earlier minors give the numbers that they gave") {
#if !defined(__x86_64__) || !defined(__linux__)
  SKIP("the kept plugins are files of x86-64 Linux");
#endif
  std::map<std::string, std::string> found, stored;
  for (const std::string plugin : {"kept-c-1.0", "kept-sdk-1.0", "kept-c-1.2", "kept-sdk-1.2"}) {
    const data::SchemeInfo info = host::Plugin::open(folder + plugin + ".so")->info();
    CHECK(info.parameters.size() == 5);
    for (const data::Quantity& parameter : info.parameters) {
      CHECK(parameter.usual.empty());  // what their minors did not have
      CHECK(parameter.role == data::Role::none);
    }
    found.merge(numbers_of(plugin));
  }
  const auto parted = [](const std::string& line) { return line.find(':'); };
  if (const char* file = std::getenv("POSLAB_WRITE_KEPT_NUMBERS")) {  // kept.md says when
    std::ofstream out(file);
    for (const auto& [what, numbers] : found) out << what << ":" << numbers << "\n";
  }
  std::ifstream in(folder + "numbers.txt");
  for (std::string line; std::getline(in, line);) stored[line.substr(0, parted(line))] = line.substr(parted(line) + 1);
  REQUIRE(stored.size() == found.size());
  for (const auto& [what, numbers] : stored) {
    CAPTURE(what);
    CHECK(found[what] == numbers);
  }
}

}  // namespace kept
