// SPDX-License-Identifier: Apache-2.0
// Making variants.
#include <fmt/format.h>

#include "list.hpp"
#include "poslab/base/count.hpp"
#include "poslab/data/refusal.hpp"

namespace poslab::check {
namespace {

std::string model_text(const host::Model& model) {
  return fmt::format("{} wide, {} heads", model.model_width, model.heads);
}

std::string defaults_refused(const Trial& trial, const std::string& refusal) {
  std::string tried;
  for (const host::Model& wider : wider_models()) tried += ", nor on a model " + model_text(wider);
  return fmt::format("its defaults are refused: {}{}", refusal,
                     trial.names_models() ? "" : tried + "; --d-model and --heads name a model that it serves");
}

// Where the usual model is refused, but a wider one is not.
std::string model_note(Trial& trial) {
  const host::Model &model = trial.models().front(), &usual = usual_models().front();
  if (trial.names_models() || model.model_width == usual.model_width) return "";
  return fmt::format("; on a model {}, as the usual one, {}, is refused", model_text(model), model_text(usual));
}

}  // namespace

std::string check_creates(Trial& trial) {
  int made = 0, refused = 0;
  std::string first_refusal;
  for (const Variant& variant : trial.variants()) {
    trial.at(variant.label);
    try {
      const host::Scheme scheme(trial.plugin(), variant.parameters, variant.model);
      ++made;
    } catch (const data::Refused& refusal) {
      if (++refused == 1) first_refusal = fmt::format("{}: {}", variant.label, refusal.what());
      if (made == 0 && refused == 1 && trial.given().empty())  // the first variant
        throw Failed(defaults_refused(trial, first_refusal));
    } catch (const base::Error& failure) {
      throw Failed(fmt::format("{}: {}", variant.label, failure.what()));
    }
  }
  if (made == 0) throw Failed(fmt::format("no variant was made; {}", first_refusal));
  const std::string note = model_note(trial);
  return refused == 0 ? fmt::format("made {}{}", base::counted(made, "variant"), note)
                      : fmt::format("made {}, refused {} with a reason, the first: {}{}",
                                    base::counted(made, "variant"), refused, first_refusal, note);
}

}  // namespace poslab::check
