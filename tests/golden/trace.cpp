// SPDX-License-Identifier: Apache-2.0
#include "trace.hpp"

#include "golden_file.hpp"

namespace poslab::golden {

std::vector<Trace> read_traces(const std::string& file) {
  std::vector<Trace> traces;
  const Handle root(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, file);
  for (const std::string& name : names_in(root)) {
    const Handle group(H5Gopen2(root, name.c_str(), H5P_DEFAULT), H5Gclose, name);
    Trace trace;
    trace.name = name;
    trace.attributes = attributes_of(group);
    trace.init = read_group(group, "init");
    trace.final = read_group(group, "final");
    trace.eval = read_group(group, "eval");
    trace.tokens = read_dataset(group, "tokens");
    if (H5Lexists(group, "targets", H5P_DEFAULT) > 0) {
      trace.targets = read_dataset(group, "targets");
      trace.mask = read_dataset(group, "mask");
    }
    if (H5Lexists(group, "positions", H5P_DEFAULT) > 0) trace.positions = read_dataset(group, "positions");
    trace.loss = read_dataset(group, "loss");
    trace.grad_norm = read_dataset(group, "grad_norm");
    traces.push_back(std::move(trace));
  }
  return traces;
}

}  // namespace poslab::golden
