// SPDX-License-Identifier: Apache-2.0
// What a plugin's function returned or threw, as our errors.
#pragma once

#include <cstdint>
#include <exception>
#include <string>

#include "poslab/host/floating_point_mode.hpp"
#include "poslab/host/scheme_errors.hpp"
#include "poslab/plugin.h"

namespace poslab::host {

/// Throws the error for `status`, with the plugin's text; `where` begins the message: `scheme "rope", encode`.
[[noreturn]] void raise(const std::string& where, std::int32_t status, const poslab_error& error);
[[noreturn]] void raise_thrown(const std::string& where, const char* what);
/// Also restores the mode.
[[noreturn]] void raise_mode(const std::string& where, const FloatingPointMode& before, const FloatingPointMode& after);

/// Calls `function(error)`; returns if it answers POSLAB_OK, else throws (ProcessLost as `function` does), also if the
/// floating-point mode is another than before: what is computed after it would be. `where()` is only called on failure.
template <class Function, class Where>
void expect_ok(Function function, Where where) {
  poslab_error error;
  error.code = POSLAB_OK;
  error.text[0] = '\0';
  std::int32_t status = POSLAB_OK;
  const FloatingPointMode before = FloatingPointMode::now();
  try {
    status = function(&error);
  } catch (const ProcessLost& lost) {
    throw ProcessLost(where() + ": " + lost.what());
  } catch (const std::exception& thrown) {
    raise_thrown(where(), thrown.what());
  } catch (...) {
    raise_thrown(where(), "of an unknown type");
  }
  if (const FloatingPointMode after = FloatingPointMode::now(); !(after == before)) raise_mode(where(), before, after);
  if (status != POSLAB_OK) raise(where(), status, error);
}

}  // namespace poslab::host
