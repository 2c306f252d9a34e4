// SPDX-License-Identifier: Apache-2.0
// Bytes as a .npy, a .npz or a .safetensors file are arrays that can be kept, or are refused.
#include <string>
#include <string_view>

#include "finding.hpp"
#include "poslab/arrays/npy.hpp"
#include "poslab/arrays/npz.hpp"
#include "poslab/arrays/safetensors.hpp"

using namespace poslab;

namespace {

void require_whole(const data::KeptArray& array) {
  fuzz::require(!data::why_not_kept(array), "an array whose values do not fit its shape");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const arrays::Source source = arrays::source_of(std::string_view(reinterpret_cast<const char*>(data), size));
  try {
    require_whole(arrays::read_npy(source, arrays::Accept::reals_and_whole));
  } catch (const arrays::BadArray&) {
  }
  try {
    const arrays::Npz archive(source);
    for (const std::string& name : archive.names()) try {
        require_whole(archive.read(name, arrays::Accept::reals_and_whole));
      } catch (const arrays::BadArray&) {
      }
  } catch (const arrays::BadArray&) {
  }
  try {
    const arrays::Safetensors tensors(source);
    for (const std::string& name : tensors.names()) try {
        require_whole(tensors.read(name, arrays::Accept::reals_and_whole));
      } catch (const arrays::BadArray&) {
      }
  } catch (const arrays::BadArray&) {
  }
  return 0;
}
