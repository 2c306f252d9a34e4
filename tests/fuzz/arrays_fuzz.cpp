// SPDX-License-Identifier: Apache-2.0
// Bytes as a .npy or a .safetensors file are arrays that can be kept, or are refused.
#include <string>
#include <string_view>

#include "finding.hpp"
#include "poslab/arrays/npy.hpp"
#include "poslab/arrays/safetensors.hpp"

using namespace poslab;

namespace {

void require_whole(const data::KeptArray& array) {
  fuzz::require(data::why_not_kept(array).empty(), "an array whose values do not fit its shape");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const arrays::Source source = arrays::source_of(std::string_view(reinterpret_cast<const char*>(data), size));
  try {
    require_whole(arrays::read_npy(source));
  } catch (const arrays::BadArray&) {
  }
  try {
    const arrays::Safetensors tensors(source);
    for (const std::string& name : tensors.names()) try {
        require_whole(tensors.read(name));
      } catch (const arrays::BadArray&) {
      }
  } catch (const arrays::BadArray&) {
  }
  return 0;
}
