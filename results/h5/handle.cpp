// SPDX-License-Identifier: Apache-2.0
#include "h5/handle.hpp"

#include <fmt/format.h>

namespace poslab::results::h5 {
namespace {

herr_t collect(unsigned, const H5E_error2_t* entry, void* client) {
  auto& stack = *static_cast<std::vector<std::string>*>(client);
  stack.emplace_back(entry->desc ? entry->desc : "");
  return 0;
}

// What the operating system said, where HDF5 quotes it among addresses and times; else the text itself.
std::string reason(const std::string& text) {
  static const std::string mark = "error message = '";
  const std::size_t start = text.find(mark);
  if (start == std::string::npos) return text;
  const std::size_t end = text.find('\'', start + mark.size());
  return text.substr(start + mark.size(), end - start - mark.size());
}

std::string sentence(const std::string& call, const std::vector<std::string>& stack) {
  if (stack.empty()) return call + " failed";
  const std::string outermost = reason(stack.front()), deepest = reason(stack.back());
  return stack.size() == 1 || outermost == deepest ? fmt::format("{}: {}", call, deepest)
                                                   : fmt::format("{}: {}: {}", call, outermost, deepest);
}

}  // namespace

// A failing close leaves HDF5 1.10 with ids of freed objects, and its own clean-up at exit then crashes on them. Files
// are closed by their handles here, so that clean-up has nothing to do. And a file can name a filter that HDF5 would
// search for as a library, in HDF5_PLUGIN_PATH or its built-in folder: no file makes this program run a library.
void prepare_library() {
  static const herr_t once = H5dont_atexit() < 0 ? -1 : H5PLset_loading_state(0);
  (void)once;
}

Error::Error(const std::string& call, const std::vector<std::string>& stack) : base::Error(sentence(call, stack)) {}

void fail(const char* call) {
  std::vector<std::string> stack;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, collect, &stack);
  throw Error(call, stack);
}

Silence::Silence() {
  prepare_library();
  H5Eget_auto2(H5E_DEFAULT, &print_, &client_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Silence::~Silence() { H5Eset_auto2(H5E_DEFAULT, print_, client_); }

void Handle::close() {
  if (id_ < 0) return;
  check(closer_(std::exchange(id_, -1)), "close");
}

void Handle::release() noexcept {
  if (id_ >= 0) closer_(std::exchange(id_, -1));
}

}  // namespace poslab::results::h5
