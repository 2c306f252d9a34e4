// SPDX-License-Identifier: Apache-2.0
// A number that remembers how it came about, so that gradients can be derived by running an author's code once forward
// and the tape once backward. A tape serves one position, one offset or one row of queries and stays small.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "poslab/sdk/model.hpp"

namespace poslab {

namespace sdk {
class Tape;
}

/// The scalar S on which gradients are derived. It behaves like a double; `value_of(x)` is its number.
class Variable {
 public:
  constexpr Variable() = default;
  template <class Number>
  requires std::is_arithmetic_v<Number>
  constexpr Variable(Number constant) : value_(static_cast<double>(constant)) {}
  constexpr Variable(const Point& point) : value_(point) {}
  constexpr double value() const { return value_; }

  Variable& operator+=(const Variable& b);
  Variable& operator-=(const Variable& b);
  Variable& operator*=(const Variable& b);
  Variable& operator/=(const Variable& b);

 private:
  friend class sdk::Tape;
  constexpr Variable(double value, sdk::Tape* tape, std::int32_t node) : value_(value), tape_(tape), node_(node) {}
  double value_ = 0;
  sdk::Tape* tape_ = nullptr;  // null: a constant
  std::int32_t node_ = -1;
};

constexpr double value_of(double x) { return x; }
constexpr double value_of(const Variable& x) { return x.value(); }
constexpr double value_of(const Point& x) { return x; }

namespace sdk {

/// The operations in the order in which they ran, and the elements of arrays (leaves) that they began with.
class Tape {
 public:
  /// An element of array number `array`, as the start of a computation.
  Variable leaf(double value, int array, Index offset) {
    const Variable result = push(value, {-1, -1, 0, 0});
    leaves_.push_back({result.node_, array, offset});
    return result;
  }

  /// value = f(a), with the derivative by a.
  static Variable unary(double value, const Variable& a, double by_a) {
    return a.tape_ ? a.tape_->push(value, {a.node_, -1, by_a, 0}) : Variable(value);
  }
  /// value = f(a, b), with the derivatives by both.
  static Variable binary(double value, const Variable& a, double by_a, const Variable& b, double by_b) {
    Tape* tape = a.tape_ ? a.tape_ : b.tape_;
    return tape ? tape->push(value, {a.node_, b.node_, by_a, by_b}) : Variable(value);
  }

  /// Adds to the gradient of the loss by x.
  void seed(const Variable& x, double gradient) {
    if (x.node_ < 0) return;
    adjoints_.resize(nodes_.size(), 0);
    adjoints_[static_cast<std::size_t>(x.node_)] += gradient;
  }

  /// Back from the seeds to the leaves: use(array, offset, gradient) for each leaf, in the order in which they were
  /// read; then the tape is empty again.
  template <class Use>
  void sweep(Use use) {
    adjoints_.resize(nodes_.size(), 0);
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      const Node& node = nodes_[i];
      if (node.a >= 0) adjoints_[static_cast<std::size_t>(node.a)] += node.by_a * adjoints_[i];
      if (node.b >= 0) adjoints_[static_cast<std::size_t>(node.b)] += node.by_b * adjoints_[i];
    }
    for (const Leaf& leaf : leaves_) use(leaf.array, leaf.offset, adjoints_[static_cast<std::size_t>(leaf.node)]);
    nodes_.clear();
    leaves_.clear();
    adjoints_.clear();
  }

 private:
  struct Node {
    std::int32_t a, b;  // the nodes that it came from; -1: none, or a constant
    double by_a, by_b;
  };
  struct Leaf {
    std::int32_t node;
    int array;
    Index offset;
  };

  Variable push(double value, const Node& node) {
    nodes_.push_back(node);
    return {value, this, static_cast<std::int32_t>(nodes_.size() - 1)};
  }

  std::vector<Node> nodes_;
  std::vector<Leaf> leaves_;
  std::vector<double> adjoints_;
};

}  // namespace sdk
}  // namespace poslab
