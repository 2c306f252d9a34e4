// SPDX-License-Identifier: Apache-2.0
#include "options/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options.hpp>

#include "poslab/base/printable.hpp"

namespace po = boost::program_options;

namespace poslab::app {
namespace {

std::string what_is_wrong(std::size_t least, std::size_t most, const std::vector<std::string>& given) {
  const std::size_t apart = given.size() < least ? least - given.size() : given.size() - most;
  const std::string words = apart == 1 ? "a word" : fmt::format("{} words", apart);
  if (given.size() < least) return words + (apart == 1 ? " is missing" : " are missing");
  return fmt::format("{} too many, from \"{}\" on", words, base::printable(given[most]));
}

// What Boost is told of an option: its names, and whether it takes a value.
po::options_description described(const std::vector<Row*>& rows) {
  po::options_description all;
  all.add_options()("help,h", "");
  for (const Row* row : rows) {
    const Declaration& option = row->declared;
    const std::string names = option.letter ? fmt::format("{},{}", option.name, option.letter) : option.name;
    if (option.value.empty())
      all.add_options()(names.c_str(), "");
    else
      all.add_options()(names.c_str(), po::value<std::string>(), "");
  }
  return all;
}

}  // namespace

WrongWords::WrongWords(std::size_t least_, std::size_t most_, const std::vector<std::string>& given_)
    : UsageError(what_is_wrong(least_, most_, given_)), least(least_), most(most_), given(given_) {}

Row* Options::add(Row row) {
  row.heading = heading_;
  return rows_.emplace_back(&own_.emplace_back(std::move(row)));
}

void Options::share_with_jobs(Options& other) {
  for (Row* row : other.rows_) {
    if (!row->declared.to_jobs) continue;
    row->heading = heading_;
    rows_.push_back(row);
  }
}

std::vector<std::string> Options::handed_to_jobs() const {
  std::vector<std::string> handed;
  for (const Row* row : rows_)
    for (const std::string& value : row->given)
      if (row->declared.to_jobs)
        handed.push_back(fmt::format("--{}={}", row->declared.name, row->declared.to_jobs(value)));
  return handed;
}

std::vector<const Row*> Options::shown() const {
  std::vector<const Row*> for_people;
  for (const Row* row : rows_)
    if (!row->heading.empty()) for_people.push_back(row);
  return for_people;
}

bool Options::parse(const std::vector<std::string>& all) {
  arguments_ = all;
  auto end = all.end();
  if (hands_on_after_dashes_) {
    end = std::find(all.begin(), all.end(), "--");
    if (end != all.end()) after_dashes_.assign(end + 1, all.end());
  }
  const po::options_description known = described(rows_);
  try {
    const auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    for (const po::option& one :
         po::command_line_parser({all.begin(), end}).options(known).style(style).run().options) {
      if (one.string_key == "help") return false;
      const auto row =
          std::ranges::find_if(rows_, [&](const Row* each) { return each->declared.name == one.string_key; });
      std::vector<std::string>& given = row == rows_.end() ? words.given : (*row)->given;
      given.push_back(one.value.empty() ? "" : one.value.front());
    }
  } catch (const po::unknown_option& mistake) {
    throw UsageError(no_such_option(mistake.get_option_name(), *this));
  } catch (const po::error& mistake) {
    throw UsageError(mistake.what());
  }
  for (const Row* row : rows_) {
    if (row->given.size() > 1 && !row->repeats)
      throw UsageError(fmt::format("--{} is given twice", row->declared.name));
    for (const std::string& text : row->given) row->take(text);
  }
  if (words.given.size() < words.least || words.given.size() > words.most)
    throw WrongWords(words.least, words.most, words.given);
  return true;
}

}  // namespace poslab::app
