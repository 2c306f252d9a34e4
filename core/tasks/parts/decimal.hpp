// SPDX-License-Identifier: Apache-2.0
// Addition of two decimal numbers of n digits each, after a prompt.
#pragma once

#include <string>
#include <utility>

#include "parts/generated.hpp"

namespace poslab::tasks {

/// In which order all three numbers are written.
enum class Digits { greatest_first, least_first };

/// a, plus, b -> their n or n + 1 digits. The first digit of neither number is 0.
class DecimalAddition : public Generated {
 public:
  DecimalAddition(std::string id, Digits order) : Generated(std::move(id), 1), order_(order) {}
  Index vocabulary() const override;
  Index tokens(Index size) const override;
  Bounds bounds(Index size) const override;

 private:
  Sequence draw(Dice& dice, Index size) const override;

  Digits order_;
};

}  // namespace poslab::tasks
