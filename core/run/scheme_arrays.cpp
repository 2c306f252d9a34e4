// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/scheme_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "poslab/arrays/write.hpp"
#include "poslab/base/error.hpp"
#include "poslab/data/draws.hpp"
#include "poslab/run/contained_reader.hpp"

namespace poslab::run {
namespace {

using base::Array;
using base::Index;
using host::Operation;

class Collector {
 public:
  Collector(const host::Scheme& scheme, const Array<double>& positions, const std::vector<std::string>& axis_names,
            std::uint64_t seed)
      : scheme_(scheme),
        positions_(positions.copy()),
        axis_names_(axis_names),
        weights_(scheme.draw_weights({seed, "table", scheme.info().id, 0})),
        views_(std::as_const(weights_).layer(0)) {
    const Index length = scheme.model().train_length;
    context_ = {length, length, scheme.mask() != host::Mask::bidirectional_only};
    arrays_.title = fmt::format("{} {}", scheme.info().id, scheme.parameters().to_json());
    arrays_.attributes = {{"scheme", scheme.info().id},
                          {"scheme_version", scheme.info().version},
                          {"parameters", scheme.parameters().to_json()}};
  }

  SchemeArrays collect() {
    if (scheme_.has(Operation::encode)) encode();
    transform(host::Side::key, "rotated_ones", "an all-ones key, transformed");
    query();
    transform(host::Side::value, "rotated_ones_value", "an all-ones value, transformed");
    transform(host::Side::output, "rotated_ones_output", "an all-ones output of attention, transformed");
    if (scheme_.has(Operation::bias)) bias();
    if (scheme_.has(Operation::score)) score();
    weights();
    return std::move(arrays_);
  }

 private:
  Index count() const { return positions_.extent(0); }
  host::Tile tile() const { return {positions_, positions_, 0}; }

  void dimension(const std::string& name, const std::string& unit, std::vector<double> values) {
    for (const results::NamedCoordinate& coordinate : arrays_.coordinates)
      if (coordinate.dimension == name) return;
    arrays_.coordinates.push_back({name, unit, std::move(values)});
  }
  void indices(const std::string& name, Index extent) {
    std::vector<double> values(static_cast<std::size_t>(extent));
    std::iota(values.begin(), values.end(), 0.0);
    dimension(name, "1", std::move(values));
  }
  void add(const std::string& name, const std::string& unit, const std::string& sentence,
           std::vector<std::string> dimensions, const Array<double>& array) {
    const std::string coordinates = array.rank() > 1 ? positions_along(dimensions) : "";
    results::NamedArray named{
        name, unit, sentence, std::move(dimensions), {}, {array.flat().begin(), array.flat().end()}, coordinates};
    for (int axis = 0; axis < array.rank(); ++axis) named.shape.push_back(static_cast<std::size_t>(array.extent(axis)));
    arrays_.arrays.push_back(std::move(named));
  }
  // The coordinates of a dimension of positions; on a grid they are counted, and their rows and columns are arrays.
  void position_dimension(const std::string& name) {
    if (axis_names_.empty()) return dimension(name, "position", {positions_.flat().begin(), positions_.flat().end()});
    indices(name, count());
    for (std::size_t axis = 0; axis < axis_names_.size(); ++axis) {
      Array<double> along{count()};
      for (Index n = 0; n < count(); ++n) along(n) = positions_(n, static_cast<Index>(axis));
      const std::string variable = name + "_" + axis_names_[axis];
      const auto same = [&](const results::NamedArray& array) { return array.name == variable; };
      if (std::none_of(arrays_.arrays.begin(), arrays_.arrays.end(), same))
        add(variable, "position", axis_names_[axis] + " of each " + name, {name}, along);
    }
  }
  // Names of the arrays that hold the positions of these dimensions' points.
  std::string positions_along(const std::vector<std::string>& dimensions) const {
    std::string names;
    for (const std::string& dimension : dimensions)
      for (const results::NamedArray& array : arrays_.arrays)
        for (const std::string& axis : axis_names_)
          if (array.name == fmt::format("{}_{}", dimension, axis)) names += (names.empty() ? "" : " ") + array.name;
    return names;
  }

