// SPDX-License-Identifier: Apache-2.0
// What tasks that come from no file have in common.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "parts/dice.hpp"
#include "poslab/tasks/task.hpp"

namespace poslab::tasks {

/// A task whose instance is a function of its dice and its size.
class Generated : public Task {
 public:
  Generated(std::string id, Index least) : id_(std::move(id)), least_(least) {}
  std::optional<base::Refusal> why_not(Index size) const override;
  Sequence sample(const base::Stream& draws, Part part, std::uint64_t i, Index size) const final;

 protected:
  const std::string& id() const { return id_; }

 private:
  virtual Sequence draw(Dice& dice, Index size) const = 0;

  std::string id_;
  Index least_;
};

/// TaskInfo::make of a task that needs no text.
template <class T>
std::unique_ptr<Task> make_task(std::string_view /*text*/) {
  return std::make_unique<T>();
}

}  // namespace poslab::tasks
