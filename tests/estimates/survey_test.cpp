// SPDX-License-Identifier: Apache-2.0
// A table of all large cells, for people: `test_estimates "[.survey]"`, or one experiment with `-c uniqueness`. Its
// times are what no test asserts: of the processor, over the operations that were estimated.
#include <fmt/format.h>

#include "cases.hpp"
#include "catch.hpp"
#include "measured.hpp"

using namespace poslab;

TEST_CASE("what every cell needs beside its estimate", "[.survey]") {
  fmt::print("bytes/peak\tbytes\tpeak\toperations\tseconds\tnanoseconds/operation\tasked\tcell\n");
  for (const experiments::Experiment& experiment : experiments::all_experiments()) DYNAMIC_SECTION(experiment.info.id) {
      std::size_t place = 0;
      for (const cases::Scheme& scheme : cases::schemes())
        for (const auto& [cell, changed] :
             cases::cells(experiment, scheme, cases::Size::large, 2, place++ < cases::varied))
          if (const auto needs = measured::needs(cell))
            fmt::print("{:.3f}\t{:.0f}\t{:.0f}\t{:.4g}\t{:.4g}\t{:.3g}\t{:.4g}\t{}\n",
                       needs->estimate.bytes / needs->peak, needs->estimate.bytes, needs->peak,
                       needs->estimate.operations, needs->seconds, 1e9 * needs->seconds / needs->estimate.operations,
                       needs->asked, cases::text(cell));
    }
}
