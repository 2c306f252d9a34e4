// SPDX-License-Identifier: Apache-2.0
// The axes of an experiment as members of its struct: each is bound to its name, default, range, unit and sentence.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments {

/// What a member may be: a whole number, a real one, a flag, an inner axis' list, or an enumeration, whose values are
/// the choices in their order.
template <class M>
concept AxisMember = std::same_as<M, std::int64_t> || std::same_as<M, double> || std::same_as<M, bool> ||
    std::same_as<M, std::vector<double>> || std::is_enum_v<M>;

/// An axis by the names of its properties, for a member of type M.
template <AxisMember M>
struct AxisOf {
  std::string name;
  M default_value = {};  ///< of an enumeration always its first value
  std::vector<std::string> choices = {};
  data::Range range = {};
  std::string unit = "1";
  std::string sentence;
};

/// A sequence's `length`, N.
inline AxisOf<std::int64_t> length_axis_of(std::int64_t default_value) {
  const Axis axis = length_axis(default_value);
  return {axis.name, default_value, {}, axis.range, axis.unit, axis.sentence};
}

/// A member of `Definition`, and the axis that sets it.
template <class Definition>
class BoundAxis {
 public:
  /// `Part`: Definition itself, or a struct that it takes axes from.
  template <AxisMember M, class Part>
  requires std::derived_from<Definition, Part> BoundAxis(M Part::*member, std::type_identity_t<AxisOf<M>> axis)
      : info_(info_of(axis)), set_([member, axis](Definition& definition, const data::Values& axes) {
          definition.*member = value_of<M>(axis, axes);
        }) {}

  const data::AxisInfo& info() const { return info_; }
  void set(Definition& definition, const data::Values& axes) const { set_(definition, axes); }

 private:
  template <class M>
  static data::AxisInfo info_of(const AxisOf<M>& axis) {
    Axis declared{axis.name, {}, axis.choices, axis.range, axis.unit, axis.sentence};
    if constexpr (!std::is_enum_v<M>) declared.default_value = axis.default_value;
    return declared;
  }
  template <class M>
  static M value_of(const AxisOf<M>& axis, const data::Values& axes) {
    if constexpr (std::is_enum_v<M>) {
      const std::string& chosen = axes.text(axis.name);
      std::size_t i = 0;
      while (i + 1 < axis.choices.size() && axis.choices[i] != chosen) ++i;  // values are checked before a cell runs
      return static_cast<M>(i);
    } else if constexpr (std::same_as<M, std::int64_t>) {
      return axes.integer(axis.name);
    } else if constexpr (std::same_as<M, double>) {
      return axes.real(axis.name);
    } else if constexpr (std::same_as<M, bool>) {
      return axes.flag(axis.name);
    } else {
      return axes.list(axis.name);
    }
  }

  data::AxisInfo info_;
  std::function<void(Definition&, const data::Values&)> set_;
};

/// All axes, in the order in which they are shown.
template <class Definition>
using Axes = std::vector<BoundAxis<Definition>>;

}  // namespace poslab::experiments
