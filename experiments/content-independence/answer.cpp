// SPDX-License-Identifier: Apache-2.0
// What content-independence says of a variant: whether it adds the same to all contents, and if not, whether at least
// its codes and maps look at none.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "poslab/experiment/answer_text.hpp"
#include "poslab/experiment/experiment.hpp"
#include "poslab/experiment/nearly.hpp"

namespace poslab::experiments::content_independence {
namespace {

constexpr double matters = 0.01;  // nat: less moves less than a hundredth of a token's attention

// Of the point's scalar type: what one rounding does to a logit of the largest size.
double one_rounding(const Point& point) {
  const bool is_float = point.axes.text("dtype") == "float32";
  return point.largest("logit_size") * (is_float ? static_cast<double>(std::numeric_limits<float>::epsilon())
                                                 : std::numeric_limits<double>::epsilon());
}

enum class Found { nothing, hardly_anything, something, nothing_to_be_told };

// Tolerances are shares of the logits, and of large ones allow differences that matter. Logits whose last digit is
// larger than what matters hide it, even where no difference is found. Of `hardly` nat none is told from none.
Found find(const Point& point, const std::string& measure) {
  const double largest = point.largest(measure);
  if (largest > point.allowed(measure, 0, 0)) return largest <= hardly ? Found::hardly_anything : Found::something;
  return largest <= matters && one_rounding(point) <= matters ? Found::nothing : Found::nothing_to_be_told;
}

std::string of_rounding(const Point& point) {
  return fmt::format("logits of {:.2g} nat are rounded to {} and may be {:.2g} nat off", point.largest("logit_size"),
                     point.axes.text("dtype"), point.allowed("content_spread", 0, 0));
}

constexpr const char* no_other_pair = "; no pair was looked at but one token and itself";

std::string same_for_all(const Point& point) {
  if (point.largest("size") == 0) return "nothing is added to the logits";
  return fmt::format("the same is added to the logits of all contents, {} nat in size",
                     data::to_text(point.mean("size")));
}

}  // namespace

data::AnswerColumn column() {
  return {
      "any content", "nat",
      "adds the same to the logits of all contents; partly: a fixed code or map, which meets contents in a product; "
      "else by how much it differs"};
}

data::Answer answer(const Point& point) {
  const std::string where = answer_text::where(point);
  const Found spread = find(point, "content_spread"), curvature = find(point, "curvature");
  const bool of_one_token = point.axes.integer("length") == 1;
  const data::MeanAndError differs = point.mean("content_spread");
  const std::vector<data::AnswerNumber> number{data::AnswerNumber::of(differs)};
  const std::string differ = fmt::format("of what is added to logits, {} nat in size, {} nat differ between contents",
                                         data::to_text(point.mean("size")), data::to_text(differs));
  // Sums of contents may show what the contents themselves do not.
  if (curvature == Found::something)
    return {data::Mark::no, number,
            fmt::format("{}, not linearly in queries and keys: what it says of positions depends on the content{}",
                        differ, where)};
  if (!point.values("third_token").empty() && find(point, "third_token") == Found::something)
    return {data::Mark::no, number,
            fmt::format("{}, and {} nat of a pair change with the contents of other tokens: what it says of positions "
                        "depends on the content{}",
                        differ, data::to_text(point.mean("third_token")), where)};
  if (spread == Found::nothing_to_be_told)
    return {data::Mark::cannot_tell, number,
            fmt::format("{}, which tells nothing: {}{}", differ, of_rounding(point), where)};
  if (curvature == Found::nothing_to_be_told)
    return {data::Mark::cannot_tell, number,
            fmt::format("{}, and whether linearly in queries and keys cannot be told: {}{}", differ, of_rounding(point),
                        where)};
  if (spread == Found::hardly_anything || (spread == Found::nothing && curvature == Found::hardly_anything)) {
    const double deviation = std::fmax(point.largest("content_spread"), point.largest("curvature"));
    return {data::Mark::partly,
            {holds_to(deviation)},
            fmt::format("{}, but for {:.1g} nat between contents, which moves no attention{}", same_for_all(point),
                        deviation, where)};
  }
  if (spread == Found::nothing)
    return {of_one_token ? data::Mark::cannot_tell : data::Mark::yes,
            {},
            same_for_all(point) + (of_one_token ? no_other_pair : "") + where};
  const std::string linearly =
      "linearly in queries and keys" +
      (curvature == Found::nothing ? "" : fmt::format(" to {:.1g} nat", point.largest("curvature")));
  if (of_one_token)
    return {data::Mark::cannot_tell, number, fmt::format("{}, {}{}{}", differ, linearly, no_other_pair, where)};
  return {data::Mark::partly, number,
          fmt::format("{}, {}: the code or map itself looks at none{}", differ, linearly, where)};
}

}  // namespace poslab::experiments::content_independence
