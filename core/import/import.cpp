// SPDX-License-Identifier: Apache-2.0
// From the text of a config.json to a Model: the part that has the language model, its family, both readers, and what
// neither of them understood.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "families.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/base/text.hpp"
#include "poslab/import/model.hpp"

namespace poslab::importing {
namespace {

constexpr std::size_t max_bytes = std::size_t{1} << 20;  // of a configuration: hundreds of times those that exist
constexpr int max_depth = 32;

base::Error damaged(const std::string& problem) { return {base::Error::Kind::damaged, problem}; }

Object parsed(const std::string& text) {
  if (text.size() > max_bytes)
    throw damaged(fmt::format("a configuration of more than {}", base::human_bytes(max_bytes)));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw damaged("the file is empty");
  const Object::parser_callback_t no_deeper = [](int depth, Object::parse_event_t /*event*/, Object& /*value*/) {
    if (depth > max_depth) throw damaged(fmt::format("tables nested deeper than {}", max_depth));
    return true;
  };
  Object value;
  try {
    value = Object::parse(text, no_deeper);
  } catch (const Object::parse_error& error) {
    throw damaged(fmt::format("no JSON, by byte {} at the latest", error.byte));
  } catch (const Object::out_of_range&) {
    throw damaged("a number that no double holds");
  }
  if (!value.is_object()) throw damaged(fmt::format("a JSON {}, not a table of keys", value.type_name()));
  return value;
}

// Configurations of models with several parts keep that of the language model in a table of its own.
constexpr std::array language_parts{"text_config", "llm_config", "language_config", "thinker_config"};
constexpr std::array other_parts{"vision_config", "audio_config", "talker_config", "token2wav_config", "dit_config"};

struct Part {
  const Object* object;
  std::string path;
  std::string family;
};

std::string word_of(const Object& object, const char* name) {
  const Object::const_iterator found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

Part language_part(const Object& whole) {
  Part part{&whole, "", word_of(whole, "model_type")};
  for (bool deeper = true; deeper;) {
    deeper = false;
    for (const char* name : language_parts) {
      const Object::const_iterator found = part.object->find(name);
      if (found == part.object->end() || !found->is_object() || found->empty()) continue;
      const std::string family = word_of(*found, "model_type");
      part = {&*found, part.path + name + ".", family.empty() ? part.family : family};
      deeper = true;
      break;
    }
  }
  return part;
}

// Whether a key sounds as if it were about positions.
bool sounds_of_positions(const std::string& key) {
  static constexpr std::array words{"rope",    "rotary",   "position", "alibi",  "relative", "nope",
                                    "theta",   "xpos",     "freq",     "bucket", "mscale",   "pos_emb",
                                    "pos_enc", "sinusoid", "ntk",      "logn",   "yarn"};
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return key.find(word) != std::string::npos; });
}

void find_unread(const Object& object, const std::string& path, const Ledger& ledger,
                 std::vector<std::string>& unread) {
  const bool all = ledger.of_positions.count(&object) > 0;
  for (const auto& [key, value] : object.items()) {
    const bool read = ledger.read.count(path + key) > 0;
    if (value.is_object() && (read || ledger.of_positions.count(&value) > 0))
      find_unread(value, path + key + ".", ledger, unread);
    else if (!read && !value.is_null() && (all || sounds_of_positions(key)))
      unread.push_back(path + key);
  }
}

Model read_as(Form form, const Part& part, const Family& family, Ledger& ledger) {
  Model model;
  const Keys keys(*part.object, part.path, ledger);
  family.read({keys, family, form}, model);
  return model;
}

// Parameters of which the two readers have other values.
std::vector<Difference> differences_of(const Model& by_4, const Model& by_5) {
  std::vector<Difference> found;
  for (std::size_t k = 0; k < std::max(by_4.kinds.size(), by_5.kinds.size()); ++k) {
    const LayerKind none{.scheme = "as others"};
    const LayerKind& a = k < by_4.kinds.size() ? by_4.kinds[k] : none;
    const LayerKind& b = k < by_5.kinds.size() ? by_5.kinds[k] : none;
    const std::string& name = a.name.empty() ? b.name : a.name;
    if (a.scheme != b.scheme) {
      found.push_back({name, "scheme", a.scheme, b.scheme});
      continue;
    }
    for (const auto& [parameter, value] : a.set)
      if (const data::Value* other = b.set.find(parameter); !other || *other != value)
        found.push_back({name, parameter, value, other ? *other : data::Value{}});
    for (const auto& [parameter, value] : b.set)
      if (!a.set.contains(parameter)) found.push_back({name, parameter, data::Value{}, value});
  }
  return found;
}

// A study has one width of heads: kinds of another one are told.
void take_one_width(Model& model, Ledger& ledger) {
  model.heads = model.kinds.front().heads, model.head_width = model.kinds.front().head_width;
  for (const LayerKind& kind : model.kinds)
    if (kind.head_width != model.head_width || kind.heads != model.heads)
      ledger.limit(Limit::Kind::other_width, fmt::format("{}: {}", kind.name, variant_text(kind)),
                   static_cast<double>(kind.head_width));
}

}  // namespace

Model read_configuration(const std::string& text) {
  const Object whole = parsed(text);
  const Part part = language_part(whole);
  Ledger ledger, other;
  const Family* known = family_of(part.family);
  const Family family = known ? *known : guessed_family(Keys(*part.object, part.path, ledger));
  const bool is_new = part.object->contains("rope_parameters") && !(*part.object)["rope_parameters"].is_null();
  const Form form = is_new || family.only_transformers_5 ? Form::transformers_5 : Form::transformers_4;
  const Form other_form = form == Form::transformers_4 ? Form::transformers_5 : Form::transformers_4;
  Model model = read_as(form, part, family, ledger);
  model.family = part.family, model.form = form;
  if (!known) {
    ledger.limit(Limit::Kind::unknown_family, part.family);
    if (model.kinds.front().scheme == "rope") ledger.limit(Limit::Kind::layout);
  }
  if (!family.only_transformers_5) {
    try {
      const Model by_other = read_as(other_form, part, family, other);
      model.differences =
          form == Form::transformers_4 ? differences_of(model, by_other) : differences_of(by_other, model);
    } catch (const base::Error& refusal) {
      model.refused_by_other = refusal.what();
    }
  }
  for (const std::string& key : other.read)
    if (ledger.read.insert(key).second && part.object->contains(key.substr(part.path.size())))
      model.read_by_other.push_back(key);
  for (const char* name : other_parts)
    if (whole.contains(name)) ledger.limit(Limit::Kind::other_part, name);
  take_one_width(model, ledger);
  find_unread(whole, "", ledger, model.not_understood);
  if (part.object != &whole) find_unread(*part.object, part.path, ledger, model.not_understood);
  model.used = std::move(ledger.used), model.assumed = std::move(ledger.assumed),
  model.limits = std::move(ledger.limits);
  return model;
}

Model read_model(const std::string& path) {
  std::error_code unseen;  // opening says why
  const bool is_folder = std::filesystem::is_directory(path, unseen);
  const std::string name = is_folder ? (std::filesystem::path(path) / "config.json").string() : path;
  const base::RegularFile file(name);
  try {
    if (file.size() > max_bytes)
      throw damaged(
          fmt::format("{}, more than any configuration has", base::human_bytes(static_cast<double>(file.size()))));
    return read_configuration(file.bytes_at(0, max_bytes));
  } catch (const base::FileError&) {
    throw;
  } catch (const base::Error& error) {
    throw base::FileError(name, error.what(), error.hint, error.kind);
  }
}

}  // namespace poslab::importing
