// SPDX-License-Identifier: Apache-2.0
#include "case.hpp"

#include <hdf5.h>

#include <stdexcept>

namespace poslab::golden {
namespace {

// An HDF5 identifier and the function that closes it; negative identifiers throw.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what) : id_(id), close_(close) {
    if (id < 0) throw std::runtime_error("golden file: cannot open " + what);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { close_(id_); }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

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

// A scalar text attribute, of fixed or variable length; "" if it is not there.
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

std::string source_of(hid_t group) {
  std::string source = text_attribute(group, "source_kind");
  for (const char* part : {"source_repo", "source_path", "source_symbol"})
    if (const std::string text = text_attribute(group, part); !text.empty() && text != "-") source += ", " + text;
  return source;
}

Case read_case(hid_t scheme_group, const std::string& scheme, const std::string& name) {
  const Handle group(H5Gopen2(scheme_group, name.c_str(), H5P_DEFAULT), H5Gclose, scheme + "/" + name);
  Case out;
  out.scheme = scheme;
  out.name = name;
  const std::string parameters = text_attribute(group, "params");
  out.parameters = parameters.empty() ? Json::object() : Json::parse(parameters);
  out.source = source_of(group);
  out.computed_in = text_attribute(group, "computed_in");
  out.inputs = read_group(group, "inputs");
  out.outputs = read_group(group, "outputs");
  out.ref64 = read_group(group, "ref64");
  return out;
}

}  // namespace

const Dataset* Case::find(const std::string& dataset) const {
  if (const auto input = inputs.find(dataset); input != inputs.end()) return &input->second;
  if (const auto output = outputs.find(dataset); output != outputs.end()) return &output->second;
  return nullptr;
}

std::vector<Case> read_cases(const std::string& file) {
  std::vector<Case> cases;
  const Handle root(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, file);
  for (const std::string& scheme : names_in(root)) {
    const Handle group(H5Gopen2(root, scheme.c_str(), H5P_DEFAULT), H5Gclose, scheme);
    for (const std::string& name : names_in(group)) cases.push_back(read_case(group, scheme, name));
  }
  return cases;
}

}  // namespace poslab::golden
