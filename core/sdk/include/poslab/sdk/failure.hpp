// SPDX-License-Identifier: Apache-2.0
// How a scheme says no: it throws, and the SDK puts the sentence into the caller's error buffer.
#pragma once

#include <charconv>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "poslab/plugin.h"

namespace poslab {

/// What crosses the boundary instead of an exception: a code of `poslab_status` and a sentence.
class Failure : public std::exception {
 public:
  Failure(int code, std::string sentence) : code_(code), sentence_(std::move(sentence)) {}
  const char* what() const noexcept override { return sentence_.c_str(); }
  int code() const { return code_; }

 private:
  int code_;
  std::string sentence_;
};

namespace sdk {

template <class Part>
void append(std::string& text, const Part& part) {
  if constexpr (std::is_arithmetic_v<Part>) {
    char digits[32];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, part).ptr);
  } else {
    text += part;
  }
}

/// Words and numbers, one after another; real numbers in the fewest digits that give them back.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::string result;
  (append(result, parts), ...);
  return result;
}

[[noreturn]] inline void malformed_call(const std::string& rule) {
  throw Failure(POSLAB_FAILED, "malformed call: " + rule);
}

inline int32_t report(poslab_error* error, int32_t code, const char* sentence) noexcept {
  if (!error) return code;
  error->code = code;
  std::strncpy(error->text, sentence, sizeof error->text - 1);
  error->text[sizeof error->text - 1] = '\0';
  return code;
}

/// Runs `body`; whatever it throws ends in `error`.
template <class Body>
int32_t guarded(poslab_error* error, Body&& body) noexcept {
  try {
    body();
    return POSLAB_OK;
  } catch (const Failure& failure) {
    return report(error, failure.code(), failure.what());
  } catch (const std::bad_alloc&) {
    return report(error, POSLAB_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& exception) {
    return report(error, POSLAB_FAILED, exception.what());
  } catch (...) {
    return report(error, POSLAB_FAILED, "an exception that is no std::exception");
  }
}

}  // namespace sdk

/// For `prepare`: refuses the configuration unless `condition` holds. The sentence, words and numbers, says what is
/// wrong and what would be right: `require(m.K % 2 == 0, "rope needs an even head width, not ", m.K)`.
template <class... Parts>
void require(bool condition, const Parts&... sentence) {
  if (!condition) throw Failure(POSLAB_REFUSED, sdk::text(sentence...));
}

}  // namespace poslab
