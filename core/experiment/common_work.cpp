// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiment/common_work.hpp"

namespace poslab::experiments {

// A variant's repeats and lengths come one after another, then those of the next one: as many may be between a value
// and the next who asks for it.
constexpr std::size_t max_values = 256;

std::shared_ptr<const void> CommonWork::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = values_.find(key);
  return found == values_.end() ? nullptr : found->second;
}

void CommonWork::keep(const std::string& key, std::shared_ptr<const void> value) {
  const std::lock_guard lock(mutex_);
  if (values_.size() >= max_values) values_.clear();  // those in use are kept by their users
  values_[key] = std::move(value);
}

}  // namespace poslab::experiments
