// SPDX-License-Identifier: Apache-2.0
// The axes of an experiment as members of its struct: each is bound to its name, default, range, unit and sentence.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/record.hpp"
#include "poslab/experiment/declare.hpp"

namespace poslab::experiments {

/// What a member may be: a whole number, a real one, a flag, an inner axis' list, or a choice: an enumeration, or a
/// text where the choices are known only when poslab runs.
template <class M>
concept AxisMember = std::same_as<M, std::int64_t> || std::same_as<M, double> || std::same_as<M, bool> ||
    std::same_as<M, std::vector<double>> || std::same_as<M, std::string> || std::is_enum_v<M>;

/// An axis by the names of its properties, for a member of type M.
template <AxisMember M>
struct AxisOf {
  std::string name;
  M default_value = {};
  data::Range range = {};
  std::string unit = "1";
  std::string sentence;
};

/// A value of a choice, and what it is called in a study.
template <class M>
struct Choice {
  M value;
  const char* name;
};

/// The first choice is the default.
template <AxisMember M>
requires std::is_enum_v<M>
struct AxisOf<M> {
  std::string name;
  std::vector<Choice<M>> choices;
  std::string sentence;
};
template <>
struct AxisOf<std::string> {
  std::string name;
  std::vector<std::string> choices;
  std::string sentence;
};

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
  /// The same axis of a struct that has `Definition` as a base.
  template <std::derived_from<Definition> Whole>
  BoundAxis<Whole> of() const {
    return {info_, set_};
  }
  void set(Definition& definition, const data::Values& axes) const { set_(definition, axes); }

 private:
  template <class M>
  static data::AxisInfo info_of(const AxisOf<M>& axis) {
    data::AxisInfo info;
    info.name = axis.name, info.sentence = axis.sentence, info.kind = kind_of<M>();
    if constexpr (std::is_enum_v<M>)
      for (const Choice<M>& choice : axis.choices) info.choices.emplace_back(choice.name);
    else if constexpr (std::same_as<M, std::string>)
      info.choices = axis.choices;
    else
      info.default_value = axis.default_value, info.range = axis.range, info.unit = axis.unit;
    if (!info.choices.empty()) info.default_value = info.choices.front();
    info.inner = info.kind == data::Kind::list;  // one cell takes all of it, as a dimension of its curves
    return info;
  }
  template <class M>
  static constexpr data::Kind kind_of() {
    if constexpr (std::same_as<M, std::int64_t>) return data::Kind::integer;
    if constexpr (std::same_as<M, double>) return data::Kind::real;
    if constexpr (std::same_as<M, bool>) return data::Kind::flag;
    if constexpr (std::same_as<M, std::vector<double>>) return data::Kind::list;
    return data::Kind::choice;
  }
  template <class M>
  static M value_of(const AxisOf<M>& axis, const data::Values& axes) {
    if constexpr (std::is_enum_v<M>) {
      const std::string& chosen = axes.text(axis.name);
      for (const Choice<M>& choice : axis.choices)
        if (choice.name == chosen) return choice.value;
      throw data::wrong_record("axis", axis.name, "\"" + chosen + "\" is none of its choices");
    } else if constexpr (std::same_as<M, std::string>) {
      return axes.text(axis.name);
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

  template <class>
  friend class BoundAxis;
  BoundAxis(data::AxisInfo info, std::function<void(Definition&, const data::Values&)> set)
      : info_(std::move(info)), set_(std::move(set)) {}

  data::AxisInfo info_;
  std::function<void(Definition&, const data::Values&)> set_;
};

/// All axes, in the order in which they are shown.
template <class Definition>
using Axes = std::vector<BoundAxis<Definition>>;

}  // namespace poslab::experiments
