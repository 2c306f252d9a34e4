// SPDX-License-Identifier: Apache-2.0
#include "poslab/app/arguments/options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "poslab/app/commands.hpp"
#include "poslab/app/text/help_text.hpp"

namespace po = boost::program_options;

namespace poslab::app {

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
    throw UsageError("it takes options alone, and no other words");
  } catch (const po::error& mistake) {
    throw UsageError(mistake.what());
  }
  if (values.count("help") > 0) throw HelpWanted{help(), option_rows(groups_)};
  const std::size_t given =
      values.count(positional_) > 0 ? values[positional_].as<std::vector<std::string>>().size() : 0;
  if (!positional_.empty() && (given < least_ || given > most_))
    throw UsageError(most_ == least_ ? fmt::format("{} {} needed, {} given", least_, positional_, given)
                                     : fmt::format("at least {} {} needed, {} given", least_, positional_, given));
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
  for (const auto& [name, factor] : units)
    if (problem == std::errc() && number > 0 && std::isfinite(number) && unit == name) return number * factor;
  throw UsageError(fmt::format("\"{}\" is no amount of memory; write it like 8GiB or 500MB", text));
}

}  // namespace poslab::app
