// SPDX-License-Identifier: Apache-2.0
#include "poslab/base/cell.hpp"

#include <fmt/format.h>

#include "poslab/base/hash.hpp"

namespace poslab::base {

std::string identity(const Cell& cell, const std::string& experiment_version, const std::string& scheme_version) {
  std::string text = fmt::format("experiment {} {}\nscheme {} {}\nparameters {}\naxes {}\nseed {}\nrepeat {}\n",
                                 cell.experiment, experiment_version, cell.variant.scheme, scheme_version,
                                 cell.variant.parameters.to_json(), cell.axes.to_json(), cell.seed, cell.repeat);
  if (!cell.placement.is_plain()) text += fmt::format("positions {}\n", cell.placement.text());
  return sha256(text).substr(0, 32);
}

const char* to_text(Status status) {
  switch (status) {
    case Status::ok: return "ok";
    case Status::failed: return "failed";
    case Status::crashed: return "crashed";
    case Status::timeout: return "timeout";
    case Status::skipped: return "skipped";
  }
  return "?";
}

const char* to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return "holds";
    case Verdict::fails: return "fails";
    case Verdict::not_measured: return "not measured";
  }
  return "?";
}

}  // namespace poslab::base
