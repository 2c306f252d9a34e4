// SPDX-License-Identifier: Apache-2.0
// The two backends.
#pragma once

#include <memory>

#include "poslab/workers/backend.hpp"

namespace poslab::workers {

std::unique_ptr<Backend> worker_backend(const BackendOptions& options);

std::unique_ptr<Backend> in_process_backend(const BackendOptions& options);

}  // namespace poslab::workers
