// SPDX-License-Identifier: Apache-2.0
// What cells of several schemes have in common is computed once, and no cell can tell.
#include "poslab/workers/cell_runner.hpp"

#include "catch.hpp"
#include "cells.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/experiment/attempt.hpp"

using namespace poslab;

namespace {

data::Cell cell(const std::string& experiment, const std::string& scheme, int repeat, std::int64_t length) {
  data::Cell one;
  one.experiment = experiment;
  one.variant = {scheme, scheme, {}, {}};
  const char* const axis = experiment == "extrapolation" ? "train_length" : "length";
  one.axes = cells::all_axes({one.experiment, scheme, {{axis, cells::whole(length)}}, {}, {16, 2, length}});
  one.repeat = repeat;
  return one;
}

class Runner {
 public:
  std::string record_of(const data::Cell& one) {
    plugins_.register_scheme(cells::plugin(one.variant.scheme)->info());
    const workers::Performed performed = runner_.perform(one, experiments::unwatched());
    CHECK(performed.outcome.status == data::Status::ok);
    return cells::bytes_of(performed.outcome.record);
  }

 private:
  host::Plugins plugins_;
  workers::CellRunner runner_{plugins_};
};

}  // namespace

TEST_CASE("a cell's numbers do not depend on the cells that the same runner has performed before") {
  const char* const experiment = GENERATE("first-position-bias", "extrapolation", "relative-shift", "distance-profile");
  Runner one_after_another;
  for (const char* scheme : {"none", "rope", "alibi", "learned"})  // a table of learned codes ends
    for (const int repeat : {0, 1})
      for (const std::int64_t length : {20, 21}) {
        CAPTURE(experiment, scheme, repeat, length);
        const data::Cell here = cell(experiment, scheme, repeat, length);
        CHECK((one_after_another.record_of(here) == Runner().record_of(here)));
      }
}

TEST_CASE("where the needs of a cell cannot be forecast, the forecast says why") {
  host::Plugins plugins;
  plugins.register_scheme(cells::plugin("rope")->info());
  workers::CellRunner runner(plugins);
  CHECK(runner.forecast(cell("first-position-bias", "rope", 0, 20)).estimate.why_unknown == std::nullopt);
  data::Cell lost = cell("first-position-bias", "rope", 0, 20);
  lost.variant.scheme = "lost";
  const data::Forecast forecast = runner.forecast(lost);
  CHECK_THAT(forecast.estimate.why_unknown.value().reason, check::contains("lost"));
  CHECK(forecast.estimate.bytes == 0);
}

TEST_CASE("what is common to schemes is worked out once for each cell without its scheme, and name") {
  experiments::CommonWork work;
  int times = 0;
  const auto ask = [&](const experiments::CommonToSchemes& common, const std::string& name) {
    return *common.of<int>(name, [&] { return ++times; });
  };
  const experiments::CommonToSchemes first(work, "length 20"), same(work, "length 20"), other(work, "length 21");
  CHECK(ask(first, "a") == 1);
  CHECK(ask(same, "a") == 1);
  CHECK(ask(first, "b") == 2);
  CHECK(ask(other, "a") == 3);
  CHECK(ask({}, "a") == 4);
  CHECK(ask({}, "a") == 5);
}
