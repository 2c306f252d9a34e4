// SPDX-License-Identifier: Apache-2.0
#include "golden_run.hpp"

#include <algorithm>
#include <cmath>

#include "attention.hpp"
#include "planes.hpp"
#include "poslab/base/error.hpp"
#include "poslab/host/library.hpp"

namespace poslab::golden {

GoldenRun::GoldenRun(const Facts& facts, const Json& rule, std::shared_ptr<const host::Plugin> plugin)
    : facts_(facts), rule_(rule) {
  const data::Values parameters = parameters_of(facts, rule, plugin->info());
  scheme_ = std::make_unique<host::Scheme>(std::move(plugin), parameters, model_of(facts, rule));
  const Json& positions = member(rule, "positions");
  positions_ = positions_of(facts, positions.is_null() ? Json("positions") : positions);
  for (const double x : positions_.flat()) largest_position_ = std::max(largest_position_, std::abs(x));
}

// One output in one precision.
template <class S>
class GoldenRun::Output {
 public:
  Output(const GoldenRun& run, const Json& spec)
      : spec_(spec), in_(run.facts_, run.rule_, spec, *run.scheme_, run.positions_) {}

  /// What `is` names; with "head", that head of it only; with "columns", those of its last axis.
  Numbers produce() const {
    Numbers all = all_heads();
    if (spec_.contains("columns")) return columns_of(all);
    if (spec_.contains("first_heads")) return first_heads_of(std::move(all));
    if (!spec_.contains("head")) return all;
    const auto size = static_cast<std::ptrdiff_t>(all.numbers.size()) / all.shape.at(0);
    const auto first = all.numbers.begin() + spec_["head"].get<std::ptrdiff_t>() * size;
    return {{all.shape.begin() + 1, all.shape.end()}, {first, first + size}};
  }

 private:
  // "columns": [first, count]
  Numbers columns_of(const Numbers& all) const {
    const auto part = [&](std::size_t i) {
      return static_cast<std::ptrdiff_t>(in_.facts().number(spec_["columns"][i].get<std::string>()));
    };
    const std::ptrdiff_t first = part(0), count = part(1);
    const auto width = static_cast<std::ptrdiff_t>(all.shape.back());
    if (first < 0 || count < 0 || first + count > width) throw Unknown("the table asks for columns that are not there");
    Numbers out{all.shape, {}};
    out.shape.back() = count;
    for (auto row = all.numbers.begin(); row != all.numbers.end(); row += width)
      out.numbers.insert(out.numbers.end(), row + first, row + first + count);
    return out;
  }

  // "first_heads": how many of all heads; the others only make room
  Numbers first_heads_of(Numbers all) const {
    const auto count = static_cast<Index>(std::llround(in_.facts().number(spec_["first_heads"])));
    all.numbers.resize(all.numbers.size() / static_cast<std::size_t>(all.shape.at(0)) *
                       static_cast<std::size_t>(count));
    all.shape[0] = count;
    return all;
  }

  Numbers all_heads() const {
    const auto is = spec_.at("is").get<std::string>();
    const Attention<S> attention(in_);
    const Planes<S> planes(in_);
    if (is == "encode") return encode();
    if (is == "transform")
      return numbers_of(
          in_.transform(in_.side(), in_.content(spec_.at("of"), in_.positions().extent(0)), in_.positions()));
    if (is == "plane_angles") return planes.angles();
    if (is == "plane_cosines") return planes.part_of(0);
    if (is == "plane_sines") return planes.part_of(1);
    if (is == "plane_scale") return planes.scale();
    if (is == "bias") return numbers_of(attention.bias());
    if (is == "logits") return numbers_of(attention.logits());
    if (is == "added") return attention.added();
    if (is == "rotated_by_score") return attention.rotated_by_score();
    if (is == "attention") return numbers_of(attention.weights());
    if (is == "values") return attention.values();
    if (is == "logit_scale") return {{}, {in_.scheme().logit_scale()}};
    throw Unknown("the table's word \"" + is + "\" is not known");
  }

  Numbers encode() const {
    Array<S> out({in_.positions().extent(0), in_.scheme().model().model_width});
    in_.scheme().template encode<S>(in_.context(), in_.positions(), in_.weights(), out);
    return numbers_of(out);
  }

  const Json& spec_;
  const Inputs<S> in_;
};

template <class S>
Numbers GoldenRun::produce(const std::string& name) const {
  return Output<S>(*this, rule_.at("outputs").at(name)).produce();
}

template Numbers GoldenRun::produce<float>(const std::string&) const;
template Numbers GoldenRun::produce<double>(const std::string&) const;

}  // namespace poslab::golden
