// SPDX-License-Identifier: Apache-2.0
#include "poslab/tasks/errors.hpp"

#include <fmt/format.h>

namespace poslab::tasks {

base::Error no_such_instance(const std::string& of_what, std::uint64_t i, std::uint64_t count) {
  return base::Error(fmt::format("{}: number {} is asked for, but there are {}, counted from 0", of_what, i, count));
}

BadText::BadText(const std::string& problem_)
    : Error(fmt::format("the text {}; give a plain text, of 20 characters at the very least, with --data text=FILE",
                        problem_)),
      problem(problem_) {}

}  // namespace poslab::tasks
