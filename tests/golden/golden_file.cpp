// SPDX-License-Identifier: Apache-2.0
#include "golden_file.hpp"

#include <stdexcept>

namespace poslab::golden {

std::vector<std::string> names_in(hid_t group) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names) < 0)
    throw std::runtime_error("golden file: unreadable group");
  return names;
}

std::string text_attribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return "";
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, name);
  const Handle type(H5Aget_type(attribute), H5Tclose, name);
  if (H5Tget_class(type) != H5T_STRING)
    throw std::runtime_error(std::string("golden file: attribute is no text: ") + name);
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    if (H5Aread(attribute, type, &text) < 0 || !text)
      throw std::runtime_error(std::string("golden file: unreadable attribute ") + name);
    std::string copy(text);
    H5free_memory(text);
    return copy;
  }
  std::string text(H5Tget_size(type), '\0');
  if (H5Aread(attribute, type, text.data()) < 0)
    throw std::runtime_error(std::string("golden file: unreadable attribute ") + name);
  return text.substr(0, text.find('\0'));
}

Json attributes_of(hid_t object) {
  Json all = Json::object();
  const auto add = [](hid_t owner, const char* name, const H5A_info_t*, void* out) -> herr_t {
    const Handle attribute(H5Aopen(owner, name, H5P_DEFAULT), H5Aclose, name);
    const Handle type(H5Aget_type(attribute), H5Tclose, name);
    Json& place = (*static_cast<Json*>(out))[name];
    std::int64_t whole = 0;
    double real = 0;
    switch (H5Tget_class(type)) {
      case H5T_STRING: place = text_attribute(owner, name); return 0;
      case H5T_INTEGER:
        H5Aread(attribute, H5T_NATIVE_INT64, &whole);
        place = whole;
        return 0;
      case H5T_FLOAT:
        H5Aread(attribute, H5T_NATIVE_DOUBLE, &real);
        place = real;
        return 0;
      case H5T_ENUM:
        H5Aread(attribute, type, &whole);
        place = (whole & 0xff) != 0;
        return 0;
      default: throw std::runtime_error(std::string("golden file: attribute of an unknown type: ") + name);
    }
  };
  if (H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &all) < 0)
    throw std::runtime_error("golden file: unreadable attributes");
  return all;
}

Dataset read_dataset(hid_t group, const std::string& name) {
  const Handle dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, name);
  const Handle space(H5Dget_space(dataset), H5Sclose, name);
  const Handle type(H5Dget_type(dataset), H5Tclose, name);
  std::vector<hsize_t> extents(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, extents.data(), nullptr);
  Dataset out;
  out.shape.assign(extents.begin(), extents.end());
  out.numbers.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  out.integer = H5Tget_class(type) == H5T_INTEGER;
  if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.numbers.data()) < 0)
    throw std::runtime_error("golden file: cannot read dataset " + name);
  return out;
}

Datasets read_group(hid_t parent, const char* name) {
  Datasets datasets;
  if (H5Lexists(parent, name, H5P_DEFAULT) <= 0) return datasets;
  const Handle group(H5Gopen2(parent, name, H5P_DEFAULT), H5Gclose, name);
  for (const std::string& dataset : names_in(group)) datasets[dataset] = read_dataset(group, dataset);
  return datasets;
}

}  // namespace poslab::golden
