// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/arguments/options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "poslab/app/commands.hpp"
#include "poslab/app/text/help_text.hpp"
#include "poslab/base/printable.hpp"

namespace po = boost::program_options;

namespace poslab::app {

namespace {

// "poslab new scheme NAME", of the first line of its help.
std::string usage_of(const std::string& command) {
  const Command* known = command_of(command);
  const std::string help = known ? known->help : "usage: poslab " + command;
  const std::size_t begin = std::string_view("usage: ").size();
  std::string line = help.substr(begin, std::min(help.find('\n'), help.size()) - begin);
  if (const std::size_t options = line.find(" [options]"); options != std::string::npos) line.erase(options);
  return line;
}

std::string what_is_wrong(std::size_t least, std::size_t most, const std::vector<std::string>& given) {
  const std::size_t apart = given.size() < least ? least - given.size() : given.size() - most;
  const std::string words = apart == 1 ? "a word" : fmt::format("{} words", apart);
  if (given.size() < least) return words + (apart == 1 ? " is missing" : " are missing");
  return fmt::format("{} too many, from \"{}\" on", words, base::printable(given[most]));
}

}  // namespace

WrongWords::WrongWords(const std::string& command_, std::size_t least_, std::size_t most_,
                       const std::vector<std::string>& given_)
    : UsageError(fmt::format("{}; it is: {}", what_is_wrong(least_, most_, given_), usage_of(command_))),
      command(command_),
      least(least_),
      most(most_),
      given(given_) {}

void Options::positional(const std::string& name, std::size_t least, std::size_t most) {
  positional_ = name;
  least_ = least;
  most_ = most;
}

std::string Options::help() const {
  std::string text;
  for (const Command& command : commands())
    if (command_ == command.name) text = std::string(command.help) + "\n";
  return text + options_text(groups_);
}

po::variables_map Options::parse(const std::vector<std::string>& arguments) {
  group("");  // whoever reads the help has found it
  add()("help,h", "");
  po::options_description all;
  for (const OptionGroup& group : groups_) all.add(group.options);
  if (!positional_.empty()) all.add_options()(positional_.c_str(), po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  if (!positional_.empty()) positional.add(positional_.c_str(), -1);
  po::variables_map values;
  try {
    const auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(arguments).options(all).positional(positional).style(style).run(), values);
    po::notify(values);
  } catch (const po::unknown_option& mistake) {
    throw UsageError(no_such_option(mistake.get_option_name(), groups_));
  } catch (const po::too_many_positional_options_error&) {
    throw UsageError(fmt::format("poslab {} takes options alone, and no other words", command_));
  } catch (const po::error& mistake) {
    throw UsageError(mistake.what());
  }
  if (values.count("help") > 0) throw HelpWanted{help(), option_rows(groups_)};
  const std::size_t given =
      values.count(positional_) > 0 ? values[positional_].as<std::vector<std::string>>().size() : 0;
  if (!positional_.empty() && (given < least_ || given > most_))
    throw WrongWords(command_, least_, most_,
                     given > 0 ? values[positional_].as<std::vector<std::string>>() : std::vector<std::string>());
  return values;
}

namespace {

constexpr const char* time_limit_name = "time-limit";

void require_time_limit(double seconds) {
  if (!(seconds > 0)) throw UsageError("--time-limit wants a number of seconds above 0");
}

}  // namespace

void add_time_limit_option(Options& options, double seconds) {
  options.add()(time_limit_name,
                po::value<double>()->value_name("SECONDS")->default_value(seconds)->notifier(require_time_limit),
                "abort the command after this long");
}

void add_file_time_limit_option(Options& options) {
  const std::string sentence = fmt::format("abort the command after this long; if absent: {:g}, and {:g} for each MB",
                                           file_seconds, for_each_megabyte);
  options.add()(time_limit_name, po::value<double>()->value_name("SECONDS")->notifier(require_time_limit),
                sentence.c_str());
}

double time_limit_of(const std::vector<std::string>& arguments, double seconds) {
  po::options_description known;
  known.add_options()(time_limit_name, po::value<double>()->default_value(seconds));
  try {
    const auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::variables_map values;
    po::store(po::command_line_parser(arguments).options(known).style(style).allow_unregistered().run(), values);
    const double asked = values[time_limit_name].as<double>();
    return asked > 0 ? asked : seconds;
  } catch (const po::error&) {
    return seconds;
  }
}

std::string output_of(const po::variables_map& values) {
  const auto output = values["output"].as<std::string>();
  if (output.empty()) throw UsageError("-o wants the name of a file, and was given none (a variable that is not set?)");
  if (output.ends_with(".journal"))
    throw UsageError(fmt::format("-o {} would be taken for a journal; call it .h5", output));
  return output;
}

std::pair<std::string, std::string> split_assignment(const std::string& option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError(fmt::format("{} wants name=value, not \"{}\"", option, text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

double parse_bytes(const std::string& text) {
  double number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  static const std::pair<const char*, double> units[] = {
      {"", 1}, {"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}};
  constexpr double least = 0x1p20;  // fewer bytes without a unit are a number of something else
  if (problem == std::errc() && unit.empty() && number > 0 && number < least)
    throw UsageError(fmt::format("\"{0}\" is {0} bytes of memory; write it with its unit, like {0}GiB or {0}MB", text));
  for (const auto& [name, factor] : units)
    if (problem == std::errc() && number > 0 && std::isfinite(number) && unit == name) return number * factor;
  throw UsageError(fmt::format("\"{}\" is no amount of memory; write it like 8GiB or 500MB", text));
}

}  // namespace poslab::app
