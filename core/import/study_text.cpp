// SPDX-License-Identifier: Apache-2.0
// A Model as a study.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "poslab/base/printable.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/base/text.hpp"
#include "poslab/import/model.hpp"

namespace poslab::importing {
namespace {

std::string toml_text(const data::Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text ? base::quoted(*text) : data::to_text(value);
}

bool fits(const Model& model, const LayerKind& kind) {
  return kind.heads == model.heads && kind.head_width == model.head_width;
}

// What tables call a kind, in place of all its parameters: "sliding_attention layers". No scheme is called so.
std::string label_of(const Model& model, const LayerKind& kind) {
  std::string words = kind.name.empty() ? model.family : kind.name;
  constexpr std::size_t max_words_bytes = 33;  // of the 40 that a label may have
  const bool is_word = !words.empty() && std::all_of(words.begin(), words.end(), base::is_word_character);
  if (!is_word || words.size() > max_words_bytes) words = std::to_string(&kind - model.kinds.data() + 1) + ". kind of";
  return words + " layers";
}

std::string scheme_text(const Model& model, const LayerKind& kind) {
  std::string text = fmt::format("\n[[scheme]]\nuse = {}\n", base::quoted(kind.scheme));
  if (kind.set.empty()) return text;
  text += fmt::format("label = {}\n", base::quoted(label_of(model, kind)));
  text += "[scheme.set]\n";
  for (const auto& [name, value] : kind.set) text += fmt::format("{} = {}\n", name, toml_text(value));
  return text;
}

// Cheap ones that any scheme, or any scheme of images, is served by.
std::string experiments_text(const Model& model) {
  if (!model.grid.empty()) return "\n[[experiment]]\nuse = \"uniqueness\"\n\n[[experiment]]\nuse = \"clock\"\n";
  std::int64_t length = model.max_positions > 0 ? std::min<std::int64_t>(model.max_positions, 512) : 512;
  for (const LayerKind& kind : model.kinds)
    if (kind.set.contains("max_length")) length = std::min(length, kind.set.integer("max_length"));
  return fmt::format(
      "\n[[experiment]]\nuse = \"uniqueness\"\naxes = {{ length = {0} }}\n\n[[experiment]]\nuse = \"clock\"\naxes = {{ "
      "length = {0} }}\n",
      length);
}

}  // namespace

std::string variant_text(const LayerKind& kind) {
  std::string text;
  for (const auto& [name, value] : kind.set) text += (text.empty() ? "(" : ", ") + name + "=" + data::to_text(value);
  return kind.scheme + text + (text.empty() ? "" : ")");
}

std::string study_text(const Model& model, const std::string& source) {
  std::string text = fmt::format("format = 1\ntitle = {}\n\n[model]\nd_model = {}\nheads = {}\n",
                                 base::quoted("The positions of " + base::shortened(base::printable(source), 200)),
                                 model.heads * model.head_width, model.heads);
  if (!model.grid.empty()) text += fmt::format("positions = {{ grid = [{}, {}] }}\n", model.grid[0], model.grid[1]);
  for (const LayerKind& kind : model.kinds)
    if (fits(model, kind)) text += scheme_text(model, kind);
  return text + experiments_text(model);
}

void write_study(const std::string& path, const std::string& text) {
  const auto problem = [&](int error) {
    const std::string reason = fmt::format("cannot be written: {}", std::strerror(error));
    return base::FileError(path, reason, "",
                           base::is_disk_error(error) ? base::Error::Kind::disk : base::Error::Kind::file);
  };
  const int file = base::open_regular(path, O_WRONLY | O_CREAT | O_EXCL);
  if (file < 0 && errno == EEXIST)
    throw base::FileError(path, "is there already", "nothing was written: choose another --output, or remove it");
  if (file < 0) throw problem(errno);
  const ssize_t written = ::write(file, text.data(), text.size());
  const int error = written == static_cast<ssize_t>(text.size()) ? 0 : (written < 0 ? errno : ENOSPC);
  const int at_closing = ::close(file) == 0 ? 0 : errno;
  if (error == 0 && at_closing == 0) return;
  ::unlink(path.c_str());
  throw problem(error != 0 ? error : at_closing);
}

}  // namespace poslab::importing
