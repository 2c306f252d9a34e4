// SPDX-License-Identifier: Apache-2.0
// `poslab new scheme NAME`: a folder that builds, tests and checks, from templates/.
#include <fmt/format.h>

#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

#include "poslab/app/arguments/options.hpp"
#include "poslab/app/commands.hpp"
#include "poslab/app/text/print.hpp"
#include "poslab/base/text.hpp"

namespace po = boost::program_options;
namespace fs = std::filesystem;

namespace poslab::app {
namespace {

// File name in templates/ -> its text. They are schemes that compile, of the name that `filled` replaces.
const std::map<std::string, std::string>& templates() {
  static const std::map<std::string, std::string> all{
#include "templates.inc"
  };
  return all;
}

const std::vector<std::string> families{"additive", "rotary", "bias"};

void require_name(const std::string& name) {
  bool fits = !name.empty() && std::islower(static_cast<unsigned char>(name.front())) != 0 && name.back() != '-';
  for (const char c : name)
    fits = fits && (std::islower(static_cast<unsigned char>(c)) != 0 ||
                    std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-');
  if (!fits)
    throw UsageError(fmt::format(
        "\"{}\" cannot be a scheme's name: lower-case letters, digits and hyphens, a letter first, like my-rope",
        name));
}

// my-rope -> MyRope (joined) or My rope (as a title)
std::string camel(const std::string& name) {
  std::string out;
  bool up = true;
  for (const char c : name) {
    if (c != '-') out += up ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    up = c == '-';
  }
  return out;
}

std::string title(std::string name) {
  for (char& c : name) c = c == '-' ? ' ' : c;
  name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  return name;
}

std::string filled(std::string text, const std::string& name) {
  const std::pair<std::string, std::string> words[] = {
      {"new-scheme", name}, {"NewScheme", camel(name)}, {"New scheme", title(name)}};
  for (const auto& [word, meaning] : words)
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + meaning.size()))
      text.replace(at, word.size(), meaning);
  return text;
}

// Whether folders in `directory` are built with poslab itself.
bool is_plugins_of_poslab(const fs::path& directory) {
  return fs::exists(directory / ".." / "core" / "sdk" / "include" / "poslab" / "plugin.h");
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw base::Error(fmt::format("{} cannot be written", file.string()));
}

// Where find_package finds the poslab that runs, or nothing.
std::string prefix_hint() {
  const fs::path prefix = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  const bool usual = prefix == "/usr" || prefix == "/usr/local";
  return usual || !fs::exists(prefix / "lib/cmake/poslab") ? "" : " -DCMAKE_PREFIX_PATH=" + prefix.string();
}

std::string next_steps(const fs::path& folder, const std::string& name, bool inside) {
  if (inside)
    return fmt::format(
        "In poslab's own tree: nothing else to edit. Next:\n"
        "  ./dev build poslab poslab_scheme_{0} && build/release/bin/poslab check {0}\n  ./dev test -R {0}\n",
        name);
  return fmt::format(
      "Next:\n  cmake -S {0} -B {0}/build -DCMAKE_BUILD_TYPE=Release{1}\n  cmake --build {0}/build && ctest --test-dir "
      "{0}/build\n"
      "and in studies: poslab run STUDY.toml --plugins {0}/build\n",
      folder.string(), prefix_hint());
}

}  // namespace

int new_command(const std::vector<std::string>& arguments) {
  Options options("new");
  options.add()("dir", po::value<std::string>()->default_value(".")->value_name("DIR"), "make the folder in here")(
      "family", po::value<std::string>()->default_value("additive")->value_name("FAMILY"), "additive, rotary or bias");
  options.positional("scheme NAME", 2, 2);
  const auto values = options.parse(arguments);
  const auto words = values["scheme NAME"].as<std::vector<std::string>>();
  if (words[0] != "scheme") throw UsageError(fmt::format("\"{}\" cannot be made; a scheme can", words[0]));
  const std::string &name = words[1], family = values["family"].as<std::string>();
  require_name(name);
  if (std::find(families.begin(), families.end(), family) == families.end())
    throw UsageError(fmt::format("\"{}\" is no family to begin with{}; {} are", family,
                                 base::did_you_mean(family, families), base::enumerate(families)));
  const fs::path directory = values["dir"].as<std::string>(), folder = directory / name;
  if (!fs::is_directory(directory)) throw base::Error(fmt::format("{} is no directory", directory.string()));
  if (fs::exists(folder)) throw base::Error(fmt::format("{} is there already; nothing was written", folder.string()));
  const bool inside = is_plugins_of_poslab(directory);
  fs::create_directory(folder);
  for (const char* suffix : {".cpp", ".md", "_test.py"})
    write(folder / (name + suffix), filled(templates().at(family + suffix), name));
  write(folder / "CMakeLists.txt",
        filled(templates().at(inside ? "CMakeLists.txt.inside" : "CMakeLists.txt.outside"), name));
  print(stdout, fmt::format("{} is written: a {} scheme to change into yours.\n{}", folder.string(), family,
                            next_steps(folder, name, inside)));
  return all_well;
}

}  // namespace poslab::app