  void encode() {
    Array<double> out{count(), scheme_.model().model_width};
    scheme_.encode<double>(context_, positions_, views_, out);
    position_dimension("position");
    indices("channel", scheme_.model().model_width);
    add("encoding_table", "1", "what is added to the token embedding", {"position", "channel"}, out);
  }
  void transform(host::Side side, const std::string& name, const std::string& sentence) {
    if (!scheme_.transforms(side)) return;
    Array<double> out{scheme_.model().heads, count(), scheme_.model().head_width()};
    out.fill(1);
    scheme_.transform<double>(context_, side, positions_, views_, out);
    position_dimension("position");
    indices("head", scheme_.model().heads);
    indices("head_channel", scheme_.model().head_width());
    add(name, "1", sentence, {"head", "position", "head_channel"}, out);
  }
  // Beside the key, where it is another.
  void query() {
    transform(host::Side::query, "rotated_ones_query", "an all-ones query, transformed");
    const std::size_t size = arrays_.arrays.size();
    if (size < 2 || arrays_.arrays[size - 1].name != "rotated_ones_query") return;
    const results::NamedArray& key = arrays_.arrays[size - 2];
    if (key.name == "rotated_ones" && key.values == arrays_.arrays.back().values) arrays_.arrays.pop_back();
  }
  Array<double> pairs() {
    position_dimension("query_position");
    position_dimension("key_position");
    indices("head", scheme_.model().heads);
    return Array<double>{scheme_.model().heads, count(), count()};
  }
  void bias() {
    Array<double> out = pairs();
    scheme_.bias<double>(context_, tile(), views_, out);
    add("position_bias", "1", "what is added to the scaled logits", {"head", "query_position", "key_position"}, out);
  }
  void score() {
    const Index heads = scheme_.model().heads, head_width = scheme_.model().head_width();
    Array<double> out = pairs(), ones{heads, count(), head_width}, input{count(), scheme_.model().model_width};
    ones.fill(1);
    input.fill(1);
    const double scale = scheme_.logit_scale();
    out.fill(scale * static_cast<double>(head_width));
    scheme_.score<double>(context_, tile(), {input, ones, ones, scale}, views_, out);
    for (double& logit : out.flat()) logit = logit / scale;
    add("score_of_ones", "1", "the logit of all-ones q, k and x over the scale",
        {"head", "query_position", "key_position"}, out);
  }
  void weights() {
    for (std::size_t w = 0; w < scheme_.weights().size(); ++w) {
      const host::WeightInfo& info = scheme_.weights()[w];
      std::vector<std::string> dimensions;
      for (int axis = 0; axis < info.rank; ++axis) {
        dimensions.push_back(fmt::format("weight_{}_{}", info.name, axis));
        indices(dimensions.back(), info.shape[static_cast<std::size_t>(axis)]);
      }
      add("weight_" + info.name, "1", info.sentence + " (untrained)", dimensions, weights_.arrays()[w].front());
    }
  }

  const host::Scheme& scheme_;
  Array<double> positions_;  // [N, A]
  std::vector<std::string> axis_names_;
  host::Context context_;
  host::Weights<double> weights_;
  std::vector<base::View<const double>> views_;
  SchemeArrays arrays_;
};

}  // namespace

SchemeArrays arrays_of(const host::Scheme& scheme, const Array<double>& positions,
                       const std::vector<std::string>& axis_names, std::uint64_t seed) {
  return Collector(scheme, positions, axis_names, seed).collect();
}

TableFormat table_format(const std::string& path) {
  if (path.ends_with(".npy")) return TableFormat::npy;
  return path.ends_with(".safetensors") ? TableFormat::safetensors : TableFormat::hdf5;
}

void require_table_writable(const std::string& path) {
  const char* what_to_do = "choose another file with -o";
  if (table_format(path) != TableFormat::hdf5) {
    if (std::error_code none; std::filesystem::exists(std::filesystem::symlink_status(path, none)))
      throw base::FileError(path, "is there, and a file of that format does not say that it is a table of poslab",
                            "remove it, or choose another file with -o");
    return;
  }
  if (read_content(path, what_to_do).kind == results::OutputContent::Kind::run)
    throw base::FileError(path, "holds the results of a study", what_to_do);
}

void write_table(const std::string& path, const SchemeArrays& made) {
  if (table_format(path) == TableFormat::hdf5)
    return results::write_table(path, made.title, made.attributes, made.coordinates, made.arrays);
  std::vector<arrays::WrittenArray> all;
  for (const results::NamedArray& array : made.arrays) all.push_back({array.name, array.shape, array.values});
  if (table_format(path) == TableFormat::npy) {
    if (all.empty())
      throw base::FileError(path, "the scheme has no array to be written", "it adds and rotates nothing");
    return results::write_bytes(path, arrays::npy_bytes(all.front()));
  }
  for (const results::NamedCoordinate& coordinate : made.coordinates)
    all.push_back({coordinate.dimension, {coordinate.values.size()}, coordinate.values});
  std::vector<std::pair<std::string, std::string>> texts{{"title", made.title}};
  texts.insert(texts.end(), made.attributes.begin(), made.attributes.end());
  results::write_bytes(path, arrays::safetensors_bytes(all, texts));
}

}  // namespace poslab::run
