// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "poslab/base/find_by.hpp"
#include "poslab/base/text.hpp"

namespace poslab::data {
using base::find_by;

double Tolerance::allowed(double a, double b, double largest_position, double length, double unit) const {
  return relative * std::max(std::abs(a), std::abs(b)) +
         unit * (absolute + per_position * largest_position + per_length * length);
}

std::string MeasureInfo::tolerance_text() const {
  std::string text = tolerance.text();
  if (float32 && float32->text() != text) text += fmt::format(" (float32: {})", float32->text());
  if (!tolerance_unit.empty()) text += fmt::format("; what is not relative, in units of {}", tolerance_unit);
  return text;
}

const Tolerance& MeasureInfo::tolerance_at(const Values& axes) const {
  const Value* dtype = axes.find("dtype");
  return float32 && dtype && *dtype == Value(std::string("float32")) ? *float32 : tolerance;
}

std::string Tolerance::text() const {
  std::vector<std::string> terms;
  if (absolute > 0) terms.push_back(base::shortest(absolute));
  if (relative > 0) terms.push_back(base::shortest(relative) + " relative");
  if (per_position > 0) terms.push_back(base::shortest(per_position) + " x largest position");
  if (per_length > 0) terms.push_back(base::shortest(per_length) + " x length");
  std::string text;
  for (const std::string& term : terms) text += (text.empty() ? "" : " + ") + term;
  if (statistical) text += text.empty() ? "statistical" : ", statistical";
  return text.empty() ? "exact" : text;
}

namespace {

// Words that spaces separate: one in a name is another character there, `%20`.
std::string as_word(const std::string& name) {
  std::string word;
  for (const char c : name)
    word += std::isspace(static_cast<unsigned char>(c)) ? fmt::format("%{:02X}", c) : std::string(1, c);
  return word;
}

}  // namespace

std::string SchemeInfo::code_hash() const {
  std::string text = file_hash;
  for (const LinkedLibrary& library : linked)
    text += fmt::format(" {}={}", as_word(std::filesystem::path(library.file).filename().string()), library.hash);
  return text;
}

std::string code_difference(const std::string& now, const std::string& before) {
  const auto parts = [](const std::string& text) {
    std::map<std::string, std::string> hashes;  // by name; the plugin's own file has none
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      const std::size_t equals = word.rfind('=');
      const bool is_own = equals == std::string::npos;
      std::string name = is_own ? "" : word.substr(0, equals);
      while (hashes.count(name) > 0) name += " (another of this name)";
      hashes[name] = is_own ? word : word.substr(equals + 1);
    }
    return hashes;
  };
  const auto here = parts(now), there = parts(before);
  const auto hash_in = [](const auto& hashes, const std::string& name) {
    const auto found = hashes.find(name);
    return found == hashes.end() ? std::string("nothing") : found->second.substr(0, 8);
  };
  std::set<std::string> names;
  for (const auto& hashes : {here, there})
    for (const auto& [name, hash] : hashes) names.insert(name);
  for (const std::string& name : names)
    if (const std::string a = hash_in(here, name), b = hash_in(there, name); a != b)
      return fmt::format("{}{}{}, done with {}", name, name.empty() ? "" : " ", a, b);
  return "";
}

const Quantity* SchemeInfo::parameter(const std::string& name) const {
  return find_by(parameters, &Quantity::name, name);
}
const AxisInfo* ExperimentInfo::axis(const std::string& name) const { return find_by(axes, &AxisInfo::name, name); }
const MeasureInfo* ExperimentInfo::measure(const std::string& name) const {
  return find_by(measures, &MeasureInfo::name, name);
}
const SchemeInfo* Catalogue::scheme(const std::string& id) const { return find_by(schemes, &SchemeInfo::id, id); }
const ExperimentInfo* Catalogue::experiment(const std::string& id) const {
  return find_by(experiments, &ExperimentInfo::id, id);
}

bool is_reserved(const std::string& name) {
  static constexpr std::array<std::string_view, 30> reserved{
      "cell",           "run_cell",       "scheme",       "variant",
      "status",         "message",        "position",     "id",
      "experiment",     "seed",           "repeat",       "row",
      "parameters",     "encoding",       "values",       "attrs",
      "dims",           "data",           "coords",       "sizes",
      "answers",        "expectations",   "provenance",   "shard",
      "trained",        "position_count", "position_row", "position_column",
      "position_frame", "position_value"};
  return std::find(reserved.begin(), reserved.end(), name) != reserved.end();
}

}  // namespace poslab::data
