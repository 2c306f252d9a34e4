// SPDX-License-Identifier: Apache-2.0
#include "poslab/results/writer.hpp"

#include "poslab/base/error.hpp"
#include "poslab/data/expectation.hpp"
#include "write/groups.hpp"
#include "write/pending_file.hpp"

namespace poslab::results {

void check_writable(const std::string& path) { const PendingFile pending(path); }
void clear_leftovers(const std::string& path) { remove_abandoned(path, true); }

void write(const std::string& path, const Description& description, const std::vector<Row>& rows,
           const Conclusions& conclusions) {
  const h5::Silence silence;
  PendingFile pending(path);
  const FirstPass pass = first_pass(description, rows);
  try {
    h5::Handle file = h5::create_file(pending.temporary());
    write_index(file, description, rows, pass);
    for (const ExperimentTable& experiment : pass.experiments)
      write_experiment(file, description, rows, pass, experiment);
    write_trained(file, rows, pass);
    write_answers(file, conclusions.answers);
    write_expectations(file, conclusions.expectations);
    write_provenance(file, description, rows, pass);
    h5::flush(file);
    file.close();
  } catch (const h5::Error& error) {
    throw base::FileError(path, std::string("the results cannot be written: ") + error.what(),
                          "is there room on that disk?", base::Error::Kind::disk);
  }
  pending.commit();
}

}  // namespace poslab::results
