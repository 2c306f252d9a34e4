// SPDX-License-Identifier: Apache-2.0
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments {
namespace {

data::Kind kind_of(const data::Value& default_value) {
  struct {
    data::Kind operator()(std::monostate) const { return data::Kind::real; }
    data::Kind operator()(bool) const { return data::Kind::flag; }
    data::Kind operator()(std::int64_t) const { return data::Kind::integer; }
    data::Kind operator()(double) const { return data::Kind::real; }
    data::Kind operator()(const std::string&) const { return data::Kind::choice; }
    data::Kind operator()(const std::vector<double>&) const { return data::Kind::list; }
  } kind;
  return std::visit(kind, default_value);
}

}  // namespace

Axis::operator data::AxisInfo() const {
  data::AxisInfo axis;
  axis.name = name;
  axis.default_value = choices.empty() ? default_value : data::Value(choices.front());
  axis.kind = kind_of(axis.default_value);
  axis.choices = choices;
  axis.range = range;
  axis.unit = unit;
  axis.sentence = sentence;
  axis.inner = axis.kind == data::Kind::list;
  return axis;
}

Axis length_axis(std::int64_t default_value) {
  return {
      .name = "length",
      .default_value = default_value,
      .range = from_one,
      .unit = "position",
      .sentence = "N: how many positions the sequence has, 0 to N - 1",
  };
}

Axis dtype_axis() {
  return {
      .name = "dtype",
      .choices = {"float64", "float32"},
      .sentence =
          "the scalar type in which the scheme works; what is measured of its numbers is worked out in double "
          "where the experiment's page does not say otherwise",
  };
}

Axis contents_axis() {
  return {
      .name = "contents",
      .default_value = std::int64_t{16},
      .range = from_one,
      .sentence = "how many random contents are drawn in each repeat",
  };
}

Axis keep_weights_axis() {
  return {
      .name = "keep_weights",
      .default_value = false,
      .sentence = "whether the results keep the trained weights, for --weights of a later run",
  };
}

}  // namespace poslab::experiments
