// SPDX-License-Identifier: Apache-2.0
// Any text ends in a plan or in messages with line and column; a resolved study reads back as the same study.
#include "fake_catalogue.hpp"
#include "finding.hpp"
#include "poslab/data/cell.hpp"

using namespace poslab;

namespace {

// A million cells are legal, and take longer than one input may. An upper bound, since the same cell may come twice.
bool is_small(const study::Study& study) {
  const auto crossed = [](const std::vector<study::AxisValues>& axes, const std::vector<study::Zip>& zips) {
    double cells = 1;
    for (const study::AxisValues& axis : axes) cells *= static_cast<double>(axis.values.size());
    for (const study::Zip& zip : zips)
      if (!zip.empty()) cells *= static_cast<double>(zip.front().values.size());
    return cells;
  };
  double variants = 0, points = 0;
  for (const study::SchemeUse& use : study.schemes) variants += crossed(use.axes, use.zips);
  for (const study::ExperimentUse& use : study.experiments)
    points += crossed(use.axes, use.zips) * use.repeats.value_or(10);
  return variants * points <= 3000;
}

void check(const study::StudyErrors& errors) {
  fuzz::require(!errors.diagnostics.empty(), "a refusal without a message");
  study::SourceLocation last;
  for (const study::Diagnostic& diagnostic : errors.diagnostics) {
    fuzz::require(!diagnostic.message.empty(), "an empty message");
    fuzz::require(diagnostic.message.find('\n') == std::string::npos, "a message of several lines");
    fuzz::require(diagnostic.location.line > 0 && diagnostic.location.column > 0, "a message without line and column");
    fuzz::require(last <= diagnostic.location, "messages out of order");
    last = diagnostic.location;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const data::Catalogue catalogue = fake::catalogue();
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const study::Study study = study::parse_study(text, "s", catalogue);
    const std::string resolved = study.resolved();
    try {
      fuzz::require(study::parse_study(resolved, "s", catalogue).hash() == study.hash(),
                    "the resolved study is another study");
    } catch (const study::StudyErrors&) {
      fuzz::finding("the resolved study is refused");
    }
    if (!is_small(study)) return 0;
    const auto forecast = [](const std::vector<const data::Cell*>& cells) {
      std::vector<data::Forecast> forecasts(cells.size());
      for (std::size_t i = 0; i < cells.size(); ++i) forecasts[i].draws_weights = cells[i]->variant.scheme == "learned";
      return forecasts;
    };
    fuzz::require(!study::make_plan(study, catalogue, forecast).cells.empty(), "a plan without cells");
  } catch (const study::StudyErrors& errors) {
    check(errors);
  }
  return 0;
}
