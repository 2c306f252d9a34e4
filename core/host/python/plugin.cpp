// SPDX-License-Identifier: Apache-2.0
#include "python/plugin.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "poslab/base/json.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/host/python.hpp"
#include "poslab/host/scheme_errors.hpp"

namespace poslab::host {
namespace {

using base::Json;

constexpr double infinity = std::numeric_limits<double>::infinity();

// JSON has no infinity: null stands for it.
double bound(const Json& number, double where_null) { return number.is_null() ? where_null : number.get<double>(); }

// Lists one behind another, with a nan after each, as plugin.h has them.
std::vector<double> numbers_of(const Json& usual) {
  std::vector<double> numbers;
  for (const Json& each : usual) {
    if (!each.is_array()) {
      numbers.push_back(each);
      continue;
    }
    for (const Json& number : each) numbers.push_back(number);
    numbers.push_back(std::nan(""));
  }
  return numbers;
}

int32_t create_without_file(const poslab_value*, const poslab_model*, poslab_instance*, poslab_error* error) {
  const char why[] = "a variant of a Python file is made by its plugin";
  error->code = POSLAB_FAILED;
  std::memcpy(error->text, why, sizeof why);
  return POSLAB_FAILED;
}

void destroy(void* self) {
  const std::unique_ptr<PythonInstance> instance(static_cast<PythonInstance*>(self));
  if (!instance) return;
  try {
    instance->server->ask(Request::destroy, instance->number, "", {});
  } catch (const ProcessLost&) {
    return;  // and the instance with it
  }
}

Json json_of(const poslab_parameter& row, const poslab_value& value) {
  if (!value.is_set) return nullptr;
  switch (row.kind) {
    case POSLAB_REAL: return value.real;
    case POSLAB_INTEGER: return value.integer;
    case POSLAB_CHOICE: return row.choices[value.choice];
    case POSLAB_FLAG: return value.choice != 0;
    default: return std::vector<double>(value.list, value.list + value.list_count);
  }
}

bool is_finite(const poslab_parameter& row, const poslab_value& value) {
  if (!value.is_set) return true;
  if (row.kind == POSLAB_LIST)
    return std::all_of(value.list, value.list + value.list_count, [](double x) { return std::isfinite(x); });
  return row.kind != POSLAB_REAL || std::isfinite(value.real);
}

void add_weight(PythonInstance& instance, const Json& told) {
  const std::vector<std::int64_t> shape = told.at("shape");
  poslab_weight row{};
  row.size = sizeof row;
  row.rank = static_cast<std::int32_t>(shape.size());
  row.name = instance.texts.emplace_back(told.at("name")).c_str();
  for (std::size_t axis = 0; axis < 4; ++axis) row.shape[axis] = axis < shape.size() ? shape[axis] : 1;
  row.per_layer = told.at("per_layer").get<bool>();
  row.initialisation = told.at("initialisation");
  row.first = told.at("first");
  row.second = told.at("second");
  row.frozen = told.at("frozen").get<bool>();
  row.sentence = instance.texts.emplace_back(told.at("sentence")).c_str();
  instance.weight_pointers.push_back(&instance.weights.emplace_back(row));
}

void fill(poslab_instance& out, PythonInstance& instance, const Json& told) {
  for (const Json& weight : told.at("weights")) add_weight(instance, weight);
  instance.inverse_frequency = told.at("inverse_frequency").get<std::vector<double>>();
  out.self = &instance;
  out.operations = told.at("operations");
  out.claims = told.at("claims");
  out.mask = told.at("mask");
  out.sides = told.at("sides");
  out.score_writes_logits = told.at("score_writes_logits").get<bool>();
  out.logit_scale = told.at("logit_scale");
  out.embedding_scale = told.at("embedding_scale");
  out.initial_query_scale = told.at("initial_query_scale");
  out.lowest_position = bound(told.at("min_position"), -infinity);
  out.highest_position = bound(told.at("max_position"), infinity);
  out.unique_up_to = bound(told.at("unique_up_to"), infinity);
  out.least_axes = told.at("least_axes");
  out.most_axes = told.at("most_axes");
  out.weights = instance.weight_pointers.data();
  out.weight_count = static_cast<std::int64_t>(instance.weight_pointers.size());
  out.inverse_frequency_count = static_cast<std::int64_t>(instance.inverse_frequency.size());
  out.inverse_frequency = instance.inverse_frequency.empty() ? nullptr : instance.inverse_frequency.data();
}

}  // namespace

bool is_python(const std::filesystem::path& file) { return file.extension() == ".py"; }

bool declares_scheme(const std::filesystem::path& file) try {
  const base::RegularFile source(file.string());
  constexpr std::uint64_t most = 1 << 20;
  return source.size() <= most && source.bytes_at(0, source.size()).find("poslab.define(") != std::string::npos;
} catch (const base::FileError&) {
  return false;
}

const char* PythonPlugin::kept(const std::string& text) { return texts_.emplace_back(text).c_str(); }

PythonPlugin::PythonPlugin(const std::filesystem::path& file) try : server_(std::make_shared<PythonServer>(file)) {
  const Json told = Json::parse(server_->description()), card = told.at("card");
  for (const Json& each : told.at("parameters")) {
    poslab_parameter row{};
    row.size = sizeof row;
    row.kind = each.at("kind");
    row.name = kept(each.at("name"));
    row.unit = kept(each.at("unit"));
    row.sentence = kept(each.at("sentence"));
    row.lowest = bound(each.at("lowest"), -infinity);
    row.highest = bound(each.at("highest"), infinity);
    row.above_lowest = each.at("above_lowest").get<bool>();
    row.below_highest = each.at("below_highest").get<bool>();
    std::vector<const char*>& choices = choices_.emplace_back();
    for (const Json& word : each.at("choices")) choices.push_back(kept(word));
    row.choices = choices.data();
    row.choice_count = static_cast<std::int64_t>(choices.size());
    const Json& fallback = each.at("default");
    row.may_be_unset = fallback.is_null();
    row.default_number = std::nan("");
    row.default_choice = -1;
    if (fallback.is_boolean()) row.default_choice = fallback.get<bool>();
    if (fallback.is_number()) row.default_number = fallback;
    for (std::size_t i = 0; fallback.is_string() && i < choices.size(); ++i)
      if (fallback == choices[i]) row.default_choice = static_cast<std::int32_t>(i);
    if (fallback.is_array()) {
      const std::vector<double>& list = lists_.emplace_back(fallback.get<std::vector<double>>());
      row.default_list = list.data() ? list.data() : &row.lowest;
      row.default_list_count = static_cast<std::int64_t>(list.size());
    }
    row.role = each.at("role");
    const std::vector<double>& numbers = lists_.emplace_back(numbers_of(each.at("usual")));
    row.usual = numbers.empty() ? nullptr : numbers.data();
    row.usual_count = static_cast<std::int64_t>(numbers.size());
    parameter_pointers_.push_back(&parameters_.emplace_back(row));
  }
  operations_.resize(POSLAB_OPERATION_COUNT);
  for (const std::size_t operation : told.at("operations"))
    operations_.at(operation).forward = python_operations()[operation].forward;
  for (const std::size_t operation : told.at("gradients"))
    operations_.at(operation).gradient = python_operations()[operation].gradient;
  table_ = {.size = sizeof table_,
            .major = POSLAB_MAJOR,
            .minor = POSLAB_MINOR,
            .id = kept(card.at("id")),
            .title = kept(card.at("title")),
            .version = kept(card.at("version")),
            .paper = kept(card.at("paper")),
            .summary = kept(card.at("summary")),
            .formula = kept(card.at("formula")),
            .used_in = kept(card.at("used_in")),
            .family = card.at("family"),
            .least_axes = card.at("least_axes"),
            .most_axes = card.at("most_axes"),
            .real_positions = card.at("real_positions").get<bool>(),
            .parameters = parameter_pointers_.data(),
            .parameter_count = static_cast<std::int64_t>(parameter_pointers_.size()),
            .create = create_without_file,
            .destroy = destroy,
            .operations = operations_.data(),
            .operation_count = POSLAB_OPERATION_COUNT};
} catch (const Json::exception& problem) {
  throw base::Error(std::string("what it declares is not as poslab's Python package says it: ") + problem.what());
}

std::int32_t PythonPlugin::create(const poslab_value* values, const poslab_model* model, poslab_instance* instance,
                                  poslab_error* error) const {
  Json parameters = Json::object();
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (!is_finite(parameters_[i], values[i])) {
      Answer{POSLAB_REFUSED, std::string(parameters_[i].name) + " is not finite, which no Python file is given"}.tell(
          error);
      return POSLAB_REFUSED;
    }
    parameters[parameters_[i].name] = json_of(parameters_[i], values[i]);
  }
  const Json request{{"parameters", parameters},
                     {"model",
                      {{"heads", model->heads},
                       {"head_width", model->head_width},
                       {"d_model", model->model_width},
                       {"train_length", model->train_length}}}};
  auto made = std::unique_ptr<PythonInstance>(
      new PythonInstance{server_, server_->next_instance(), base::json_text(request), {}, {}, {}, {}});
  std::string text = made->creation;
  const Answer answer = server_->ask(Request::create, made->number, "", {.form = {{text.data(), text.size()}}});
  answer.tell(error);
  if (answer.status != POSLAB_OK) return answer.status;
  try {
    fill(*instance, *made, Json::parse(answer.text));
  } catch (const Json::exception& problem) {
    Answer{POSLAB_FAILED, problem.what()}.tell(error);
    return POSLAB_FAILED;
  }
  made.release();
  return POSLAB_OK;
}

}  // namespace poslab::host
