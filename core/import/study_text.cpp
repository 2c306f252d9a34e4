// SPDX-License-Identifier: Apache-2.0
// A Model as a study.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

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

bool encode_alike(const LayerKind& a, const LayerKind& b) { return a.scheme == b.scheme && a.set == b.set; }

// Label of the row with all layers. No kind's label is called so: those end in "layers".
constexpr const char* label_of_all = "the whole model";

std::string layers_text(const Model& model) {
  const std::vector<std::size_t> layers = repeated_layers(model);
  if (layers.empty()) return "";
  std::string text = fmt::format("\n[[scheme]]\nlabel = {}\nlayers = [\n", base::quoted(label_of_all));
  for (const std::size_t kind : layers) {
    const auto& [name, scheme, set, heads, head_width] = model.kinds[kind];
    std::string values;
    for (const auto& [parameter, value] : set)
      values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", parameter, toml_text(value));
    text += values.empty() ? fmt::format("  {},\n", base::quoted(scheme))
                           : fmt::format("  {{ use = {}, set = {{ {} }} }},\n", base::quoted(scheme), values);
  }
  return text + "]\n";
}

// What takes layers: two heads of the model, as deep as its layers take to repeat, or as a few.
std::string stack_text(const Model& model, std::int64_t length) {
  constexpr std::int64_t heads = 2, deepest = 12, longest = 128;
  const std::int64_t depth = std::ssize(repeated_layers(model));
  if (depth == 0) return "";
  return fmt::format(
      "\n[[experiment]]\nuse = \"first-position-bias\"\naxes = {{ d_model = {}, heads = {}, length = {}, depth = [1, "
      "{}] "
      "}}\n",
      heads * model.head_width, heads, std::min(length, longest), std::clamp<std::int64_t>(depth, 2, deepest));
}

// Cheap ones that any scheme, or any scheme of images, is served by.
std::string experiments_text(const Model& model) {
  if (!model.grid.empty()) return "\n[[experiment]]\nuse = \"uniqueness\"\n\n[[experiment]]\nuse = \"clock\"\n";
  std::int64_t length = model.max_positions > 0 ? std::min<std::int64_t>(model.max_positions, 512) : 512;
  for (const LayerKind& kind : model.kinds)
    if (kind.set.contains("max_length")) length = std::min(length, kind.set.integer("max_length"));
  return fmt::format(
             "\n[[experiment]]\nuse = \"uniqueness\"\naxes = {{ length = {0} }}\n\n[[experiment]]\nuse = "
             "\"clock\"\naxes "
             "= {{ length = {0} }}\n",
             length) +
         stack_text(model, length);
}

}  // namespace

std::string variant_text(const LayerKind& kind) {
  std::string text;
  for (const auto& [name, value] : kind.set) text += (text.empty() ? "(" : ", ") + name + "=" + data::to_text(value);
  return kind.scheme + text + (text.empty() ? "" : ")");
}

std::vector<std::size_t> repeated_layers(const Model& model) {
  std::vector<std::size_t> layers;
  for (const std::size_t kind : model.kind_of_layer) {  // the first of those that encode alike
    std::size_t first = 0;
    while (!encode_alike(model.kinds[first], model.kinds[kind])) ++first;
    layers.push_back(first);
  }
  const auto is_repeated = [&](std::size_t period) {
    for (std::size_t l = period; l < layers.size(); ++l)
      if (layers[l] != layers[l - period]) return false;
    return true;
  };
  std::size_t period = 1;
  while (!is_repeated(period)) ++period;
  layers.resize(period > 1 ? period : 0);
  return layers;
}

std::string study_text(const Model& model, const std::string& source) {
  std::string text = fmt::format("format = 1\ntitle = {}\n\n[model]\nd_model = {}\nheads = {}\n",
                                 base::quoted("The positions of " + base::shortened(base::printable(source), 200)),
                                 model.heads * model.head_width, model.heads);
  if (!model.grid.empty()) text += fmt::format("positions = {{ grid = [{}, {}] }}\n", model.grid[0], model.grid[1]);
  for (const LayerKind& kind : model.kinds)
    if (fits(model, kind)) text += scheme_text(model, kind);
  return text + layers_text(model) + experiments_text(model);
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
  const int error = base::write_all(file, text);
  const int at_closing = ::close(file) == 0 ? 0 : errno;
  if (error == 0 && at_closing == 0) return;
  ::unlink(path.c_str());
  throw problem(error != 0 ? error : at_closing);
}

}  // namespace poslab::importing
