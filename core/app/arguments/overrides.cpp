// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/arguments/overrides.hpp"

namespace poslab::app {

study::Overrides overrides_of(const boost::program_options::variables_map& values) {
  study::Overrides overrides;
  if (values.count("axis") > 0)
    for (const std::string& text : values["axis"].as<std::vector<std::string>>())
      overrides.axes.push_back(split_assignment("--axis", text));
  if (values.count("only") > 0) overrides.only = values["only"].as<std::vector<std::string>>();
  return overrides;
}

}  // namespace poslab::app
