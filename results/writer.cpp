// SPDX-License-Identifier: Apache-2.0
#include "poslab/results/writer.hpp"

#include "expectations.hpp"
#include "experiment_group.hpp"
#include "index.hpp"
#include "pending_file.hpp"
#include "poslab/base/disk.hpp"
#include "provenance.hpp"
#include "shard_group.hpp"
#include "survey.hpp"

namespace poslab::results {

void check_writable(const std::string& path) { const PendingFile pending(path); }
void clear_leftovers(const std::string& path) { remove_abandoned(path, true); }

void write(const std::string& path, const Description& description, const std::vector<Row>& rows,
           const std::vector<base::ExpectationResult>& expectations) {
  const h5::Silence silence;
  PendingFile pending(path);
  const Survey surveyed = survey(description, rows);
  try {
    h5::Handle file = h5::create_file(pending.temporary());
    write_index(file, description, rows, surveyed);
    for (const ExperimentSurvey& experiment : surveyed.experiments)
      write_experiment(file, description, rows, surveyed, experiment);
    write_expectations(file, expectations);
    if (description.shard) write_shard(file, description, rows);
    write_provenance(file, description.provenance, surveyed.seconds, description.shard.has_value());
    h5::flush(file);
    file.close();
  } catch (const h5::Error& error) {
    throw base::DiskError(path, std::string("the results cannot be written: ") + error.what(),
                          "is there room on that disk?");
  }
  pending.commit();
}

}  // namespace poslab::results
