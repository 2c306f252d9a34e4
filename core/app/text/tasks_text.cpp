// SPDX-License-Identifier: Apache-2.0
// Trained networks by task: what each variant does at the sizes that it was trained on, and at larger ones.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/run/summary_rows.hpp"
#include "terminal/text_table.hpp"
#include "text/summary.hpp"

namespace poslab::app {
namespace {

// What an experiment that trains measures at the trained sizes and beyond them; of a loss, which is a curve, its first
// value and its last.
struct Kind {
  const char *experiment, *within, *beyond;
  bool is_loss;
};
constexpr Kind kinds[] = {{"length-generalisation", "accuracy_within", "accuracy_beyond", false},
                          {"language-model", "loss", "loss", true}};

// One training of all variants.
struct TaskColumns {
  const Kind* kind;
  std::string task, trained_at, beyond_at;
  std::size_t within, beyond;         // measures, by their index
  std::vector<run::SummaryRow> rows;  // one for each variant
};

std::string axis_text(const run::SummaryRow& row, const char* name) {
  const data::Value* value = row.cell->axes.find(name);
  return value ? data::to_text(*value) : "";
}

std::optional<std::size_t> index_of(const data::ExperimentInfo& info, const char* measure) {
  const auto found = std::ranges::find(info.measures, measure, &data::MeasureInfo::name);
  if (found == info.measures.end()) return std::nullopt;
  return static_cast<std::size_t>(found - info.measures.begin());
}

// A loss is measured at multiples of the trained length, which are a list.
void name_sizes(TaskColumns& task) {
  const data::Value* found = task.rows.front().cell->axes.find("multiple");
  const auto* multiples = found ? std::get_if<std::vector<double>>(found) : nullptr;
  const std::string largest = axis_text(task.rows.front(), "largest");
  const bool has_multiples = task.kind->is_loss && multiples && !multiples->empty();
  task.trained_at = has_multiples ? "x " + base::shortest(multiples->front()) : "to " + largest;
  task.beyond_at = has_multiples ? "x " + base::shortest(multiples->back()) : "> " + largest;
}

// Where one task was trained on in several ways, each is named with the axes in which they differ.
void tell_apart(std::vector<TaskColumns>& tasks) {
  std::vector<std::string> names;
  for (const TaskColumns& task : tasks) {
    std::vector<run::SummaryRow> alike;
    for (const TaskColumns& other : tasks)
      if (other.kind == task.kind && other.task == task.task) alike.push_back(other.rows.front());
    std::string& name = names.emplace_back(task.task);
    for (const std::string& axis : run::varying_axes(alike))
      name += fmt::format(" {}={}", axis, axis_text(task.rows.front(), axis.c_str()));
  }
  for (std::size_t i = 0; i < tasks.size(); ++i) tasks[i].task = names[i];
}

// In plan order.
std::vector<TaskColumns> tasks_of(const Conclusions& run) {
  std::vector<TaskColumns> tasks;
  for (const Kind& kind : kinds) {
    const data::ExperimentInfo* info = run.catalogue.experiment(kind.experiment);
    if (!info) continue;
    const auto within = index_of(*info, kind.within), beyond = index_of(*info, kind.beyond);
    if (!within || !beyond) continue;
    const std::size_t first = tasks.size();
    for (run::SummaryRow& row : run::rows_of(run.cells, run.outcomes, kind.experiment)) {
      if (!row.is_measured()) continue;  // where nothing was, axes are not those of the others
      const auto is_same = [&](const TaskColumns& one) { return one.rows.front().cell->axes == row.cell->axes; };
      auto task = std::find_if(tasks.begin() + static_cast<std::ptrdiff_t>(first), tasks.end(), is_same);
      if (task == tasks.end()) task = tasks.insert(task, {&kind, axis_text(row, "task"), "", "", *within, *beyond, {}});
      task->rows.push_back(std::move(row));
    }
  }
  for (TaskColumns& task : tasks) name_sizes(task);
  tell_apart(tasks);
  return tasks;
}

// In plan order, of all tasks.
std::vector<std::string> variants_of(const std::vector<TaskColumns>& tasks) {
  std::vector<std::string> labels;
  for (const TaskColumns& task : tasks)
    for (const run::SummaryRow& row : task.rows)
      if (std::ranges::find(labels, row.cell->variant.label) == labels.end()) labels.push_back(row.cell->variant.label);
  return labels;
}

std::string number_text(const data::MeanAndError& value) {
  if (value.values == 0) return "–";
  return value.error == 0 ? fmt::format("{:.3g}", value.mean) : data::compact_text(value);
}

std::vector<std::string> row_words(const std::string& label, const std::vector<TaskColumns>& tasks) {
  std::vector<std::string> words{label};
  for (const TaskColumns& task : tasks) {
    const auto row =
        std::ranges::find_if(task.rows, [&](const run::SummaryRow& one) { return one.cell->variant.label == label; });
    const bool is_known = row != task.rows.end();
    const auto mean_within = task.kind->is_loss ? run::mean_and_error_of_first : run::mean_and_error;
    words.push_back(is_known ? number_text(mean_within(*row, task.within)) : "–");
    words.push_back(is_known ? number_text(run::mean_and_error(*row, task.beyond)) : "–");
  }
  return words;
}

std::string legend(const std::vector<TaskColumns>& tasks, std::size_t width) {
  std::vector<std::string> losses;
  bool has_accuracy = false;
  for (const TaskColumns& task : tasks)
    if (task.kind->is_loss)
      losses.push_back(task.task);
    else
      has_accuracy = true;
  std::string what = has_accuracy ? "share of the tokens right, at the trained sizes and at larger ones" : "";
  if (!losses.empty())
    what += fmt::format("{}of {} the loss in nat, at the trained length and at the largest multiple of it",
                        has_accuracy ? "; " : "", base::enumerate(losses));
  what += "; means over repeats, 0.83(4): 0.83 ± 0.04; –: refused, or no number";
  return wrapped("  " + base::printable(what), width, 2);
}

}  // namespace

StyledText tasks_text(const Conclusions& run, std::size_t width) {
  const std::vector<TaskColumns> tasks = tasks_of(run);
  const std::vector<std::string> variants = variants_of(tasks);
  if (tasks.size() < 2 || variants.size() < 2) return {};
  std::vector<std::vector<std::string>> rows{{""}, {"scheme"}};
  for (const TaskColumns& task : tasks) {
    rows[0].insert(rows[0].end(), {task.task, task.task});
    rows[1].insert(rows[1].end(), {task.trained_at, task.beyond_at});
  }
  for (const std::string& label : variants) rows.push_back(row_words(label, tasks));
  StyledText text = "\ntrained networks, by task\n" + text_table(rows, 1, width) + legend(tasks, width);
  return text + "  by one score of all tasks, tested, in groups: " +
         StyledText(Style::command, "poslab report " + base::shell_word(base::operand(run.file))) + "\n";
}

}  // namespace poslab::app
