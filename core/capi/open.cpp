// SPDX-License-Identifier: Apache-2.0
// Finding schemes, attaching them to models, and drawing their weights.
#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "poslab/base/json.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/search_path.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/description.hpp"
#include "poslab/host/description.hpp"
#include "poslab/host/python.hpp"
#include "variant.hpp"

namespace poslab::capi {
namespace {

using base::Json;

host::Library library_in(const std::string& directories) {
  const std::vector<std::string> of_environment = base::folders_of_environment("POSLAB_PLUGIN_PATH");
  std::vector<host::PluginDirectory> path;
  for (const std::string& directory : base::folders_in(directories)) {
    const bool is_named = std::ranges::count(of_environment, directory) == 0;  // nobody rereads an environment
    path.emplace_back(directory, is_named);
  }
  return host::Library::scan(path, [](const std::filesystem::path& file) { return host::Plugin::open(file)->info(); });
}

data::Value value_of(const std::string& name, const Json& json) {
  if (json.is_null()) return std::monostate{};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
    return json.get<double>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  const auto is_number = [](const Json& entry) { return entry.is_number(); };
  if (json.is_array() && std::all_of(json.begin(), json.end(), is_number)) return json.get<std::vector<double>>();
  throw not_understood(fmt::format("{} is neither a number, a text, true, false, null nor a list of numbers", name));
}

data::Values parameters_of(const data::SchemeInfo& scheme, const Json& given) {
  data::Values parameters;
  for (const auto& [name, json] : given.items()) {
    const data::Quantity* declared = scheme.parameter(name);
    if (!declared) throw not_understood(data::no_such_parameter(scheme, name));
    const data::Value value = value_of(name, json);
    if (const auto refusal = data::why_not(*declared, value)) throw not_understood(refusal->reason);
    parameters.set(name, data::coerce(*declared, value));
  }
  return parameters;
}

std::shared_ptr<const host::Plugin> plugin_of(const std::string& scheme, const std::string& directories) {
  const bool is_file = scheme.find('/') != std::string::npos || scheme.ends_with(".so") || host::is_python(scheme);
  if (is_file) return host::Plugin::open(scheme);
  const host::Library library = library_in(directories);
  if (const data::SchemeInfo* found = library.find(scheme)) return host::Plugin::open(found->file);
  std::vector<std::string> names;
  for (const data::SchemeInfo& known : library.schemes()) names.push_back(known.id);
  std::string refused;
  for (const auto& [file, reason] : library.refusals())
    refused += fmt::format("; {} was refused: {}", file.string(), reason);
  throw not_understood(fmt::format("no plugin in {} offers the scheme \"{}\"{}{}", directories, base::printable(scheme),
                                   base::did_you_mean(scheme, names), refused));
}

char* handed_out(const Json& json) {
  const std::string text = base::json_text(json);
  char* copy = new char[text.size() + 1];
  std::copy_n(text.c_str(), text.size() + 1, copy);
  return copy;
}

void open(const Json& request, poslab_variant** variant, char** text) {
  const host::Model model{request.at("model_width"), request.at("heads"), request.at("train_length")};
  if (model.model_width < 1 || model.heads < 1 || model.train_length < 1)
    throw not_understood("d_model, heads and train_length must be at least 1");
  if (model.model_width % model.heads != 0)
    throw not_understood(fmt::format("{} heads do not divide d_model = {}", model.heads, model.model_width));
  const auto plugin = plugin_of(request.at("scheme"), request.at("directories"));
  auto made = std::unique_ptr<poslab_variant>(
      new poslab_variant{plugin, {plugin, parameters_of(plugin->info(), request.at("parameters")), model}});
  Json description = data::json_of(plugin->info());
  description["variant"] = host::json_of(made->scheme);
  *text = handed_out(description);
  *variant = made.release();
}

}  // namespace
}  // namespace poslab::capi

using poslab::capi::guarded;
using poslab::capi::Json;

const char* poslab_version() { return POSLAB_VERSION; }

int32_t poslab_list(const char* directories, char** text, poslab_error* error) {
  return guarded(error, [&] {
    const poslab::host::Library library = poslab::capi::library_in(directories);
    Json schemes = Json::array(), refused = Json::array();
    for (const auto& scheme : library.schemes()) schemes.push_back(poslab::data::json_of(scheme));
    for (const auto& [file, reason] : library.refusals())
      refused.push_back({{"file", file.string()}, {"reason", reason}});
    *text = poslab::capi::handed_out({{"schemes", schemes}, {"refused", refused}});
  });
}

int32_t poslab_open(const char* request, poslab_variant** variant, char** text, poslab_error* error) {
  return guarded(error, [&] { poslab::capi::open(Json::parse(request), variant, text); });
}

void poslab_close(poslab_variant* variant) { delete variant; }

void poslab_release(char* text) { delete[] text; }

int32_t poslab_draw(const poslab_variant* variant, uint64_t seed, int64_t layers, double* const* arrays,
                    poslab_error* error) {
  return guarded(error, [&] {
    const poslab::host::Scheme& scheme = variant->scheme;
    const auto weights = scheme.draw_weights({seed, "table", scheme.info().id, 0}, layers);
    for (int64_t layer = 0; layer < layers; ++layer)
      for (const auto& weight : weights.layer(layer)) std::copy(weight.begin(), weight.end(), *arrays++);
  });
}
