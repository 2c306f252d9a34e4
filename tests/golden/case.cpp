// SPDX-License-Identifier: Apache-2.0
#include "case.hpp"

#include "golden_file.hpp"

namespace poslab::golden {
namespace {

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
