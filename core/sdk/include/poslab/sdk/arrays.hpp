// SPDX-License-Identifier: Apache-2.0
// The learnable arrays of one call, and the arrays that gradients are added to.
#pragma once

#include <cstddef>
#include <vector>

#include "poslab/sdk/call.hpp"
#include "poslab/sdk/leaves.hpp"
#include "poslab/sdk/model.hpp"
#include "poslab/sdk/tensor.hpp"

namespace poslab::sdk {

/// What a gradient of `transform` by weights reads: x before it.
inline const poslab_view* before_transform(const poslab_call& call) {
  switch (static_cast<Side>(call.side)) {
    case Side::query: return call.query;
    case Side::key: return call.key;
    case Side::value: return call.value;
    case Side::output: return call.mixed;
  }
  return nullptr;
}

/// The weights of a call, checked against the declared rows.
template <class S>
class WeightArrays {
 public:
  WeightArrays(const poslab_call& call, const std::vector<poslab_weight>& rows) {
    if (call.weight_count != static_cast<std::int64_t>(rows.size()))
      malformed_call(text(call.weight_count, " weights are given, but the scheme has ", rows.size()));
    tensors_.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      tensors_.push_back(checked<const S>(call.weights ? call.weights[i] : nullptr, rows[i].name,
                                          Extents(rows[i].shape, rows[i].rank)));
  }
  Weights<const S> weights() const { return Weights<const S>(tensors_); }
  const std::vector<Tensor<const S>>& tensors() const { return tensors_; }

 private:
  std::vector<Tensor<const S>> tensors_;
};

/// Weights as leaves of a tape: array i is weight i.
class WeightLeaves {
 public:
  template <class S>
  WeightLeaves(Tape& tape, const WeightArrays<S>& arrays) {
    for (const Tensor<const S>& tensor : arrays.tensors())
      tensors_.emplace_back(tape, static_cast<int>(tensors_.size()), tensor);
  }
  Weights<const Variable> weights() const { return Weights<const Variable>(tensors_); }

 private:
  std::vector<Tensor<const Variable>> tensors_;
};

/// An array that gradients are added to: the caller's, or, where the caller wants none, one that is thrown away. So an
/// author's hand-written gradient need not ask.
template <class S>
class Sink {
 public:
  Sink(const poslab_view* view, const char* name, const Extents& extents) : extents_(extents) {
    if (view) wanted_ = checked<S>(view, name, extents);
  }
  bool wanted() const { return wanted_.data() != nullptr; }
  void add(Index offset, double gradient) const {
    if (wanted()) wanted_.data()[offset] += static_cast<S>(gradient);
  }
  Tensor<S> tensor() {
    if (wanted()) return wanted_;
    scratch_.resize(static_cast<std::size_t>(extents_.size()));
    return {scratch_.data(), extents_};
  }

 private:
  Extents extents_;
  Tensor<S> wanted_;
  std::vector<S> scratch_;
};

/// The sinks of all weights.
template <class S>
class WeightSinks {
 public:
  WeightSinks(const poslab_call& call, const std::vector<poslab_weight>& rows) {
    sinks_.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      sinks_.emplace_back(call.weight_gradients ? call.weight_gradients[i] : nullptr, rows[i].name,
                          Extents(rows[i].shape, rows[i].rank));
  }
  bool wanted() const {
    return std::any_of(sinks_.begin(), sinks_.end(), [](const Sink<S>& sink) { return sink.wanted(); });
  }
  void add(int array, Index offset, double gradient) const {
    sinks_[static_cast<std::size_t>(array)].add(offset, gradient);
  }
  int count() const { return static_cast<int>(sinks_.size()); }
  Weights<S> weights() {
    tensors_.clear();
    for (Sink<S>& sink : sinks_) tensors_.push_back(sink.tensor());
    return Weights<S>(tensors_);
  }

 private:
  std::vector<Sink<S>> sinks_;
  std::vector<Tensor<S>> tensors_;
};

}  // namespace poslab::sdk
