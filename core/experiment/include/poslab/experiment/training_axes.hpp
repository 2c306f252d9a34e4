// SPDX-License-Identifier: Apache-2.0
// What every experiment that trains a network has in common: the axes that say which network and how it is trained, the
// measures of the training itself, and what a training needs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "poslab/data/catalogue.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/host/scheme.hpp"
#include "poslab/network/network.hpp"
#include "poslab/tasks/task.hpp"
#include "poslab/training/adamw.hpp"
#include "poslab/training/schedule.hpp"

namespace poslab::experiments {

/// `task` with these choices, then network, optimiser and schedule.
std::vector<data::AxisInfo> training_axes(const std::vector<std::string>& tasks);
/// The curves over `step` and the numbers of the network; and the dimensions that they need.
std::vector<data::MeasureInfo> training_measures();
std::vector<data::DimensionInfo> training_dimensions();

/// A measure of a trained network, of the given dimensions; another order of a float32 sum is another training after
/// some hundred steps, so that in float32 it is held to 1 % and this.
data::MeasureInfo trained_measure(const std::string& name, std::vector<std::string> dimensions, const std::string& unit,
                                  const std::string& sentence, const std::string& definition,
                                  const std::string& null_value, double absolute_in_float32 = 1e-3);

/// Ids of all tasks, `first` before the others: the default.
std::vector<std::string> task_ids(const std::string& first);

/// What a task feeds a network with.
struct Feed {
  base::Index alphabet = 256, vector_width = 0;  ///< as long as the text is not known: its largest alphabet
};
/// Of a task that needs no text: its own.
Feed feed_of(const tasks::TaskInfo& info);

/// The network of a cell, trained on sequences of up to so many tokens.
network::Configuration network_of(const data::Values& axes, const host::Model& model, const Feed& feed,
                                  base::Index train_length);
training::AdamWOptions optimiser_of(const data::Values& axes);
training::Schedule schedule_of(const data::Values& axes);
bool is_decoder(const data::Values& axes);
std::string layers_text(const data::Values& axes);  ///< "1 layer", "4 layers"

/// Why the network of these axes cannot be trained on the task, or empty.
std::string why_not_trained(const host::Scheme& scheme, const data::Values& axes, const tasks::TaskInfo& task,
                            const data::Placement& placement);

/// The task of these axes, on the text that was given, if any.
std::unique_ptr<tasks::Task> make_task(const data::Values& axes, const std::map<std::string, std::string_view>& files);
/// Files that some task needs.
std::vector<data::FileInfo> training_files();
/// Those that the task of these axes needs; why one cannot be used.
std::vector<std::string> files_of_task(const data::Values& axes);
std::string why_not_files_of_task(const data::Values& axes, const std::map<std::string, std::string_view>& files);

}  // namespace poslab::experiments
