// SPDX-License-Identifier: Apache-2.0
#include "poslab/workers/backend.hpp"

#include "backends.hpp"

namespace poslab::workers {

std::unique_ptr<Backend> make_backend(const BackendOptions& options) {
  return options.workers > 0 ? worker_backend(options) : in_process_backend(options);
}

}  // namespace poslab::workers
