// SPDX-License-Identifier: Apache-2.0
// What precision asks and measures, as data.
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments::precision {
namespace {

using Names = std::vector<std::string>;

// Rounding to 16 bits hides what the last bits of a cosine are, but where a number is near a tie.
data::MeasureInfo of_tables(const std::string& name, const std::string& unit, const std::string& sentence,
                            const std::string& definition, const std::string& null_value = "absent") {
  return {.name = name,
          .dimensions = {"stage"},
          .unit = unit,
          .sentence = sentence,
          .definition = definition,
          .null_value = null_value,
          .tolerance = absolute(unit == "1" ? 1e-11 : 0)};
}

data::MeasureInfo of_logits(const std::string& name, const std::string& sentence, const std::string& definition) {
  return {.name = name,
          .dimensions = Names{"stage", "shift"},
          .unit = "sd",
          .sentence = sentence,
          .definition = definition,
          .null_value = "absent",
          .tolerance = {.absolute = 1e-10, .per_position = 1e-15, .statistical = true}};
}

}  // namespace

data::ExperimentInfo describe() {
  data::ExperimentInfo info;
  info.id = "precision";
  info.version = "1.1";
  info.title = "Positions in 16 bits";
  info.question = "Up to which position do sines and cosines that are made in 16 bits serve?";
  info.axes = {
      length_axis(2048),
      contents_axis(),
      Axis{
          .name = "format",
          .choices = {"bfloat16", "float16"},
          .sentence = "to what numbers are rounded: 8 bits of significand up to 3.39e38, or 11 up to 65504",
      },
      Axis{
          .name = "shift",
          .default_value = std::vector<double>{0, 64, 256, 1024, 4096, 16384, 65536},
          .range = {.lowest = 0},
          .unit = "position",
          .sentence = "by how much all positions are moved",
      },
  };
  info.draws_contents = true;
  info.dimensions = {{.name = "stage",
                      .unit = "1",
                      .sentence =
                          "what is rounded: 0 all of them, 1 inverse frequency, 2 position, 3 angle, 4 cosine and "
                          "sine, 5 product"}};
  const std::string logits = "over contents and pairs of the first min(64, N) positions, moved by the shift";
  info.measures = {
      of_tables("cosine_error", "1", "largest change of a cosine by rounding",
                "max |cos~ - cos| over positions p < N and planes"),
      of_tables("cosine_error_position", "position", "where that is: the position",
                "argmax of it, the first of equals"),
      of_tables("cosine_error_plane", "plane", "where that is: the plane, from 0, of the highest frequency",
                "argmax of it, the first of equals"),
      of_tables("table_error", "1", "largest change of a cosine or sine by rounding",
                "max of |cos~ - cos| and |sin~ - sin| over the same"),
      of_tables("distinct_codes", "codes", "how many positions keep a row of their own",
                "different rows (cos~, sin~) of the N positions; NaN if one is none"),
      {.name = "distinct_positions",
       .dimensions = {"shift"},
       .unit = "positions",
       .sentence = "how many positions are still different numbers in the format",
       .definition =
           "different numbers among the N positions, each moved by the shift and rounded; NaN beyond its largest",
       .null_value = "absent",
       .tolerance = exact()},
      of_logits("logit_error", "largest change of a logit by rounding", "max |s~ - s| " + logits),
      of_logits("logit_error_rms", "the same, root mean square", "rms of s~ - s " + logits),
      of_logits("shift_error", "how far rounding lets logits change when all positions move; absent for added codes",
                "rms of s~(m + shift, n + shift) - s~(m, n) over the same"),
      {.name = "breaks_at",
       .dimensions = {"stage"},
       .unit = "position",
       .sentence = "the first shift of the axis at which relative shift is broken by a tenth of the logits' spread",
       .definition =
           "least shift with shift_error > 0.1, or at which it is NaN; NaN if there is none; absent for added codes",
       .null_value = "absent",
       .tolerance = statistical()},
  };
  return info;
}

}  // namespace poslab::experiments::precision
