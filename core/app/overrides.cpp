// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/overrides.hpp"

namespace poslab::app {

spec::Overrides overrides_of(const boost::program_options::variables_map& values) {
  spec::Overrides overrides;
  if (values.count("axis") > 0)
    for (const std::string& text : values["axis"].as<std::vector<std::string>>())
      overrides.axes.push_back(split_assignment("--axis", text));
  if (values.count("only") > 0) overrides.only = values["only"].as<std::vector<std::string>>();
  return overrides;
}

}  // namespace poslab::app
