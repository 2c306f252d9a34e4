// SPDX-License-Identifier: Apache-2.0
// A worker's side: one thread reads the connection and answers questions, a crew performs cells. It never leaves by
// `return` while cells are in hand: when the host is gone, everything ends at once.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "crew.hpp"
#include "messages.hpp"
#include "poslab/base/pack.hpp"
#include "poslab/base/text.hpp"
#include "poslab/process/partner.hpp"
#include "poslab/run/workshop.hpp"

namespace poslab::run {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool memory_is_ours = false;  // a sanitizer's shadow would count
#else
constexpr bool memory_is_ours = true;
#endif

void limit(decltype(RLIMIT_CORE) resource, rlim_t most) {
  rlimit now{};
  getrlimit(resource, &now);
  now.rlim_cur = std::min(most, now.rlim_max);
  setrlimit(resource, &now);
}

// Stacks count as data, though few of their pages are ever touched.
rlim_t stacks(int threads) {
  rlimit stack{};
  getrlimit(RLIMIT_STACK, &stack);
  const rlim_t each = stack.rlim_cur == RLIM_INFINITY ? rlim_t{8} << 20 : stack.rlim_cur;
  return each * static_cast<rlim_t>(threads + 2);  // and whoever else there is
}

// A scheme is a pure function: it has no business with files, and a crash is reported, not dumped.
void limit_ourselves(double memory, int threads) {
  limit(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_THREAD__)  // whose reports are files
  limit(RLIMIT_FSIZE, 0);
#endif
  std::signal(SIGXFSZ, SIG_IGN);
  if (memory > 0 && memory_is_ours) limit(RLIMIT_DATA, static_cast<rlim_t>(memory) + stacks(threads));
  // If the whole machine runs out of memory, a worker is a smaller loss than the host.
  if (std::FILE* score = std::fopen("/proc/self/oom_score_adj", "w")) {
    std::fputs("1000", score);
    std::fclose(score);
  }
}

class Service {
 public:
  explicit Service(int threads)
      : laboratory_(plugins_),
        crew_([this](const base::Cell& cell) { return laboratory_.perform(cell); }, threads,
              {[this](std::size_t index) { say(message::started, message::numbered(index)); },
               [this](std::size_t index, const Performed& performed) {
                 say(performed.wanted_memory ? message::wants_memory : message::done, in_bytes(index, performed));
               }}) {}

  void begin() {
    crew_.gather();
    say(message::ready, "");
  }

  void answer(const process::Message& message) {
    std::string_view body = message.body;
    switch (message.kind) {
      case message::open_library: try { say(message::offers, base::pack(plugins_.open(body)->info()));
        } catch (const host::PluginRefused& refused) {
          say(message::refuses, refused.reason);
        }
        break;
      case message::know_scheme: plugins_.know(base::unpack_scheme(body)); break;
      case message::ask_forecast: {
        const std::uint64_t number = message::take_number(body);
        const spec::Forecast forecast = laboratory_.forecast(base::unpack_cell(body));
        say(message::forecasts, message::numbered(number, message::pack_forecast(forecast)));
        break;
      }
      case message::perform_cell: {
        const std::uint64_t number = message::take_number(body);
        crew_.start(number, base::unpack_cell(body));
        break;
      }
      default: break;
    }
  }

 private:
  static std::string in_bytes(std::size_t index, const Performed& performed) {
    std::string body = message::numbered(index, base::pack(performed.outcome));
    if (body.size() <= process::most_body) return body;
    base::Outcome outcome;
    outcome.status = base::Status::failed;
    outcome.message = fmt::format("its record has {}, and no journal holds as much; make the cell smaller",
                                  base::human_bytes(static_cast<double>(body.size())));
    return message::numbered(index, base::pack(outcome));
  }

  void say(char kind, std::string_view body) {
    const std::string bytes = process::framed(kind, body);
    const std::lock_guard lock(mutex_);
    for (std::size_t sent = 0; sent < bytes.size();) {
      const ssize_t count = write(process::connection_descriptor, bytes.data() + sent, bytes.size() - sent);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) _exit(1);  // the host is gone, or a plugin has closed its connection
      sent += static_cast<std::size_t>(count);
    }
  }

  std::mutex mutex_;
  host::Plugins plugins_;
  Laboratory laboratory_;
  Crew crew_;
};

}  // namespace

int serve(int threads, double memory) try {
  process::end_with_parent();
  std::signal(SIGPIPE, SIG_IGN);
  limit_ourselves(memory, threads);
  // Never destroyed, however this ends: that would wait for plugins that may not come back.
  Service& service = *new Service(threads);
  service.begin();
  // A plugin that calls exit() ends us with its code, and not by a fall over what destructors have taken away.
  on_exit([](int code, void*) { _exit(code); }, nullptr);
  process::Frames frames;
  std::array<char, 1 << 16> bytes{};
  for (;;) {
    const ssize_t count = read(process::connection_descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(0);  // not by way of destructors: cells may be in hand, and plugins are not trusted to end
    frames.add({bytes.data(), static_cast<std::size_t>(count)});
    while (const auto message = frames.next()) service.answer(*message);
  }
} catch (const std::exception& problem) {
  std::fputs((std::string(problem.what()) + "\n").c_str(), stderr);
  _exit(1);
}

}  // namespace poslab::run
