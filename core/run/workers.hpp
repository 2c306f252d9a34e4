// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "poslab/run/workshop.hpp"

namespace poslab::run {

std::unique_ptr<Workshop> workshop_of_workers(const WorkshopOptions& options);

}  // namespace poslab::run
