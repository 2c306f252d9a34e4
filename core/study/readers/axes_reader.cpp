// SPDX-License-Identifier: Apache-2.0
// Axes that cross, and lists that move together.
#include "readers/axes_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "readers/value_reader.hpp"

namespace poslab::study {
namespace {

class AxesReader {
 public:
  AxesReader(const Vocabulary& vocabulary, std::map<std::string, Taken>& taken, Report& report)
      : vocabulary_(vocabulary), taken_(taken), report_(report) {}

  std::vector<AxisValues> read(const toml::table& table, const std::string& where) {
    std::vector<AxisValues> axes;
    for (const Entry& entry : in_file_order(table)) {
      const data::AxisInfo* axis = vocabulary_.find(entry.name);
      if (!axis) {
        report_.add(entry.location, vocabulary_.unknown(entry.name));
      } else if (const auto [at, fresh] = taken_.insert({entry.name, {entry.location, where}}); !fresh) {
        report_.add(entry.location, fmt::format("\"{}\" stands in {} already (line {})", entry.name, at->second.where,
                                                at->second.location.line));
      } else if (where == "zip" && axis->inner) {
        report_.add(entry.location,
                    fmt::format("\"{}\" is a list that each cell takes whole; it cannot move in a zip", entry.name));
      } else if (auto values =
                     read_values(*entry.node, *axis, where == "zip" ? Twice::allowed : Twice::refused, report_)) {
        axes.push_back({entry.name, std::move(*values), entry.location});
      }
    }
    return axes;
  }

  void read_zip(const toml::table& table, std::vector<Zip>& zips) {
    const std::size_t before = report_.count();
    if (table.empty()) report_.add(location_of(table), "this zip is empty");
    Zip zip = read(table, "zip");
    if (report_.count() == before) refuse_unequal_lengths(zip);
    if (report_.count() == before) refuse_equal_rows(zip);
    if (report_.count() == before) zips.push_back(std::move(zip));
  }

 private:
  void refuse_unequal_lengths(const Zip& zip) {
    const AxisValues& first = zip.front();
    for (const AxisValues& axis : zip)
      if (axis.values.size() != first.values.size())
        report_.add(axis.location, fmt::format("\"{}\" has {}, but \"{}\" has {}: the lists of a zip are equally long",
                                               axis.name, counted(axis), first.name, counted(first)));
  }

  void refuse_equal_rows(const Zip& zip) {
    std::unordered_set<std::string> seen;
    for (std::size_t row = 0; row < zip.front().values.size(); ++row) {
      std::string text;
      for (const AxisValues& axis : zip)
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", axis.name, data::to_text(axis.values[row]));
      if (!seen.insert(text).second) report_.add(zip.front().location, fmt::format("this zip has {} twice", text));
    }
  }

  static std::string counted(const AxisValues& axis) {
    return fmt::format("{} value{}", axis.values.size(), axis.values.size() == 1 ? "" : "s");
  }

  const Vocabulary& vocabulary_;
  std::map<std::string, Taken>& taken_;
  Report& report_;
};

}  // namespace

Axes read_axes(TableReader& table, const Vocabulary& vocabulary, std::map<std::string, Taken>& taken) {
  AxesReader reader(vocabulary, taken, table.report());
  Axes result;
  if (const toml::table* axes = table.table("axes")) result.axes = reader.read(*axes, "axes");
  for (const toml::table* zip : table.tables("zip")) reader.read_zip(*zip, result.zips);
  sort_axes(result.axes, result.zips, vocabulary);
  return result;
}

void sort_axes(std::vector<AxisValues>& axes, std::vector<Zip>& zips, const Vocabulary& vocabulary) {
  const auto index = [&](const AxisValues& axis) { return vocabulary.index(axis.name); };
  std::ranges::stable_sort(axes, {}, index);
  for (Zip& zip : zips) std::ranges::stable_sort(zip, {}, index);
  std::ranges::stable_sort(zips, {}, [&](const Zip& zip) { return index(zip.front()); });
}

}  // namespace poslab::study
