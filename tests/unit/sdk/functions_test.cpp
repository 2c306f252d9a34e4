// SPDX-License-Identifier: Apache-2.0
// Every function that a formula may use: unqualified, for float, double and Variable, whole numbers and positions; its
// derivatives against central differences; and that the page for authors lists these and no others.
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "catch.hpp"
#include "poslab/scheme.hpp"

namespace {

using namespace poslab;

/// One function of one number, as an author writes it for any scalar.
struct OfOne {
  std::function<double(double)> at;
  std::function<Variable(Variable)> taped;
  std::function<double(float)> narrow;
  std::function<double(int)> whole;
  std::function<double(Point)> placed;
  bool keeps_float;
};
template <class F>
OfOne of_one(F f) {
  return {f, f, f, f, f, std::is_same_v<decltype(f(1.F)), float> && std::is_same_v<decltype(f(1.0)), double>};
}
/// One of two, in every mixture.
struct OfTwo {
  std::function<double(double, double)> at;
  std::function<Variable(Variable, Variable)> taped;
  std::function<std::vector<double>(float, int, Point)> mixed;           ///< float, double, whole numbers, positions
  std::function<std::vector<Variable>(Variable, int, Point)> with_tape;  ///< the same with the tape's
};
template <class F>
OfTwo of_two(F f) {
  return {f, f,
          [f](float x, int n, Point p) -> std::vector<double> {
            return {f(x, x), f(x, 1.5), f(1.5, x), f(x, n), f(n, x), f(n, 1.5), f(1.5, n), f(p, 1.5), f(p, n)};
          },
          [f](Variable x, int n, Point p) -> std::vector<Variable> {
            return {f(x, 1.5), f(1.5, x), f(x, n), f(n, x), f(x, 1.5F), f(1.5F, x), f(x, p), f(p, x)};
          }};
}

#define ONE(name)                                 \
  {                                               \
#name, of_one([](auto x) { return name(x); }) \
  }
#define TWO(name)                                            \
  {                                                          \
#name, of_two([](auto x, auto y) { return name(x, y); }) \
  }
const std::map<std::string, OfOne> ones{ONE(abs), ONE(floor),   ONE(sqrt),        ONE(exp),  ONE(exp2),    ONE(expm1),
                                        ONE(log), ONE(log2),    ONE(log1p),       ONE(sin),  ONE(cos),     ONE(tanh),
                                        ONE(erf), ONE(sigmoid), ONE(log_sigmoid), ONE(silu), ONE(softplus)};
const std::map<std::string, OfTwo> twos{TWO(max), TWO(min), TWO(pow)};
#undef ONE
#undef TWO

/// The derivatives of a result by its leaves 0 and 1.
template <class F>
std::pair<double, double> derivatives(F f, double x, double y) {
  sdk::Tape tape;
  tape.seed(f(tape.leaf(x, 0, 0), tape.leaf(y, 0, 1)), 1);
  double by[2] = {0, 0};
  tape.sweep([&](int, Index offset, double g) { by[offset] += g; });
  return {by[0], by[1]};
}

template <class F>
double central_difference(F f, double x) {
  const double h = 1e-6;
  return (f(x + h) - f(x - h)) / (2 * h);
}

}  // namespace

TEST_CASE("functions of one number: any scalar, unqualified, with their derivatives") {
  for (const auto& [name, one] : ones) {
    const auto& f = one;  // a lambda may capture it
    CAPTURE(name);
    CHECK(f.keeps_float);
    const bool positive = name == "sqrt" || name == "log" || name == "log2" || name == "log1p";
    for (const double x : {-2.3, -0.4, 0.3, 1.0, 2.6}) {
      if (positive && x < 0) continue;
      CAPTURE(x);
      CHECK(f.taped(x).value() == check::Approx(f.at(x)).epsilon(1e-15));
      CHECK(f.narrow(static_cast<float>(x)) == check::Approx(f.at(static_cast<float>(x))).epsilon(1e-6));
      CHECK(f.placed(Point(&x, 1)) == f.at(x));
      if (name == "floor" && x == 1) continue;
      const auto taped = [&](const Variable& at, const Variable&) { return f.taped(at); };
      CHECK(derivatives(taped, x, 0).first == check::Approx(central_difference(f.at, x)).epsilon(1e-8).margin(1e-9));
    }
    CHECK(f.whole(2) == f.at(2.0));
  }
}

