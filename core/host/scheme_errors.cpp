// SPDX-License-Identifier: Apache-2.0
#include "poslab/host/scheme_errors.hpp"

#include <fmt/format.h>

#include "poslab/base/text.hpp"
#include "poslab/data/catalogue.hpp"

namespace poslab::host {
base::Error no_such_scheme(std::string wanted, const std::vector<std::string>& offered) {
  return {base::Error::Kind::request, fmt::format("no plugin offers the scheme \"{}\"", wanted),
          data::if_it_is_yours + base::did_you_mean(wanted, offered)};
}

Malformed::Malformed(What what, std::string broken)
    : Error(fmt::format("malformed {}: {}", what == What::table ? "table" : "instance", broken)),
      declared(what),
      rule(std::move(broken)) {}

Malformed::Malformed(const std::string& scheme, const Malformed& found)
    : Error(fmt::format("scheme \"{}\": {}", scheme, found.what())), declared(found.declared), rule(found.rule) {}

base::Error wrong_call(std::string called, std::string found) {
  return base::Error(fmt::format("{}: {}", called, found));
}

}  // namespace poslab::host
