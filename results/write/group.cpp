// SPDX-License-Identifier: Apache-2.0
#include "write/group.hpp"

#include <fmt/format.h>
#include <hdf5_hl.h>

#include <array>
#include <numeric>

#include "h5/description.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::results {
namespace {

h5::Type type_of(const h5::Values& values) {
  static constexpr std::array types{h5::Type::real, h5::Type::integer, h5::Type::unsigned_integer,
                                    h5::Type::flag, h5::Type::text,    h5::Type::single_real};
  return types[values.index()];
}

void write_readable(hid_t dataset, const h5::Values& values) {
  const auto* texts = std::get_if<std::vector<std::string>>(&values);
  if (!texts) return h5::write(dataset, values);
  std::vector<std::string> readable;
  readable.reserve(texts->size());
  for (const std::string& text : *texts) readable.push_back(base::well_formed(text));
  h5::write(dataset, readable);
}

void put_text(const h5::Handle& object, const std::string& name, const std::string& text) {
  if (!text.empty()) h5::put_attribute(object, name, base::well_formed(text));
}

// A unit and a sentence become what the CF conventions have (description.hpp).
void put_attributes(const h5::Handle& object, const std::string& variable, const Attributes& attributes) {
  for (const auto& [name, value] : attributes) {
    const auto* text = std::get_if<std::string>(&value);
    if (!text) {
      h5::put_attribute(object, name, value);
    } else if (name == "units" && !text->empty()) {
      const std::string unit = h5::udunits(*text);
      put_text(object, name, unit);
      if (unit != *text) put_text(object, h5::unit_name, *text);
    } else if (name == "long_name" && !text->empty()) {
      put_text(object, name, h5::label_of(variable));
      put_text(object, h5::description, *text);
    } else {
      put_text(object, name, *text);
    }
  }
}

}  // namespace

void check_name(const std::string& name) {
  bool good = !name.empty() && base::is_letter(name.front());
  for (const char c : name) good = good && (base::is_word_character(c) || c == '.');
  if (!good)
    throw base::Error(
        fmt::format("\"{}\" cannot be a name in a results file: a letter, then letters, digits, _, - and .", name));
}

Group::Group(const h5::Handle& file) : group_(h5::open_group(file, "/")) {}

Group::Group(const h5::Handle& parent, const std::string& name) {
  check_name(name);
  group_ = h5::create_group(parent, name);
}

Group Group::opened(const h5::Handle& parent, const std::string& name) {
  Group group;
  group.group_ = h5::open_group(parent, name);
  return group;
}

void Group::attach(const h5::Handle& dataset, unsigned axis, const std::string& dimension) const {
  h5::check(H5DSattach_scale(dataset, find(dimension).scale, axis), "H5DSattach_scale");
}

void Group::remove(const std::string& name) { h5::check(H5Ldelete(group_, name.c_str(), H5P_DEFAULT), "H5Ldelete"); }

void Group::close() {
  for (h5::Handle& variable : open_) variable.close();
  open_.clear();
  for (Dimension& dimension : dimensions_) dimension.scale.close();
  dimensions_.clear();
  group_.close();
}

void Group::attribute(const std::string& name, const h5::Attribute& value) {
  put_attributes(group_, name, {{name, value}});
}

bool Group::has(const std::string& name) const { return h5::has_link(group_, name); }

void Group::require_free(const std::string& name) const {
  if (has(name)) throw base::Error(fmt::format("\"{}\" would be the name of two variables of one group", name));
}

const Group::Dimension& Group::find(const std::string& name) const {
  for (const Dimension& dimension : dimensions_)
    if (dimension.name == name) return dimension;
  throw base::Error(fmt::format("a variable has the dimension \"{}\", which its group does not have", name));
}

h5::Handle Group::create(const std::string& name, const std::vector<std::string>& dimensions, h5::Type type,
                         const Attributes& attributes) {
  check_name(name);
  if (name == "encoding")
    throw base::Error(
        fmt::format("\"{}\" cannot be the name of a variable: xarray has an attribute of that name", name));
  require_free(name);
  h5::Shape shape;
  for (const std::string& dimension : dimensions) shape.push_back(find(dimension).extent);
  h5::Handle dataset = h5::create_dataset(group_, name, type, shape);
  put_attributes(dataset, name, attributes);
  for (std::size_t axis = 0; axis < dimensions.size(); ++axis)
    attach(dataset, static_cast<unsigned>(axis), dimensions[axis]);
  return dataset;
}

void Group::dimension(const std::string& name, const h5::Values& values, const Attributes& attributes) {
  check_name(name);
  require_free(name);
  h5::Handle scale = h5::create_dataset(group_, name, type_of(values), {h5::count(values)});
  h5::check(H5DSset_scale(scale, name.c_str()), "H5DSset_scale");
  put_attributes(scale, name, attributes);
  write_readable(scale, values);
  dimensions_.push_back({name, h5::count(values), std::move(scale)});
}

void Group::bare_dimension(const std::string& name, hsize_t extent) {
  check_name(name);
  require_free(name);
  h5::Handle scale = h5::create_dataset(group_, name, h5::Type::flag, {extent});  // never written, so it takes no room
  const std::string mark = fmt::format("This is a netCDF dimension but not a netCDF variable. {:10}", extent);
  h5::check(H5DSset_scale(scale, mark.c_str()), "H5DSset_scale");
  dimensions_.push_back({name, extent, std::move(scale)});
}

void Group::variable(const std::string& name, const std::vector<std::string>& dimensions, const h5::Values& values,
                     const Attributes& attributes) {
  h5::Handle dataset = create(name, dimensions, type_of(values), attributes);
  const std::size_t expected = h5::size_of(h5::shape_of(dataset));
  if (h5::count(values) != expected)
    throw base::Error(
        fmt::format("\"{}\" has {} values, but its dimensions hold {}", name, h5::count(values), expected));
  write_readable(dataset, values);
  dataset.close();
}

hid_t Group::open_variable(const std::string& name, const std::vector<std::string>& dimensions, h5::Type type,
                           const Attributes& attributes) {
  open_.push_back(create(name, dimensions, type, attributes));
  return open_.back().id();
}

CountedColumns::CountedColumns(Group& group, std::string dimension, std::size_t count, const std::string& sentence)
    : group_(group), dimension_(std::move(dimension)), count_(count) {
  std::vector<std::int64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  group_.dimension(dimension_, numbers, {{"units", "1"}, {"long_name", sentence}});
}

CountedColumns::CountedColumns(Group& group, std::string dimension, std::size_t count)
    : group_(group), dimension_(std::move(dimension)), count_(count) {
  group_.bare_dimension(dimension_, count);
}

void Group::text(const std::string& name, const std::string& value) {
  variable(name, {}, std::vector<std::string>{value}, {});
}

}  // namespace poslab::results
