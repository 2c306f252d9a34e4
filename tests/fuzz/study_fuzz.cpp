// SPDX-License-Identifier: Apache-2.0
// Any text ends in a plan or in messages with places; a study that is read says the same once more when it is resolved.
#include "fake_catalogue.hpp"
#include "finding.hpp"

using namespace poslab;

namespace {

// A million cells are legal, and take longer than one input may. An upper bound, since the same cell may come twice.
bool is_small(const spec::Study& study) {
  const auto crossed = [](const std::vector<spec::AxisValues>& axes, const std::vector<spec::Zip>& zips) {
    double cells = 1;
    for (const spec::AxisValues& axis : axes) cells *= static_cast<double>(axis.values.size());
    for (const spec::Zip& zip : zips)
      if (!zip.empty()) cells *= static_cast<double>(zip.front().values.size());
    return cells;
  };
  double variants = 0, points = 0;
  for (const spec::SchemeUse& use : study.schemes) variants += crossed(use.axes, use.zips);
  for (const spec::ExperimentUse& use : study.experiments)
    points += crossed(use.axes, use.zips) * use.repeats.value_or(10);
  return variants * points <= 3000;
}

void check(const spec::StudyErrors& errors) {
  fuzz::require(!errors.diagnostics.empty(), "a refusal without a message");
  spec::Place last;
  for (const spec::Diagnostic& diagnostic : errors.diagnostics) {
    fuzz::require(!diagnostic.message.empty(), "an empty message");
    fuzz::require(diagnostic.message.find('\n') == std::string::npos, "a message of several lines");
    fuzz::require(diagnostic.place.line > 0 && diagnostic.place.column > 0, "a message without a place");
    fuzz::require(last <= diagnostic.place, "messages out of order");
    last = diagnostic.place;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const base::Catalogue catalogue = fake::catalogue();
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const spec::Study study = spec::parse_study(text, "s", catalogue);
    const std::string resolved = study.resolved();
    try {
      fuzz::require(spec::parse_study(resolved, "s", catalogue).hash() == study.hash(),
                    "the resolved study is another study");
    } catch (const spec::StudyErrors&) {
      fuzz::finding("the resolved study is refused");
    }
    if (!is_small(study)) return 0;
    const auto forecast = [](const std::vector<const base::Cell*>& cells) {
      std::vector<spec::Forecast> forecasts(cells.size());
      for (std::size_t i = 0; i < cells.size(); ++i) forecasts[i].draws_weights = cells[i]->variant.scheme == "learned";
      return forecasts;
    };
    fuzz::require(!spec::make_plan(study, catalogue, forecast).cells.empty(), "a plan without cells");
  } catch (const spec::StudyErrors& errors) {
    check(errors);
  }
  return 0;
}
