// SPDX-License-Identifier: Apache-2.0
#include "h5/attribute.hpp"

#include "h5/bounds.hpp"
#include "h5/types.hpp"

namespace poslab::results::h5 {
namespace {

void write_attribute(hid_t object, const std::string& name, const Handle& disk, hid_t memory, const Shape& shape,
                     const void* value) {
  const Handle space = simple_space(shape);
  const Handle attribute(H5Acreate2(object, name.c_str(), disk, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "H5Acreate2");
  check(H5Awrite(attribute, memory, value), "H5Awrite");
}

struct AttributeWriter {
  hid_t object;
  const std::string& name;
  void operator()(const std::string& text) const {
    const Handle type = text_type();
    const char* pointer = text.c_str();
    write_attribute(object, name, type, type, {}, &pointer);
  }
  void operator()(double x) const { write_attribute(object, name, on_disk(Type::real), H5T_NATIVE_DOUBLE, {}, &x); }
  void operator()(std::int64_t i) const {
    write_attribute(object, name, on_disk(Type::integer), H5T_NATIVE_INT64, {}, &i);
  }
  void operator()(std::uint8_t u) const {
    write_attribute(object, name, on_disk(Type::flag), H5T_NATIVE_UINT8, {}, &u);
  }
  void operator()(const std::vector<std::uint8_t>& list) const {
    write_attribute(object, name, on_disk(Type::flag), H5T_NATIVE_UINT8, {list.size()}, list.data());
  }
};

// H5Aread writes as many values as the attribute has, whatever the caller has room for.
Handle open_single(hid_t object, const std::string& name) {
  Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "H5Aopen");
  const Handle space(H5Aget_space(attribute), H5Sclose, "H5Aget_space");
  if (check(H5Sget_simple_extent_npoints(space), "H5Sget_simple_extent_npoints") != 1)
    damaged(object, "has in its attribute " + name + " another number of values than one");
  return attribute;
}

}  // namespace

void put_attribute(hid_t object, const std::string& name, const Attribute& value) {
  std::visit(AttributeWriter{object, name}, value);
}

bool has_attribute(hid_t object, const std::string& name) {
  return check(H5Aexists(object, name.c_str()), "H5Aexists") > 0;
}

std::string text_attribute(hid_t object, const std::string& name) {
  const Handle attribute = open_single(object, name);
  const Handle type = text_type();
  char* pointer = nullptr;
  check(H5Aread(attribute, type, &pointer), "H5Aread");
  const std::string text = pointer ? pointer : "";
  H5free_memory(pointer);
  return text;
}

double number_attribute(hid_t object, const std::string& name) {
  double number = 0;
  check(H5Aread(open_single(object, name), H5T_NATIVE_DOUBLE, &number), "H5Aread");
  return number;
}

}  // namespace poslab::results::h5
