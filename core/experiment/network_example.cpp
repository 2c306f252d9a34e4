// SPDX-License-Identifier: Apache-2.0
// Whether a network is the one whose file it is in: with its weights, the logits of its example must come out.
// Dimension letters: T tokens, W width of vectors, V vocabulary, A numbers of a position.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "poslab/experiment/given_network.hpp"

namespace poslab::experiments {
namespace {

using base::Index;
using data::KeptArray;

constexpr double infinity = std::numeric_limits<double>::infinity();
// What float32 makes on another processor, after many layers; a step of training changes more.
constexpr double rounding = 1e-4;

const KeptArray* array_of(const data::GivenNetwork& given, const char* name) {
  return data::find_array(given.arrays, name);
}

// Its numbers into an array of as many; false: one is none.
bool copy_numbers(const KeptArray& array, base::View<double> to) {
  std::size_t i = 0;
  for (double& number : to.flat()) number = array.value(i++);
  return std::all_of(to.begin(), to.end(), [](double x) { return std::isfinite(x); });
}

// The sequence, as a batch of one; its arrays are kept here.
class Example {
 public:
  Example(const data::GivenNetwork& given, const KeptArray& logits) : V_(vocabulary_of(given)) {
    if (logits.shape.size() != 2 || logits.shape[1] != V_) return;
    T_ = logits.shape[0];
    tokens_ = base::Array<std::int32_t>{1, T_};
    targets_ = base::Array<std::int32_t>{1, T_};
    mask_ = base::Array<std::uint8_t>{1, T_};
    is_good_ = take_contents(array_of(given, kept::example_tokens), array_of(given, kept::example_vectors)) &&
               take_positions(array_of(given, kept::example_positions));
  }
  bool is_good() const { return is_good_; }
  network::Batch batch() const {
    network::Batch batch{tokens_, targets_, mask_};
    if (A_ > 0) batch.positions = positions_;
    if (W_ > 0) batch.vectors = vectors_;
    return batch;
  }

 private:
  bool take_contents(const KeptArray* tokens, const KeptArray* vectors) {
    if (vectors) {
      if (vectors->shape.size() != 2 || vectors->shape[0] != T_) return false;
      W_ = vectors->shape[1];
      vectors_ = base::Array<double>{1, T_, W_};
      return copy_numbers(*vectors, vectors_);
    }
    if (!tokens || tokens->shape != std::vector<std::int64_t>{T_}) return false;
    for (Index t = 0; t < T_; ++t) {
      const double token = tokens->value(static_cast<std::size_t>(t));
      if (!(token >= 0 && token < static_cast<double>(V_)) || token != std::floor(token)) return false;
      tokens_(0, t) = static_cast<std::int32_t>(token);
    }
    return true;
  }
  bool take_positions(const KeptArray* positions) {
    if (!positions) return true;
    if (positions->shape.size() != 2 || positions->shape[0] != T_) return false;
    A_ = positions->shape[1];
    positions_ = base::Array<double>{T_, A_};
    return copy_numbers(*positions, positions_);
  }

  Index V_, T_ = 0, W_ = 0, A_ = 0;
  base::Array<std::int32_t> tokens_, targets_;
  base::Array<std::uint8_t> mask_;
  base::Array<double> vectors_, positions_;
  bool is_good_ = false;
};

template <class S>
double error_of(const data::GivenNetwork& given, const host::LayerSchemes& schemes, const KeptArray& kept) {
  const Example example(given, kept);
  if (!example.is_good()) return infinity;
  const data::GivenWeights weights = data::scheme_weights_of(given);
  const data::Draws draws(0, "example", "", 0);  // nothing is drawn that is not replaced
  const GivenStack<S> stack({.scheme = schemes.first(),
                             .axes = given.axes,
                             .draws = draws,
                             .weights = &weights,
                             .mixed = &schemes,
                             .network = &given});
  const base::Array<S> logits = stack.logits(example.batch());
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const double error = std::abs(static_cast<double>(logits.flat()[i]) - kept.value(i));
    if (!std::isfinite(error)) return infinity;
    difference = std::max(difference, error);
    largest = std::max(largest, std::abs(kept.value(i)));
  }
  return difference == 0 ? 0 : difference / largest;
}

}  // namespace

std::optional<double> example_error(const data::GivenNetwork& given, const host::LayerSchemes& schemes) {
  const KeptArray* logits = array_of(given, kept::example_logits);
  if (!logits || why_not_whole(given, schemes)) return std::nullopt;
  const bool is_single = std::holds_alternative<std::vector<float>>(logits->values);
  return is_single ? error_of<float>(given, schemes, *logits) : error_of<double>(given, schemes, *logits);
}

std::string changed_note(double error) {
  if (error <= rounding) return "";
  if (std::isinf(error)) return "changed since elsewhere: the example in its file is no longer one";
  return fmt::format(
      "changed since elsewhere: the logits of the example in its file are off by {:.3g} % of the largest", 100 * error);
}

}  // namespace poslab::experiments
