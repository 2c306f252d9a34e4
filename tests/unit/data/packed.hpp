// SPDX-License-Identifier: Apache-2.0
// One of everything that is packed, with every member set.
#pragma once

#include <cmath>
#include <limits>

#include "poslab/base/hash.hpp"
#include "poslab/data/pack.hpp"

namespace packed {

using namespace poslab::data;

inline Outcome outcome() {
  Outcome outcome;
  outcome.status = Status::ok;
  outcome.message = "untrained weights \u2013 \"really\"";
  outcome.seconds = 0.1;
  outcome.record.coordinate("position", {0, 1, 2.5});
  outcome.record.coordinate("shift", {1, 10});
  outcome.record.position_coordinate("position", "row", {0, 0, 1});
  outcome.record.scalar("min_distance", -0.0);
  outcome.record.curve("error", {"shift", "position"}, {1, std::nan("7"), 3, -INFINITY, 5e-324, 6});
  return outcome;
}

inline Cell cell() {
  Cell cell;
  cell.id = "0123";
  cell.experiment = "uniqueness";
  cell.variant = {"rope",
                  "rope(base=1e4)",
                  {{"base", Value(1e4)},
                   {"style", Value(std::string("half-split"))},
                   {"width", Value()},
                   {"flag", Value(true)},
                   {"sections", Value(std::vector<double>{1, 2, 3})}},
                  {"base"}};
  cell.axes = {{"length", Value(std::int64_t{-9})}, {"shift", Value(std::vector<double>{})}};
  cell.seed = std::numeric_limits<std::uint64_t>::max();
  cell.repeat = 3;
  cell.skip = "too long";
  cell.placement.policy = Placement::Policy::grid;
  cell.placement.extents = {16, 8};
  return cell;
}

inline Outcome kept() {
  Outcome kept = outcome();
  kept.record.trained({"copy", 2000});
  kept.record.keep("scheme/table/0", {2, 3}, std::vector<double>{1, -0.0, std::nan("7"), 4, 5, 6});
  kept.record.keep("network/head", {2}, std::vector<float>{0.5F, -2});
  kept.record.keep("network/scale", {}, std::vector<double>{3});
  return kept;
}

inline Cell given() {
  Cell given = cell();
  given.given = {{"text", "ab12"}, {"weights", "cd34"}};
  return given;
}

inline Cell mixed() {
  Cell mixed = cell();
  mixed.variant.layers = {{"rope", {{"base", Value(1e6)}}}, {"none", {}}};
  return mixed;
}

inline GivenWeights weights() { return {"trained on copy, 2000 steps", kept().record.kept()}; }

inline Quantity quantity() {
  Quantity quantity;
  quantity.name = "base", quantity.unit = "m", quantity.sentence = "what it is";
  quantity.kind = Kind::choice;
  quantity.default_value = Value(std::string("half"));
  quantity.range = {-1.5, 7, true, true};
  quantity.choices = {"half", "whole", ""};
  quantity.may_be_unset = true;
  return quantity;
}

inline SchemeInfo scheme() {
  SchemeInfo scheme{"rope", "Rotary", "1.2", "Su", "rotates",          "R x", "Llama", Family::contextual, 2, 3,
                    true,   {},       "/f",  "ab", {{"/lib.so", "cd"}}};
  scheme.parameters = {quantity(), Quantity{}, quantity()};
  scheme.parameters[1].name = "width";
  return scheme;
}

/// With what is usual of its parameters.
inline SchemeInfo usual_scheme() {
  SchemeInfo usual = scheme();
  usual.parameters[1].usual = {Value(2.5), Value(std::vector<double>{1, 2})};
  usual.parameters[2].role = Role::pairing;
  return usual;
}

inline SchemeInfo mixed_scheme() {
  SchemeInfo mixed = scheme();
  mixed.parts = {scheme(), scheme()};
  mixed.parts[1].id = "none";
  return mixed;
}

inline ExperimentInfo experiment() {
  ExperimentInfo experiment{"shift", "2", "Shift", "why?", {}, {{"offset", "tokens", "how far", {"length"}, 2}},
                            {},      true};
  experiment.axes.resize(2);
  static_cast<Quantity&>(experiment.axes[0]) = quantity();
  experiment.axes[1].name = "shift", experiment.axes[1].inner = true;
  experiment.measures.push_back({"error",
                                 {"shift", "offset"},
                                 "1",
                                 "sentence",
                                 "a - b",
                                 "0",
                                 {1, 0.5, 0.25, 0.125, true},
                                 Tolerance{2, 0, 0, 3, false},
                                 "norm"});
  experiment.measures.push_back({});
  return experiment;
}

inline ExperimentInfo with_files() {
  ExperimentInfo with_files = experiment();
  with_files.files = {{"text", "any text"}};
  return with_files;
}

inline Expectation expectation() {
  return {"shift", "error", {{"scheme", Value(std::string("rope"))}, {"length", Value(std::int64_t{8})}},
          1.25,    1e-6,    "paper",
          14,      3};
}

inline Expectation difference() {
  Expectation expected = expectation();
  expected.gate = Gate::at_most, expected.repeats = OverRepeats::mean;
  expected.minus = {{"scheme", Value(std::string("none"))}, {"length", Value(std::int64_t{8})}};
  return expected;
}

inline constexpr std::size_t checksum_size = 16;

// The same bytes with a checksum that is right, as somebody makes it who means harm.
inline std::string sealed(const std::string& bytes) {
  const std::string body = bytes.substr(checksum_size);
  return poslab::base::sha256(body).substr(0, checksum_size) + body;
}

}  // namespace packed
