// SPDX-License-Identifier: Apache-2.0
// What the cells of all schemes have in common at one point, as attention without positions: computed once.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace poslab::experiments {

/// Kept by the one who performs cells, for as long as he does. Any thread.
class CommonWork {
 public:
  /// The value of this key, which `work_out` gives if nobody has asked before. Two threads that ask at once may both
  /// work it out: held back, one of them might wait for itself (a thread that waits for TBB takes other cells).
  template <class Value>
  std::shared_ptr<const Value> of(const std::string& key, const std::function<Value()>& work_out) {
    if (const auto known = find(key)) return std::static_pointer_cast<const Value>(known);
    auto made = std::make_shared<const Value>(work_out());
    keep(key, made);
    return made;
  }

 private:
  std::shared_ptr<const void> find(const std::string& key) const;
  void keep(const std::string& key, std::shared_ptr<const void> value);

  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const void>> values_;
};

/// The part of it that belongs to the cells that differ from one cell in their scheme alone.
class CommonToSchemes {
 public:
  /// Keeps nothing: everything is computed when it is asked for.
  CommonToSchemes() = default;
  /// `cell` says all of a cell that is not its scheme.
  CommonToSchemes(CommonWork& work, std::string cell) : work_(&work), cell_(std::move(cell)) {}

  /// `work_out` must not look at the scheme. A `name` has one type of value throughout an experiment.
  template <class Value>
  std::shared_ptr<const Value> of(const std::string& name, const std::function<Value()>& work_out) const {
    return work_ ? work_->of<Value>(cell_ + " " + name, work_out) : std::make_shared<const Value>(work_out());
  }

 private:
  CommonWork* work_ = nullptr;
  std::string cell_;
};

}  // namespace poslab::experiments
