// SPDX-License-Identifier: Apache-2.0
#include "poslab/run/workshop.hpp"

#include "in_process.hpp"
#include "workers.hpp"

namespace poslab::run {

std::unique_ptr<Workshop> make_workshop(const WorkshopOptions& options) {
  return options.workers > 0 ? workshop_of_workers(options) : workshop_in_process(options.threads);
}

}  // namespace poslab::run
