// SPDX-License-Identifier: Apache-2.0
// What content-independence says of a variant: whether it adds the same to all contents, and if not, whether at least
// its codes and maps look at none.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "content-independence.hpp"
#include "poslab/experiment/answer_text.hpp"
#include "poslab/experiment/nearly.hpp"

namespace poslab::experiments::content_independence {
namespace {

using Asked = ContentIndependence;

constexpr double matters = 0.01;  // nat: less moves less than a hundredth of a token's attention

// What one rounding in the point's scalar type does to a logit of the largest size.
double one_rounding(const Asked& at, const Point& point) {
  const bool is_float = at.dtype == Dtype::float32;
  return point.largest(Asked::logit_size) * (is_float ? static_cast<double>(std::numeric_limits<float>::epsilon())
                                                      : std::numeric_limits<double>::epsilon());
}

enum class Found { nothing, hardly_anything, something, nothing_to_be_told };

// Tolerances are shares of the logits, and of large ones allow differences that matter. Logits whose last digit is
// larger than what matters hide it, even where no difference is found. Of `hardly` nat none is told from none.
Found find(const Asked& at, const Point& point, const Scalar& measure) {
  const double largest = point.largest(measure);
  if (largest > point.allowed(measure, 0, 0)) return largest <= hardly ? Found::hardly_anything : Found::something;
  return largest <= matters && one_rounding(at, point) <= matters ? Found::nothing : Found::nothing_to_be_told;
}

std::string of_rounding(const Asked& at, const Point& point) {
  return fmt::format("logits of {:.2g} nat are rounded to {} and may be {:.2g} nat off",
                     point.largest(Asked::logit_size), at.dtype == Dtype::float32 ? "float32" : "float64",
                     point.allowed(Asked::content_spread, 0, 0));
}

constexpr const char* no_other_pair = "; no pair was looked at but one token and itself";

std::string same_for_all(const Point& point) {
  if (point.largest(Asked::size) == 0) return "nothing is added to the logits";
  return fmt::format("the same is added to the logits of all contents, {} nat in size",
                     data::to_text(point.mean(Asked::size)));
}

}  // namespace

data::AnswerColumn ContentIndependence::column() {
  return {
      "any content",
      "nat",
      "adds the same to the logits of all contents; in part: a fixed code or map, which meets contents in a product",
      {{"nat", "by so many nats of a logit it differs between contents"}, deviation_word()},
      true};
}

data::Answer ContentIndependence::answer(const Point& point) const {
  const std::string where = answer_text::where(point);
  const Found in_spread = find(*this, point, content_spread), in_curvature = find(*this, point, curvature);
  const bool of_one_token = length == 1;
  const data::MeanAndError differs = point.mean(content_spread);
  const std::vector<data::AnswerNumber> number{data::AnswerNumber::of(differs)};
  const std::string differ = fmt::format("of what is added to logits, {} nat in size, {} nat differ between contents",
                                         data::to_text(point.mean(size)), data::to_text(differs));
  // Sums of contents may show what the contents themselves do not.
  if (in_curvature == Found::something)
    return {data::Mark::no, number,
            fmt::format("{}, not linearly in queries and keys: what it says of positions depends on the content{}",
                        differ, where)};
  if (point.has(third_token) && find(*this, point, third_token) == Found::something)
    return {data::Mark::no, number,
            fmt::format("{}, and {} nat of a pair change with the contents of other tokens: what it says of positions "
                        "depends on the content{}",
                        differ, data::to_text(point.mean(third_token)), where)};
  if (in_spread == Found::nothing_to_be_told)
    return {data::Mark::cannot_tell, number,
            fmt::format("{}, which tells nothing: {}{}", differ, of_rounding(*this, point), where)};
  if (in_curvature == Found::nothing_to_be_told)
    return {data::Mark::cannot_tell, number,
            fmt::format("{}, and whether linearly in queries and keys cannot be told: {}{}", differ,
                        of_rounding(*this, point), where)};
  if (in_spread == Found::hardly_anything || (in_spread == Found::nothing && in_curvature == Found::hardly_anything)) {
    const double deviation = std::fmax(point.largest(content_spread), point.largest(curvature));
    return {data::Mark::partly,
            {holds_to(deviation)},
            fmt::format("{}, but for {:.1g} nat between contents, which moves no attention{}", same_for_all(point),
                        deviation, where)};
  }
  if (in_spread == Found::nothing)
    return {of_one_token ? data::Mark::cannot_tell : data::Mark::yes,
            {},
            same_for_all(point) + (of_one_token ? no_other_pair : "") + where};
  const std::string linearly =
      "linearly in queries and keys" +
      (in_curvature == Found::nothing ? "" : fmt::format(" to {:.1g} nat", point.largest(curvature)));
  if (of_one_token)
    return {data::Mark::cannot_tell, number, fmt::format("{}, {}{}{}", differ, linearly, no_other_pair, where)};
  return {data::Mark::partly, number,
          fmt::format("{}, {}: the code or map itself looks at none{}", differ, linearly, where)};
}

}  // namespace poslab::experiments::content_independence
