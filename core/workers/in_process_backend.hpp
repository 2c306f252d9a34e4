// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "poslab/workers/backend.hpp"

namespace poslab::workers {

std::unique_ptr<Backend> in_process_backend(const BackendOptions& options);

}  // namespace poslab::workers
