// SPDX-License-Identifier: Apache-2.0
#include "commands/import.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "commands/command.hpp"
#include "commands/exit_code.hpp"
#include "options/completers.hpp"
#include "poslab/base/printable.hpp"
#include "terminal/terminal.hpp"

namespace poslab::app {
namespace {

Completion configurations(const Typed& /*typed*/) { return {.files = {"*.json"}, .directories = true}; }

struct ImportOptions final : Options {
  ImportOptions() { words = {1, 1, configurations}; }
  Text output{this,
              option("output", "STUDY.toml", "write a study, where no such file is yet", study_files, nullptr, 'o'),
              accepted(output_name())};
  Flag json{this, flag("json", "as JSON")};
};

int run_import(const ImportOptions& asked) {
  const std::string& file = asked.words.given.front();
  const importing::Model model = importing::read_model(file);
  if (asked.output.is_given()) importing::write_study(*asked.output, importing::study_text(model, file));
  print(import_document(model, file), *asked.json);
  if (asked.output.is_given() && !*asked.json)
    print(stdout, fmt::format("\nThe study is in {0}: poslab run {0}\n", base::printable(*asked.output)));
  return all_well;
}

}  // namespace

Command import_command() {
  return with_action(
      {.name = "import",
       .sentence = "what a published model's config.json says of positions",
       .usage = "CONFIG",
       .what =
           "CONFIG: a config.json as Hugging Face's models have it, or the folder of a model. Says which scheme each "
           "layer has, with which parameters; which keys told it; which keys about positions were not understood; "
           "what no study can say of this model; where readers of the old form and of the new one differ.",
       .shown = {"poslab import config.json", "poslab import Llama-3.1-8B -o llama.toml && poslab run llama.toml"},
       .exit_codes = "0 read; 2 no configuration, a partial or a contradictory one, or one that no scheme can follow.",
       .json = "file, family, form, heads, head_width, kinds, kind_of_layer, order, used, assumed, not_understood, "
               "not_expressed, readers_differ, refused_by_other, read_by_other"},
      run_import);
}

}  // namespace poslab::app
