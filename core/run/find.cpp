// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/find.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <system_error>

#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "synonyms.hpp"

namespace poslab::run {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;
using Kind = Hit::Kind;
using Where = Hit::Where;

// As texts are compared: of as many bytes as `text`.
std::string plain(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-' || c == '_') c = ' ';
  }
  return text;
}

bool has_all(const std::string& text, const Words& words) {
  const std::string plain_text = plain(text);
  return std::all_of(words.begin(), words.end(),
                     [&](const std::string& word) { return plain_text.find(word) != std::string::npos; });
}

bool has_any(const std::string& text, const Words& words) {
  const std::string plain_text = plain(text);
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return plain_text.find(word) != std::string::npos; });
}

class Finder {
 public:
  explicit Finder(const Words& words) {
    for (const std::string& word : words) words_.push_back(plain(word));
  }

  // `more` is searched, and not shown. An owner's name may be one of the words, as in "rope base", but not the only
  // one. Another word for it, of `synonyms` or the list, is as good as its name where it is what was asked for, and is
  // shown.
  void add(Kind kind, const std::string& name, const std::string& owner, const std::string& text,
           const std::string& more, Words synonyms = {}) {
    for (std::string& word : synonyms_of(kind, name, owner)) synonyms.push_back(std::move(word));
    const std::string asked = fmt::format("{}", fmt::join(words_, " "));
    const auto synonym = std::ranges::find(synonyms, asked, plain);
    if (synonym != synonyms.end()) {
      found_.push_back({kind, name, owner, *synonym + ": " + text, 0, Where::is_name});
      return;
    }
    const std::string own = fmt::format("{}\n{}\n{}", name, text, more);
    if (!has_all(own + "\n" + owner, words_) || !has_any(own, words_)) return;
    const bool is_name = words_.size() == 1 && plain(name) == words_.front();
    const std::string names = name + "\n" + owner;
    const Where where = is_name                                ? Where::is_name
                        : has_all(names, words_)               ? Where::in_name
                        : has_all(names + "\n" + text, words_) ? Where::in_text
                                                               : Where::elsewhere;
    found_.push_back({kind, name, owner, text, 0, where});
  }

  void add_page(const fs::path& file, const std::string& name);

  std::vector<Hit> found() && {
    std::stable_sort(found_.begin(), found_.end(), [](const Hit& a, const Hit& b) {
      return std::pair(a.kind, a.where) < std::pair(b.kind, b.where);
    });
    return std::move(found_);
  }

 private:
  // From the word before the first of those that were asked for, where the line is long before it.
  std::string excerpt_of(const std::string& line) const {
    const std::size_t begin = line.find_first_not_of("#|*- >");
    if (begin == std::string::npos) return line;
    const std::string text = line.substr(begin), plain_text = plain(text);
    std::size_t first = text.size();
    for (const std::string& word : words_) first = std::min(first, plain_text.find(word));
    constexpr std::size_t before = 16;
    if (first == text.size() || first <= before) return text;
    const std::size_t blank = text.find(' ', first - before);
    return blank >= first ? text.substr(first) : "... " + text.substr(blank + 1);
  }

  Words words_;
  std::vector<Hit> found_;
};

// The first line that has all words, or where only the whole page has them, the first that has one.
void Finder::add_page(const fs::path& file, const std::string& name) {
  std::ifstream stream(file);
  std::string whole = name, line;
  std::optional<Hit> best;
  for (int number = 1; std::getline(stream, line); ++number) {
    whole += "\n" + line;
    const bool all = has_all(line, words_);
    if (!(all || (!best && has_any(line, words_)))) continue;
    if (best && best->where != Where::elsewhere) continue;
    const Where where = !all ? Where::elsewhere : line.starts_with('#') ? Where::in_name : Where::in_text;
    best = Hit{Kind::page, name, "", excerpt_of(line), number, where};
  }
  if (!has_all(whole, words_)) return;
  if (!best) best = Hit{Kind::page, name, "", "", 1, Where::in_name};
  if (has_all(name, words_)) best->where = Where::in_name;
  found_.push_back(std::move(*best));
}

void add_quantity(Finder& finder, Kind kind, const data::Quantity& quantity, const std::string& owner) {
  finder.add(kind, quantity.name, owner, quantity.sentence, base::enumerate(quantity.choices));
}

void add_declared(Finder& finder, const data::Catalogue& catalogue) {
  for (const data::SchemeInfo& scheme : catalogue.schemes) {
    const std::string more = fmt::format("{}\n{}\n{}\n{}\n{}", scheme.title, scheme.paper, scheme.formula,
                                         scheme.used_in, data::to_text(scheme.family));
    finder.add(Kind::scheme, scheme.id, "", scheme.summary.empty() ? scheme.title : scheme.summary, more,
               synonyms_of(scheme.family));
    for (const data::Quantity& parameter : scheme.parameters)
      add_quantity(finder, Kind::parameter, parameter, scheme.id);
  }
  for (const data::ExperimentInfo& experiment : catalogue.experiments) {
    finder.add(Kind::experiment, experiment.id, "", experiment.question, experiment.title);
    for (const data::AxisInfo& axis : experiment.axes) add_quantity(finder, Kind::axis, axis, experiment.id);
    for (const data::MeasureInfo& measure : experiment.measures)
      finder.add(Kind::measure, measure.name, experiment.id, measure.sentence, measure.definition);
  }
}

void add_pages(Finder& finder, const fs::path& folder) {
  std::vector<fs::path> pages;
  for (const char* part : {"pages", "studies"}) {
    std::error_code none;
    for (fs::recursive_directory_iterator entry(folder / part, none), end; entry != end; entry.increment(none))
      if (entry->path().extension() == ".md" && entry->is_regular_file(none)) pages.push_back(entry->path());
  }
  std::sort(pages.begin(), pages.end());
  for (const fs::path& page : pages) finder.add_page(page, page.lexically_relative(folder).string());
}

std::vector<std::string> names_in(const data::Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const data::SchemeInfo& scheme : catalogue.schemes) {
    names.push_back(scheme.id);
    for (const data::Quantity& parameter : scheme.parameters) names.push_back(parameter.name);
  }
  for (const data::ExperimentInfo& experiment : catalogue.experiments) {
    names.push_back(experiment.id);
    for (const data::AxisInfo& axis : experiment.axes) names.push_back(axis.name);
    for (const data::MeasureInfo& measure : experiment.measures) names.push_back(measure.name);
  }
  return names;
}

std::string why_nothing(const Words& words, const data::Catalogue& catalogue) {
  std::string text, advice;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : " and ") + base::excerpt(word);
    if (advice.empty()) advice = base::did_you_mean(word, names_in(catalogue));
  }
  if (advice.empty()) advice = words.size() > 1 ? "; look for fewer words" : "; look for a part of the word";
  return fmt::format("nothing that is declared, and no page, has {}{}", text, advice);
}

}  // namespace

base::Error nothing_found(const Words& words, const data::Catalogue& catalogue) {
  return {base::Error::Kind::argument, why_nothing(words, catalogue)};
}

std::vector<Hit> find(const Words& words, const data::Catalogue& catalogue, const fs::path& folder) {
  Finder finder(words);
  add_declared(finder, catalogue);
  add_pages(finder, folder);
  return std::move(finder).found();
}

}  // namespace poslab::run
