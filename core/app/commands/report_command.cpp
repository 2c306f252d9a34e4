// SPDX-License-Identifier: Apache-2.0
// `poslab report` is poslab's Python package, which draws with matplotlib: this process becomes that program.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "poslab/app/arguments/options.hpp"
#include "poslab/app/arguments/shared_files.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/process/child.hpp"

namespace poslab::app {
int report_command(const std::vector<std::string>& arguments) {
  Options options("report");
  options.add()("output,o", boost::program_options::value<std::string>()->value_name("PAGE"),
                "PAGE.md, PAGE.tex or PAGE.pdf; FILE.md if absent")(
      "beside", boost::program_options::value<std::string>()->value_name("OTHER.h5"),
      "its answers below those of the same schemes");
  add_file_time_limit_option(options);
  options.positional("FILE", 1, 1);
  const auto values = options.parse(arguments);
  const std::string file = values["FILE"].as<std::vector<std::string>>().front();
  // -P: what lies in the working directory is no module of this program.
  std::vector<std::string> words{POSLAB_PYTHON, "-P", "-B", "-m", "poslab.report"};
  if (values.count("output") > 0) words.insert(words.end(), {"-o", values["output"].as<std::string>()});
  if (values.count("beside") > 0) words.push_back("--beside=" + values["beside"].as<std::string>());
  words.insert(words.end(), {"--", file});
  const char* others = std::getenv("PYTHONPATH");
  const std::string path = (shared_folder() / "python").string() + (others && *others ? std::string(":") + others : "");
  ::setenv("PYTHONPATH", path.c_str(), 1);
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(POSLAB_PYTHON, argv.data());
  throw process::NoProgram(POSLAB_PYTHON, errno);
}

}  // namespace poslab::app
