// SPDX-License-Identifier: Apache-2.0
#include "gradients/gradients.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace poslab::check {

void ZeroGradients::note(const std::vector<host::WeightInfo>& weights, const std::vector<Tensor>& gradients) {
  for (std::size_t w = 0; w < weights.size(); ++w) {
    const std::vector<double>& numbers = gradients[w].numbers;
    if (weights[w].frozen || numbers.empty()) continue;
    Seen& seen = weights_[weights[w].name];
    ++seen.calls;
    seen.is_zero &= std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == 0; });
  }
}

std::vector<std::string> ZeroGradients::warnings(const std::string& scheme) const {
  std::vector<std::string> sentences;
  for (const auto& [name, seen] : weights_)
    if (seen.is_zero)
      sentences.push_back(
          fmt::format("weight \"{}\" of {}: its gradient is 0 in all {} gradient calls, so training "
                      "never changes it; use it, leave it out, or declare it frozen",
                      name, scheme, seen.calls));
  return sentences;
}

}  // namespace poslab::check
