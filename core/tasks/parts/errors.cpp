// SPDX-License-Identifier: Apache-2.0
#include "poslab/tasks/errors.hpp"

#include <fmt/format.h>

namespace poslab::tasks {

BadSize::BadSize(const std::string& why_not, Index size_) : BadArgument(why_not), size(size_) {}

NoSuchInstance::NoSuchInstance(const std::string& of_what, std::uint64_t i_, std::uint64_t count_)
    : Error(fmt::format("{}: number {} is asked for, but there are {}, counted from 0", of_what, i_, count_)),
      i(i_),
      count(count_) {}

BadText::BadText(const std::string& problem_)
    : Error(fmt::format("the text {}; give a plain text, of 20 characters at the very least, with --data text=FILE",
                        problem_)),
      problem(problem_) {}

}  // namespace poslab::tasks
