// SPDX-License-Identifier: Apache-2.0
// Weights whose gradient is 0 wherever it is tested: training would never change them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "calls/call.hpp"
#include "poslab/host/scheme.hpp"

namespace poslab::check {

class ZeroGradients {
 public:
  /// The gradients by all weights of one call; frozen weights are passed over.
  void note(const std::vector<host::WeightInfo>& weights, const std::vector<Tensor>& gradients);
  /// One sentence for each weight that has had no other gradient than 0 in any call.
  std::vector<std::string> warnings(const std::string& scheme) const;

 private:
  struct Seen {
    int calls = 0;
    bool is_zero = true;
  };
  std::map<std::string, Seen> weights_;
};

}  // namespace poslab::check
