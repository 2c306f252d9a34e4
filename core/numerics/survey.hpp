// SPDX-License-Identifier: Apache-2.0
// A survey measures the pairs of rows that bounds do not rule out, from many threads, with limits that fall as more is
// known. One survey finds the closest pair, another the neighbours of every row.
// The answer does not depend on the order in which threads meet the pairs: see neighbours.hpp.
// Dimension letters: W columns.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/spin_mutex.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "bounded_pairs.hpp"
#include "neighbours.hpp"
#include "poslab/numerics/distinct.hpp"

namespace poslab::numerics {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
using base::at;

// Measures pairs of different rows, and lowers limits as it learns.
template <class S>
class Survey {
 public:
  Survey(std::vector<const S*> rows, Index width, Limits::Per per, const Radius& radius)
      : rows_(std::move(rows)), width_(width), bound_(rows_, width), limits_(count(), per, floors(per, radius)) {}
  virtual ~Survey() = default;

  void run() {
    // Rows that follow each other first, so that limits are low when the sieve begins.
    tbb::parallel_for(tbb::blocked_range<Index>(0, count(), 64), [&](const tbb::blocked_range<Index>& range) {
      for (Index i = range.begin(); i < range.end(); ++i)
        for (Index j = i + 1; j <= std::min(i + 2, count() - 1); ++j) lower_limits(i, j, distance(i, j, infinity));
    });
    sieve_pairs(bound_, limits_, [this](Index i, Index j) { visit(i, j); });
  }

 protected:
  Index count() const { return static_cast<Index>(rows_.size()); }
  double distance(Index i, Index j, double limit) const {
    return squared_distance_below(rows_[at(i)], rows_[at(j)], width_, limit);
  }
  virtual void visit(Index i, Index j) = 0;

  void lower_limits(Index i, Index j, double squared_distance) {
    const float limit = bound_.to_limit(squared_distance * tie_band);
    limits_.lower(i, limit);
    limits_.lower(j, limit);
  }

 private:
  // Rows within their radius matter, however near others are.
  std::vector<float> floors(Limits::Per per, const Radius& radius) const {
    std::vector<float> floors;
    for (Index row = 0; row < (per == Limits::Per::row ? count() : 1); ++row)
      floors.push_back(bound_.to_limit(radius.of(row) * radius.of(row) * tie_band));
    return floors;
  }

  std::vector<const S*> rows_;
  Index width_;
  ColumnBound bound_;
  Limits limits_;
};

template <class S>
class ClosestSurvey : public Survey<S> {
 public:
  ClosestSurvey(std::vector<const S*> rows, Index width) : Survey<S>(std::move(rows), width, Limits::Per::table, 0) {}
  Candidates found;  // index: i * count + j

 private:
  void visit(Index i, Index j) override {
    const double highest = highest_.load(std::memory_order_relaxed);
    const double squared = this->distance(i, j, highest);
    if (squared > highest) return;
    const std::scoped_lock lock(mutex_);
    found.insert(squared, i * this->count() + j);
    highest_.store(found.smallest() * tie_band, std::memory_order_relaxed);
    this->lower_limits(i, j, squared);
  }
  std::atomic<double> highest_{infinity};
  tbb::spin_mutex mutex_;
};

template <class S>
class NeighbourSurvey : public Survey<S> {
 public:
  NeighbourSurvey(std::vector<const S*> rows, Index width, Radius radius, const DistinctRows& distinct)
      : Survey<S>(std::move(rows), width, Limits::Per::row, radius),
        found(at(this->count())),
        components(at(this->count())),
        radius_(std::move(radius)),
        distinct_(distinct),
        highest_(at(this->count())),
        mutexes_(at(this->count())) {
    for (auto& highest : highest_) highest.store(infinity, std::memory_order_relaxed);
  }
  std::vector<Candidates> found;  // index: the other row
  DisjointSets components;
  double collisions = 0;

 private:
  void visit(Index i, Index j) override {
    // Beyond both rows' nearest and beyond the radius a pair says nothing. The band leaves room for the rounded root.
    const double highest_i = highest_[at(i)].load(std::memory_order_relaxed),
                 highest_j = highest_[at(j)].load(std::memory_order_relaxed);
    const double within = radius_.of(i, j);
    const double limit = std::max({highest_i, highest_j, within * within * tie_band});
    const double squared = this->distance(i, j, limit);
    if (squared > limit) return;
    insert(i, squared, j);
    insert(j, squared, i);
    this->lower_limits(i, j, squared);
    if (std::sqrt(squared) <= within) collide(i, j);
  }

  void insert(Index row, double squared, Index other) {
    if (squared > highest_[at(row)].load(std::memory_order_relaxed)) return;
    const std::scoped_lock lock(mutexes_[at(row)]);
    found[at(row)].insert(squared, other);
    highest_[at(row)].store(found[at(row)].smallest() * tie_band, std::memory_order_relaxed);
  }

  void collide(Index i, Index j) {
    const std::scoped_lock lock(component_mutex_);
    collisions += static_cast<double>(distinct_.count(i) * distinct_.count(j));  // whole numbers: exact in any order
    components.join(at(i), at(j));
  }

  Radius radius_;
  const DistinctRows& distinct_;
  std::vector<std::atomic<double>> highest_;
  std::vector<tbb::spin_mutex> mutexes_;
  tbb::spin_mutex component_mutex_;
};

}  // namespace poslab::numerics
