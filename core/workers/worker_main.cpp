// SPDX-License-Identifier: Apache-2.0
// The worker's side: the main thread reads the connection and answers questions, a thread pool performs cells. It never
// ends by `return` while cells are being performed: when the host is gone, everything ends at once.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>

#include "poslab/base/hash.hpp"
#include "poslab/base/regular_file.hpp"
#include "poslab/base/text.hpp"
#include "poslab/data/cell.hpp"
#include "poslab/data/outcome.hpp"
#include "poslab/data/pack.hpp"
#include "poslab/process/child.hpp"
#include "poslab/process/worker_process.hpp"
#include "poslab/workers/backend.hpp"
#include "protocol.hpp"
#include "thread_pool.hpp"
#include "timed_attempt.hpp"
#include "worker.hpp"

namespace poslab::workers {
namespace {

class WorkerService {
 public:
  explicit WorkerService(const BackendOptions& options)
      : checkpoint_seconds_(options.checkpoint_seconds), cell_runner_(plugins_) {
    if (options.threads == 0) return;  // it is only asked
    thread_pool_ = std::make_unique<ThreadPool>(
        options.threads,
        ThreadPoolEvents{[this](std::size_t index) { send(message::started, message::numbered(index)); },
                         [this](std::size_t index, const Performed& performed) {
                           send(kind_of(performed), finished_body(index, performed));
                         }});
  }

  void start() {
    if (thread_pool_) thread_pool_->start_threads();
    send(message::ready, "");
  }

  void answer(const process::Message& message) {
    std::string_view body = message.body;
    switch (message.kind) {
      case message::open_library: open(body); break;
      case message::register_scheme: plugins_.register_scheme(data::unpack<data::SchemeInfo>(body)); break;
      case message::add_contents: {
        auto [hash, contents] = message::unpack_contents(body);
        cell_runner_.provide(hash, std::make_shared<const std::string>(std::move(contents)));
        break;
      }
      case message::ask_forecast: {
        const std::uint64_t number = message::take_number(body);
        const data::Forecast forecast = cell_runner_.forecast(data::unpack<data::Cell>(body));
        send(message::forecasts, message::numbered(number, message::pack_forecast(forecast)));
        break;
      }
      case message::interrupt: interrupt_ = true; break;
      case message::perform_cell: perform(message::unpack_task(body)); break;
      default: break;
    }
  }

 private:
  void perform(message::UnpackedTask unpacked) {
    const std::uint64_t number = unpacked.number;
    // Shared, since a std::function may be copied.
    const auto task = std::make_shared<message::UnpackedTask>(std::move(unpacked));
    thread_pool_->start(number, [this, number, task] {
      TimedAttempt attempt(
          std::move(task->checkpoint), {checkpoint_seconds_, &interrupt_},
          {[&](const data::Progress& progress) { send(message::progressed, message::pack_progress(number, progress)); },
           [&](const data::Checkpoint& kept) { send(message::kept, message::pack_checkpoint(number, kept)); }});
      return cell_runner_.perform(task->cell, attempt);
    });
  }

  // In a copy: what the library does to its process, and what it brings with it, meets no other library.
  void open(std::string_view file) try {
    process::in_a_copy([&] {
      try {
        send(message::offers, data::pack(plugins_.open(file)->info()));
      } catch (const host::PluginRefused& refused) {
        send(message::refuses, refused.reason);
      } catch (const host::ProcessLost& lost) {
        send(message::refuses, lost.what());
      }
    });
  } catch (const process::NoProcess& lack) {
    send(message::lacks_process, lack.why);
  }

  static char kind_of(const Performed& performed) {
    if (performed.was_interrupted) return message::interrupted;
    if (performed.lost_process) return message::lost_process;
    return performed.lacked_memory ? message::lacks_memory : message::done;
  }

  static std::string finished_body(std::size_t index, const Performed& performed) {
    if (performed.was_interrupted) return message::numbered(index);
    std::string body = message::numbered(index, data::pack(performed.outcome));
    if (body.size() <= process::max_body) return body;
    const data::Outcome outcome{data::Status::failed,
                                fmt::format("its record has {}, and no journal holds as much; make the cell smaller",
                                            base::human_bytes(static_cast<double>(body.size())))};
    return message::numbered(index, data::pack(outcome));
  }

  void send(char kind, std::string_view body) {
    const std::string bytes = process::framed(kind, body);
    const std::lock_guard lock(mutex_);
    // Where it fails, the host is gone, or a plugin has closed its connection.
    if (base::write_all(process::connection_descriptor, bytes) != 0) _exit(1);
  }

  const double checkpoint_seconds_;
  std::mutex mutex_;
  host::Plugins plugins_;
  CellRunner cell_runner_;
  std::atomic<bool> interrupt_{false};
  std::unique_ptr<ThreadPool> thread_pool_;
};

}  // namespace

int worker_main(const BackendOptions& options) try {
  process::end_with_parent();
  std::signal(SIGPIPE, SIG_IGN);
  limit_this_process(options.memory, options.threads);
  base::sha256("");  // libcrypto starts at its first use, a third of all that a copy does: here, once
  // Never destroyed, however this process ends: a destructor would wait for plugins that may not return.
  WorkerService& service = *new WorkerService(options);
  service.start();
  // A plugin that calls exit() ends this process with its code, before a crash in static destructors hides it.
  on_exit([](int code, void*) { _exit(code); }, nullptr);
  process::FrameReader frames;
  std::array<char, 1 << 16> bytes{};
  for (;;) {
    const ssize_t count = read(process::connection_descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(0);  // without destructors, as above
    frames.add({bytes.data(), static_cast<std::size_t>(count)});
    while (const auto message = frames.next()) service.answer(*message);
  }
} catch (const std::exception& problem) {
  std::fputs((std::string(problem.what()) + "\n").c_str(), stderr);
  _exit(1);
}

}  // namespace poslab::workers
