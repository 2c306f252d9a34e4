// SPDX-License-Identifier: Apache-2.0
// f(u, m) = sum_i cos(m theta_i), theta_i = exp(-u i / J), u = ln base. Its slope in u is at most
//   m l(u),  l(u) = sum_i theta_i i / J,
// which falls with u. So f(u, m) = -y < 0 says that f(u', m) < 0 for all u' from u to u + y / (m l(u)): no base among
// them is admissible. A distance m that shows this is a witness; the next step mostly has the same one, or a neighbour.
#include "smallest_base.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace poslab::experiments::base_bounds {
namespace {

struct Witness {
  Index distance = 0;
  double step = 0;  // of u; 0: there is none
};

class At {
 public:
  At(double u, Index J) : angles_(static_cast<std::size_t>(J)) {
    for (Index i = 0; i < J; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(J);
      angles_[static_cast<std::size_t>(i)] = std::exp(-u * share);
      steepness_ += angles_[static_cast<std::size_t>(i)] * share;
    }
  }

  double sum(Index m) const {
    double sum = 0;
    for (const double angle : angles_) sum += std::cos(static_cast<double>(m) * angle);
    return sum;
  }

  // Keeps the one of two witnesses that reaches farther, this distance being the second.
  void offer(Index m, double sum, Witness& best) const {
    if (sum >= 0) return;
    const double step = -sum / (static_cast<double>(m) * steepness_);
    if (step > best.step) best = {m, step};
  }

  // The best witness of all distances 1 .. L - 1. cos((m + k) theta) of `lanes` neighbours from one sine and one cosine
  // of m theta, so that errors do not add up along the way.
  Witness best_of_all(Index L) const {
    const std::size_t J = angles_.size();
    std::vector<std::array<double, lanes>> cosine(J), sine(J);
    for (std::size_t i = 0; i < J; ++i)
      for (std::size_t k = 0; k < lanes; ++k) {
        cosine[i][k] = std::cos(static_cast<double>(k) * angles_[i]);
        sine[i][k] = std::sin(static_cast<double>(k) * angles_[i]);
      }
    Witness best;
    for (Index m = 1; m < L; m += static_cast<Index>(lanes)) {
      std::array<double, lanes> sums{};
      for (std::size_t i = 0; i < J; ++i) {
        const double c = std::cos(static_cast<double>(m) * angles_[i]),
                     s = std::sin(static_cast<double>(m) * angles_[i]);
        for (std::size_t k = 0; k < lanes; ++k) sums[k] += c * cosine[i][k] - s * sine[i][k];
      }
      for (std::size_t k = 0; k < lanes && m + static_cast<Index>(k) < L; ++k)
        offer(m + static_cast<Index>(k), sums[k], best);
    }
    return best;
  }

 private:
  static constexpr std::size_t lanes = 64;
  std::vector<double> angles_;
  double steepness_ = 0;
};

constexpr double too_short = 1e-5;  // a step worth a look at all distances, for one that reaches farther

}  // namespace

std::optional<double> smallest_base(Index J, Index L, double highest) {
  Witness last{2, 0};
  const double end = std::log(highest);
  for (double u = 0; u <= end; u += std::max(last.step, finest_step)) {
    const At here(u, J);
    Witness best;
    for (Index m = std::max<Index>(last.distance - 2, 1); m < L && m <= last.distance + 2; ++m)
      here.offer(m, here.sum(m), best);
    if (best.step < too_short) best = here.best_of_all(L);
    if (best.step == 0) return std::exp(u);
    last = best;
  }
  return std::nullopt;
}

}  // namespace poslab::experiments::base_bounds
