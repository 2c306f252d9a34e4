// SPDX-License-Identifier: Apache-2.0
#include "text/curves_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "poslab/base/error.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "terminal/styled_text.hpp"
#include "terminal/text_table.hpp"

namespace poslab::app {
namespace {

constexpr std::size_t max_numbers = 8;  // beyond that many coordinates a row is of blocks

// The repeats of one variant at one point of the outer axes.
struct CurveRow {
  const data::Cell* cell;
  std::vector<const results::StoredCurve*> repeats;

  const std::vector<double>& coordinates() const { return repeats.front()->coordinates; }
  // NaN where no repeat has a number.
  std::vector<double> mean() const {
    std::vector<double> means(coordinates().size());
    for (std::size_t i = 0; i < means.size(); ++i) {
      double sum = 0, count = 0;
      for (const results::StoredCurve* one : repeats)
        if (i < one->values.size() && !std::isnan(one->values[i])) sum += one->values[i], ++count;
      means[i] = count > 0 ? sum / count : std::nan("");
    }
    return means;
  }
};

std::vector<CurveRow> rows_of(const results::StoredRun& run, const std::string& experiment,
                              const std::string& measure) {
  std::vector<CurveRow> rows;
  for (const results::StoredCell& stored : run.cells) {
    if (stored.cell.experiment != experiment) continue;
    for (const results::StoredCurve& curve : stored.curves) {
      if (curve.measure != measure || curve.values.empty()) continue;
      const auto is_same = [&](const CurveRow& row) {
        return row.cell->variant.label == stored.cell.variant.label && row.cell->axes == stored.cell.axes;
      };
      auto row = std::find_if(rows.begin(), rows.end(), is_same);
      if (row == rows.end()) row = rows.insert(rows.end(), {&stored.cell, {}});
      row->repeats.push_back(&curve);
    }
  }
  return rows;
}

// Names of the outer axes that are not the same in all rows.
std::vector<std::string> varying(const std::vector<CurveRow>& rows) {
  std::vector<std::string> names;
  for (const auto& [name, value] : rows.front().cell->axes) {
    if (std::holds_alternative<std::vector<double>>(value)) continue;
    const auto differs = [&, axis = name](const CurveRow& row) {
      return row.cell->axes.contains(axis) != rows.front().cell->axes.contains(axis) ||
             (row.cell->axes.contains(axis) && !(row.cell->axes.at(axis) == rows.front().cell->axes.at(axis)));
    };
    if (std::any_of(rows.begin(), rows.end(), differs)) names.push_back(name);
  }
  return names;
}

std::string number(double x) { return std::isnan(x) ? no_entry : fmt::format("{:.4g}", x); }

std::string coordinate(double x) {
  const std::string exact = base::shortest(x);
  return exact.size() <= 8 ? exact : number(x);
}

std::vector<std::string> key_words(const CurveRow& row, const std::vector<std::string>& axes) {
  std::vector<std::string> words{row.cell->variant.label};
  for (const std::string& name : axes)
    words.push_back(row.cell->axes.contains(name) ? data::to_text(row.cell->axes.at(name)) : no_entry);
  return words;
}

// Those of all rows, rising, each once.
std::vector<double> coordinates_of(const std::vector<CurveRow>& rows) {
  std::vector<double> all;
  for (const CurveRow& row : rows) all.insert(all.end(), row.coordinates().begin(), row.coordinates().end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// The row's mean at each of `all`, at those between its own that of its last one before; NaN before its first and
// beyond its last, so that a curve that ends early is drawn so.
std::vector<double> spread(const CurveRow& row, const std::vector<double>& all) {
  const std::vector<double>& own = row.coordinates();
  const std::vector<double> mean = row.mean();
  std::vector<double> values;
  for (const double x : all) {
    const auto before = std::upper_bound(own.begin(), own.end(), x) - own.begin() - 1;
    values.push_back(before < 0 || x > own.back() ? std::nan("") : mean[static_cast<std::size_t>(before)]);
  }
  return values;
}

std::string as_numbers(const std::vector<CurveRow>& rows, const std::vector<double>& all,
                       const std::vector<std::string>& axes, std::size_t width) {
  std::vector<std::vector<std::string>> table{{""}};
  for (const std::string& name : axes) table.front().push_back(name);
  for (const double x : all) table.front().push_back(coordinate(x));
  for (const CurveRow& row : rows) {
    std::vector<std::string>& words = table.emplace_back(key_words(row, axes));
    const std::vector<double> mean = row.mean();
    for (const double x : all) {
      const auto at = std::find(row.coordinates().begin(), row.coordinates().end(), x);
      words.push_back(at == row.coordinates().end()
                          ? no_entry
                          : number(mean[static_cast<std::size_t>(at - row.coordinates().begin())]));
    }
  }
  const std::string text = text_table(table, 1 + axes.size(), width);
  return text + (text.find(no_entry) == std::string::npos ? "" : fmt::format("  {} no number there\n", no_entry));
}

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double x) {
    if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
  }
  double size() const { return high > low ? high - low : 0; }
  // Without a finite number: of zeros.
  Range or_zero() const { return low > high ? Range{0, 0} : *this; }
};

// The one scale on which all rows are drawn; nothing where half of those that are not level would fill less than two of
// eight heights: then each has its own.
std::optional<Range> common_scale(const std::vector<Range>& rows) {
  Range all;
  for (const Range& row : rows) all.add(row.low), all.add(row.high);
  const auto shows = [&](const Range& row) { return row.size() >= all.size() / 4; };
  const auto is_sloping = [](const Range& row) { return row.size() > 0; };
  const auto sloping = std::ranges::count_if(rows, is_sloping);
  const auto shown = std::ranges::count_if(rows, [&](const Range& row) { return is_sloping(row) && shows(row); });
  return 2 * shown < sloping ? std::nullopt : std::optional(all.or_zero());
}

std::string as_blocks(const std::vector<CurveRow>& rows, const std::vector<double>& all,
                      const std::vector<std::string>& axes, std::size_t width) {
  std::vector<Range> ranges;
  std::size_t keys = 0;
  for (const CurveRow& row : rows) {
    Range& range = ranges.emplace_back();
    for (const double x : row.mean()) range.add(x);
    std::size_t of_row = 0;
    for (const std::string& word : key_words(row, axes)) of_row += 2 + display_width(word);
    keys = std::max(keys, of_row);
  }
  const std::optional<Range> common = common_scale(ranges);
  std::vector<std::vector<std::string>> table{{""}};
  for (const std::string& name : axes) table.front().push_back(name);
  for (const char* heading : {"first", "", "last"}) table.front().emplace_back(heading);
  if (!common)
    for (const char* heading : {"lowest", "highest"}) table.front().emplace_back(heading);
  const std::size_t beside = common ? 26 : 50;  // characters of the other columns
  const std::size_t columns = std::clamp<std::size_t>(width > keys + beside ? width - keys - beside : 0, 8, 48);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string>& words = table.emplace_back(key_words(rows[i], axes));
    const std::vector<double> mean = rows[i].mean();
    const Range own = ranges[i].or_zero(), scale = common.value_or(own);
    words.push_back(number(mean.front()));
    words.push_back(sparkline(spread(rows[i], all), scale.low, scale.high, columns));
    words.push_back(number(mean.back()));
    if (!common)
      for (const double end : {own.low, own.high}) words.push_back(number(end));
  }
  return text_table(table, 1 + axes.size(), width) +
         (common ? fmt::format("  blocks from {} to {}\n", number(common->low), number(common->high))
                 : "  blocks of each row from its lowest to its highest: heights of two rows cannot be compared\n");
}

std::string curves_of(const std::vector<CurveRow>& rows, const data::MeasureInfo& measure, std::size_t width) {
  const std::vector<std::string> axes = varying(rows);
  const std::vector<double> all = coordinates_of(rows);
  std::size_t points = 0;
  for (const CurveRow& row : rows) points = std::max(points, row.coordinates().size());
  if (points <= max_numbers) return as_numbers(rows, all, axes, width);
  return fmt::format("  {} {} to {}\n", measure.dimensions.front(), coordinate(all.front()), coordinate(all.back())) +
         as_blocks(rows, all, axes, width);
}

base::Error no_such_curve(const std::string& name, const results::StoredRun& run) {
  std::vector<std::string> known;
  for (const data::ExperimentInfo& info : run.experiments)
    for (const data::MeasureInfo& measure : info.measures)
      if (measure.dimensions.size() == 1 && std::find(known.begin(), known.end(), measure.name) == known.end())
        known.push_back(measure.name);
  return {base::Error::Kind::argument, fmt::format("no curve of this run is called {}", base::excerpt(name)),
          known.empty() ? "it has none" : fmt::format("there are {}", base::enumerate(known))};
}

}  // namespace

