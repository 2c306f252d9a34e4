// SPDX-License-Identifier: Apache-2.0
// The group of machine facts: the only one in which two exact runs may differ.
#pragma once

#include "write/first_pass.hpp"
#include "write/group.hpp"

namespace poslab::results {

/// With `also_packed` the texts stand there once more as one record, for a merge.
void write_provenance(const h5::Handle& file, const Provenance& provenance, const std::vector<double>& seconds,
                      bool also_packed);

}  // namespace poslab::results