TEST_CASE("functions of two numbers: every mixture of scalars, with their derivatives") {
  const double place = 3;
  const Point p(&place, 1);
  for (const auto& [name, two] : twos) {
    const auto& f = two;
    CAPTURE(name);
    const float x = 2.25F;
    const std::vector<double> numbers{f.at(x, x),   f.at(x, 1.5), f.at(1.5, x), f.at(x, 2), f.at(2, x),
                                      f.at(2, 1.5), f.at(1.5, 2), f.at(3, 1.5), f.at(3, 2)};
    const std::vector<double> mixed = f.mixed(x, 2, p);
    for (std::size_t i = 0; i < numbers.size(); ++i) CHECK(mixed[i] == check::Approx(numbers[i]).epsilon(1e-6));
    const std::vector<double> expected{f.at(x, 1.5), f.at(1.5, x), f.at(x, 2), f.at(2, x),
                                       f.at(x, 1.5), f.at(1.5, x), f.at(x, 3), f.at(3, x)};
    sdk::Tape tape;
    const std::vector<Variable> taped = f.with_tape(tape.leaf(x, 0, 0), 2, p);
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(taped[i].value() == expected[i]);
    for (const auto& [a, b] : {std::pair{0.4, 1.7}, {1.7, 0.4}, {2.2, 2.9}}) {
      CAPTURE(a, b);
      const double first = a, second = b;
      const auto [by_a, by_b] = derivatives(f.taped, a, b);
      CHECK(by_a == check::Approx(central_difference([&](double at) { return f.at(at, second); }, a)).epsilon(1e-8));
      CHECK(by_b == check::Approx(central_difference([&](double at) { return f.at(first, at); }, b)).epsilon(1e-8));
    }
  }
}

TEST_CASE("positions and sizes are numbers of a formula") {
  const double three = 3;
  const Point p(&three, 1);
  CHECK(pow(2.F, p) == 8);
  CHECK(pow(p, 2.F) == 9);
  CHECK(pow(p, p) == 27);
  CHECK(-p + abs(p) == 0);
  CHECK(value_of(p) == 3);
  CHECK(abs(std::size_t{7}) == 7);
  CHECK(abs(7U) == 7);
  const Variable taped = p;  // S x = p, for any scalar
  CHECK(taped.value() == 3);
}

TEST_CASE("max and min are std's, of the type of the sum") {
  static_assert(std::is_same_v<decltype(max(1.F, 1.F)), float>);
  static_assert(std::is_same_v<decltype(max(1.F, 2)), float>);
  static_assert(std::is_same_v<decltype(min(1.F, 1.0)), double>);
  static_assert(std::is_same_v<decltype(min(1, 2)), int>);
  static_assert(std::is_same_v<decltype(max(Variable(), 0)), Variable>);
  const double nan = std::nan("");
  for (const auto& [a, b] : {std::pair{1.0, 2.0}, {2.0, 1.0}, {0.0, -0.0}, {-0.0, 0.0}, {nan, 1.0}, {1.0, nan}}) {
    CHECK(std::bit_cast<std::uint64_t>(max(a, b)) == std::bit_cast<std::uint64_t>(std::max(a, b)));
    CHECK(std::bit_cast<std::uint64_t>(min(a, b)) == std::bit_cast<std::uint64_t>(std::min(a, b)));
  }
  // If the two are equal it is the first, and its derivative.
  const auto greater = [](auto x, auto y) { return max(x, y); };
  const auto lesser = [](auto x, auto y) { return min(x, y); };
  CHECK(derivatives(greater, 2, 2) == std::pair<double, double>{1, 0});
  CHECK(derivatives(lesser, 2, 2) == std::pair<double, double>{1, 0});
}

TEST_CASE("the page for authors lists the functions of a formula, these and no others") {
  std::ifstream file(POSLAB_SOURCE_DIR "/core/sdk/writing-a-scheme.md");
  std::stringstream page;
  page << file.rdbuf();
  const std::string text = page.str(), heading = "## Functions of a formula\n";
  const std::size_t begin = text.find(heading);
  REQUIRE(begin != std::string::npos);
  const std::size_t end = text.find("\n\n", begin + heading.size());  // the list is the paragraph below the heading
  std::set<std::string> listed;
  for (std::size_t at = text.find('`', begin); at < end; at = text.find('`', at + 1)) {
    const std::size_t close = text.find('`', at + 1);
    const std::string code = text.substr(at + 1, close - at - 1);
    listed.insert(code.substr(0, code.find('(')));
    at = close;
  }
  std::set<std::string> known;
  for (const auto& entry : ones) known.insert(entry.first);
  for (const auto& entry : twos) known.insert(entry.first);
  CHECK(listed == known);
}