std::string sparkline(std::span<const double> values, double low, double high, std::size_t columns) {
  constexpr std::array<const char*, 8> blocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string text;
  columns = std::min(columns, values.size());
  for (std::size_t column = 0; column < columns; ++column) {
    const std::size_t first = column * values.size() / columns, end = (column + 1) * values.size() / columns;
    double sum = 0, count = 0;
    for (const double x : values.subspan(first, end - first))
      if (!std::isnan(x)) sum += std::clamp(x, low, high), ++count;
    if (count == 0) {
      text += " ";
      continue;
    }
    const double height = high > low ? (sum / count - low) / (high - low) : 0;
    text += blocks[std::min<std::size_t>(7, static_cast<std::size_t>(8 * height))];
  }
  return text;
}

std::string curves_text(const results::StoredRun& run, const std::vector<std::string>& names, std::size_t width) {
  std::string text;
  for (const std::string& name : names) {
    bool is_there = false;
    for (const data::ExperimentInfo& info : run.experiments) {
      const data::MeasureInfo* measure = info.measure(name);
      if (!measure || measure->dimensions.size() != 1) continue;
      is_there = true;
      const std::vector<CurveRow> rows = rows_of(run, info.id, name);
      const std::string unit = measure->unit == "1" ? "" : " (" + measure->unit + ")";
      text += "\n" + wrapped(base::printable(fmt::format("{}: {}, by {}{}: {}", info.id, name,
                                                         measure->dimensions.front(), unit, measure->sentence)),
                             width, 2);
      text += rows.empty() ? "  no cell has it\n" : curves_of(rows, *measure, width);
    }
    if (!is_there) throw no_such_curve(name, run);
  }
  return text;
}

}  // namespace poslab::app
