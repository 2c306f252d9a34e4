// SPDX-License-Identifier: Apache-2.0
// The six permutations of three things, applied one after the other.
#include <algorithm>
#include <cmath>
#include <complex>
#include <map>
#include <numbers>
#include <tuple>
#include <utility>
#include <vector>

#include "parts/counts.hpp"
#include "parts/permutations.hpp"

namespace poslab::tasks {
namespace {

using Complex = std::complex<double>;
using Counts = std::tuple<Index, Index, Index>;

Complex turned(Index thirds) { return std::polar(1.0, 2 * std::numbers::pi / 3 * static_cast<double>(thirds)); }

// What the multiset of a word tells of its product, averaged over all orders of the word. A transposition is a
// reflection of a triangle and a turn by k = 0, 1 or 2 thirds, the others are turns by k thirds. The product is a turn,
// reflected if the reflections are odd in number: that much the multiset tells. Its angle is the sum of all k, each
// with a sign that changes at every reflection. So the mean of e^(i angle) is a product of two: over the orders of the
// reflections, whose signs alternate, and over where the turns stand among them.
class Orders {
 public:
  // So many reflections with k = 0, 1 and 2; the first has the sign +.
  Complex reflections(const Counts& counts) {
    const auto [zeros, ones, twos] = counts;
    return mean_of(reflections_, counts, [&] {
      return then(zeros, 0,
                  [&] {
                    return std::conj(reflections({zeros - 1, ones, twos}));
                  }) +
             then(ones, 1,
                  [&] {
                    return std::conj(reflections({zeros, ones - 1, twos}));
                  }) +
             then(twos, 2, [&] {
               return std::conj(reflections({zeros, ones, twos - 1}));
             });
    });
  }
  // So many turns by one and by two thirds, among so many reflections.
  Complex turns(const Counts& counts) {
    const auto [reflected, ones, twos] = counts;
    return mean_of(turns_, counts, [&] {
      return then(reflected, 0,
                  [&] {
                    return std::conj(turns({reflected - 1, ones, twos}));
                  }) +
             then(ones, 1,
                  [&] {
                    return turns({reflected, ones - 1, twos});
                  }) +
             then(twos, 2, [&] {
               return turns({reflected, ones, twos - 1});
             });
    });
  }

 private:
  using Known = std::map<Counts, Complex>;

  // One of `count` comes first, and turns by so many thirds.
  template <class Rest>
  static Complex then(Index count, Index thirds, const Rest& rest) {
    return count == 0 ? Complex(0) : static_cast<double>(count) * turned(thirds) * rest();
  }
  template <class Sum>
  static Complex mean_of(Known& known, const Counts& counts, const Sum& sum) {
    const auto [a, b, c] = counts;
    if (a + b + c == 0) return 1;
    const auto found = known.find(counts);
    if (found != known.end()) return found->second;
    return known[counts] = sum() / static_cast<double>(a + b + c);
  }

  Known reflections_, turns_;
};

// How many orders there are of so many alike and so many others.
double choices(Index some, Index others) {
  double product = 1;
  for (Index i = 1; i <= some; ++i) product *= static_cast<double>(others + i) / static_cast<double>(i);
  return product;
}

struct Likely {
  double probability;
  Complex mean;
};

std::vector<Likely> all_reflections(Orders& orders, Index count) {
  std::vector<Likely> all;
  for (Index zeros = 0; zeros <= count; ++zeros)
    for (Index ones = 0; zeros + ones <= count; ++ones) {
      const Index twos = count - zeros - ones;
      const double words = choices(zeros, count - zeros) * choices(ones, twos);
      all.push_back({words / std::pow(3.0, count), orders.reflections({zeros, ones, twos})});
    }
  return all;
}

std::vector<Likely> all_turns(Orders& orders, Index reflected, Index count) {
  std::vector<Likely> all;
  for (Index ones = 0; ones <= count; ++ones)
    all.push_back({choices(ones, count - ones) / std::pow(2.0, count), orders.turns({reflected, ones, count - ones})});
  return all;
}

// The chance of the likeliest of three angles.
double likeliest(Complex mean) {
  double best = mean.real();
  for (const Index thirds : {1, 2}) best = std::max(best, (mean * turned(thirds)).real());
  return (1 + 2 * best) / 3;
}

constexpr double by_the_sign = 1.0 / 3, settled = 1e-10;

// [m]: how often the product of m permutations other than the identity is guessed right by their multiset; as far as it
// differs from a third, up to `most`.
std::vector<double> guessed_of_moved(Index most) {
  Orders orders;
  std::vector<double> guessed{1};
  while (std::ssize(guessed) <= most && guessed.back() > by_the_sign + settled) {
    const Index m = std::ssize(guessed);
    double sum = 0;
    for (Index reflected = 0; reflected <= m; ++reflected) {
      const double share = choices(reflected, m - reflected) * std::pow(0.6, reflected) * std::pow(0.4, m - reflected);
      const std::vector<Likely> turns = all_turns(orders, reflected, m - reflected);
      for (const Likely& one : all_reflections(orders, reflected))
        for (const Likely& other : turns)
          sum += share * one.probability * other.probability * likeliest(one.mean * other.mean);
    }
    guessed.push_back(sum);
  }
  return guessed;
}

class SixPermutations final : public StateTracking {
 public:
  SixPermutations() : StateTracking("s3", permutations_of(3, false)) {}

  // The last of t + 1 permutations is known, and the t before it by their multiset.
  Bounds bounds(Index size) const override {
    Bounds bounds = StateTracking::bounds(size);
    const std::vector<double> guessed = guessed_of_moved(size - 1);
    std::vector<double> moved(guessed.size(), 0);  // [m]: the chance that m of t are not the identity
    moved.front() = 1;
    bounds.unordered_accuracy_at = {Bounds::unknown};  // at the begin
    double mean = 0;
    for (Index t = 0; t < size; ++t) {
      double sum = by_the_sign;
      for (std::size_t m = 0; m < moved.size(); ++m) sum += moved[m] * (guessed[m] - by_the_sign);
      bounds.unordered_accuracy_at.push_back(sum);
      mean += sum / static_cast<double>(size);
      for (std::size_t m = moved.size(); m-- > 0;) moved[m] = moved[m] / 6 + (m > 0 ? moved[m - 1] * 5 / 6 : 0);
    }
    bounds.unordered_accuracy = mean;
    return bounds;
  }
};

}  // namespace

TaskInfo make_s3() {
  return {.title = "state tracking, permutations of three things",
          .sentence = "At every token, say the permutation that all so far come to, one after the other.",
          .source = "Liu et al. 2023 (ICLR; arXiv:2210.10749) and Merrill et al. 2024 (ICML; arXiv:2404.08819)",
          .bidirectional = false,
          .size_means = "permutations",
          .make = make_task<SixPermutations>};
}

}  // namespace poslab::tasks
