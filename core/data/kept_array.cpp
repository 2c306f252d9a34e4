// SPDX-License-Identifier: Apache-2.0
#include "poslab/data/kept_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "poslab/base/count.hpp"
#include "poslab/base/find_by.hpp"
#include "poslab/base/json.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::data {
namespace {

using base::is_digit;
using base::is_letter;

bool is_word(const std::string& word) {
  if (word.empty()) return false;
  if (std::all_of(word.begin(), word.end(), is_digit)) return true;
  return is_letter(word.front()) && std::all_of(word.begin(), word.end(), base::is_word_character);
}

bool is_good_name(const std::string& name) {
  if (name.size() > 200 || name.empty() || !is_letter(name.front())) return false;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    if (!is_word(name.substr(begin, end - begin))) return false;
    begin = end + 1;
  }
  return true;
}

}  // namespace

std::size_t KeptArray::size() const {
  return std::visit([](const auto& list) { return list.size(); }, values);
}

double KeptArray::value(std::size_t i) const {
  return std::visit([&](const auto& list) { return static_cast<double>(list[i]); }, values);
}

std::string KeptArray::shape_text() const {
  return shape.empty() ? "a single number" : fmt::format("{}", fmt::join(shape, " x "));
}

std::optional<base::Refusal> why_not_kept(const KeptArray& array) {
  const std::string name = base::printable(base::shortened(array.name, 100));
  if (!is_good_name(array.name))
    return fmt::format(
        "\"{}\" cannot be the name of a kept array: words of letters, digits, _ and -, or whole numbers, "
        "with / between them",
        name);
  std::size_t expected = 1;
  for (const std::int64_t extent : array.shape)
    if (extent < 1 || __builtin_mul_overflow(expected, static_cast<std::size_t>(extent), &expected))
      return fmt::format("the kept array \"{}\" has the shape {}", name, array.shape_text());
  if (array.shape.size() > 8) return fmt::format("the kept array \"{}\" has {} axes", name, array.shape.size());
  if (expected != array.size())
    return fmt::format("the kept array \"{}\" has {} values, but its shape {} holds {}", name, array.size(),
                       array.shape_text(), expected);
  return std::nullopt;
}

std::string Training::text() const {
  return fmt::format("trained on {}, {}", title.empty() ? "what its file does not say" : title,
                     base::counted(steps, "step"));
}

const KeptArray* find_array(const std::vector<KeptArray>& arrays, const std::string& name) {
  return base::find_by(arrays, &KeptArray::name, name);
}

GivenWeights scheme_weights_of(const GivenNetwork& network) {
  constexpr std::string_view of_scheme = "scheme/";
  GivenWeights weights{network.training.text(), {}};
  for (const KeptArray& array : network.arrays)
    if (array.name.starts_with(of_scheme)) {
      weights.arrays.push_back(array);
      weights.arrays.back().name.erase(0, of_scheme.size());
    }
  return weights;
}

std::string short_hash(const std::string& hash) { return hash.substr(0, 8); }

std::string WeightsFile::text() const {
  return std::filesystem::path(path).filename().string() + " (file " + short_hash(hash) + ")";
}

std::vector<WeightsFile> weights_files_of(std::string_view supply) {
  std::vector<WeightsFile> files;
  const base::Json all = base::Json::parse(supply, nullptr, false);
  if (!all.is_array()) return files;
  const auto has_text = [](const base::Json& entry, const char* name) {
    return entry.contains(name) && entry[name].is_string();
  };
  for (const base::Json& entry : all)
    if (entry.is_object() && (has_text(entry, "weights") || has_text(entry, "network")) && has_text(entry, "path") &&
        has_text(entry, "sha256"))
      files.push_back({entry["path"].get<std::string>(), entry["sha256"].get<std::string>()});
  return files;
}

}  // namespace poslab::data
