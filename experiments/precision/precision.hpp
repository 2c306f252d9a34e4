// SPDX-License-Identifier: Apache-2.0
// Up to which position do sines and cosines that are made in 16 bits serve? Definitions: precision.md.
#pragma once

#include <tuple>

#include "poslab/experiment/common_axes.hpp"
#include "poslab/experiment/definition.hpp"
#include "poslab/numerics/format.hpp"

namespace poslab::experiments::precision {

using base::Index;

struct AtStage {
  static constexpr Dimension dimension{
      .name = "stage",
      .sentence =
          "what is rounded: 0 all of them, 1 inverse frequency, 2 position, 3 angle, 4 cosine and sine, 5 product"};
};
struct Shift {
  static constexpr InnerAxis dimension{"shift"};
};

constexpr Index window_length = 64;  // positions whose logits are looked at

enum class Format { bfloat16, float16 };

struct Precision final : Definition {
  static constexpr About about{.id = "precision",
                               .version = "1.1",
                               .title = "Positions in 16 bits",
                               .question = "Up to which position do sines and cosines that are made in 16 bits serve?",
                               .draws_contents = true};

  Index length, contents;
  Format format;
  std::vector<double> shift;
  static Axes<Precision> axes();

  // Rounding to 16 bits hides what the last bits of a cosine are, but where a number is near a tie.
  static constexpr data::Tolerance of_tables = absolute(1e-11),
                                   of_logits{.absolute = 1e-10, .per_position = 1e-15, .statistical = true};

  static constexpr Measure<AtStage> cosine_error{.name = "cosine_error",
                                                 .sentence = "largest change of a cosine by rounding",
                                                 .definition = "max |cos~ - cos| over positions p < N and planes",
                                                 .null_value = "absent",
                                                 .tolerance = of_tables};
  static constexpr Measure<AtStage> cosine_error_position{.name = "cosine_error_position",
                                                          .unit = "position",
                                                          .sentence = "where that is: the position",
                                                          .definition = "argmax of it, the first of equals",
                                                          .null_value = "absent",
                                                          .tolerance = exact()};
  static constexpr Measure<AtStage> cosine_error_plane{
      .name = "cosine_error_plane",
      .unit = "plane",
      .sentence = "where that is: the plane, from 0, of the highest frequency",
      .definition = "argmax of it, the first of equals",
      .null_value = "absent",
      .tolerance = exact()};
  static constexpr Measure<AtStage> table_error{.name = "table_error",
                                                .sentence = "largest change of a cosine or sine by rounding",
                                                .definition = "max of |cos~ - cos| and |sin~ - sin| over the same",
                                                .null_value = "absent",
                                                .tolerance = of_tables};
  static constexpr Measure<AtStage> distinct_codes{
      .name = "distinct_codes",
      .unit = "codes",
      .sentence = "how many positions keep a row of their own",
      .definition = "different rows (cos~, sin~) of the N positions; NaN if one is none",
      .null_value = "absent",
      .tolerance = exact()};
  static constexpr Measure<Shift> distinct_positions{
      .name = "distinct_positions",
      .unit = "positions",
      .sentence = "how many positions are still different numbers in the format",
      .definition =
          "different numbers among the N positions, each moved by the shift and rounded; NaN beyond its "
          "largest",
      .null_value = "absent",
      .tolerance = exact()};
  static constexpr Measure<AtStage, Shift> logit_error{
      .name = "logit_error",
      .unit = "sd",
      .sentence = "largest change of a logit by rounding",
      .definition = "max |s~ - s| over contents and pairs of the first min(64, N) positions, moved by the shift",
      .null_value = "absent",
      .tolerance = of_logits};
  static constexpr Measure<AtStage, Shift> logit_error_rms{
      .name = "logit_error_rms",
      .unit = "sd",
      .sentence = "the same, root mean square",
      .definition = "rms of s~ - s over contents and pairs of the first min(64, N) positions, moved by the shift",
      .null_value = "absent",
      .tolerance = of_logits};
  static constexpr Measure<AtStage, Shift> shift_error{
      .name = "shift_error",
      .unit = "sd",
      .sentence = "how far rounding lets logits change when all positions move; absent for added codes",
      .definition = "rms of s~(m + shift, n + shift) - s~(m, n) over the same",
      .null_value = "absent",
      .tolerance = of_logits};
  static constexpr Measure<AtStage> breaks_at{
      .name = "breaks_at",
      .unit = "position",
      .sentence = "the first shift of the axis at which relative shift is broken by a tenth of the logits' spread",
      .definition =
          "least shift with shift_error > 0.1, or at which it is NaN; NaN if there is none; absent for "
          "added codes",
      .null_value = "absent",
      .tolerance = statistical()};
  static constexpr std::tuple measures{
      cosine_error,       cosine_error_position, cosine_error_plane, table_error, distinct_codes,
      distinct_positions, logit_error,           logit_error_rms,    shift_error, breaks_at};

  Index model_train_length() const override { return length; }
  std::optional<base::Refusal> why_skip(const Setting& of) const override;
  data::Estimate estimate(const Setting& of) const override;
  void run(const ExperimentInput& input, Output& out) const override;
  static data::AnswerColumn column();
  data::Answer answer(const Point& point) const override;

  const numerics::Format& numbers() const { return format == Format::float16 ? numerics::float16 : numerics::bfloat16; }
};

}  // namespace poslab::experiments::precision
