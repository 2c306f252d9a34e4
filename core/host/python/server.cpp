// SPDX-License-Identifier: Apache-2.0
#include "python/server.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>

#include "poslab/base/error.hpp"
#include "poslab/base/hash.hpp"
#include "poslab/base/json.hpp"
#include "poslab/base/search_path.hpp"
#include "poslab/host/python.hpp"
#include "poslab/host/scheme_errors.hpp"

namespace poslab::host {
namespace {

// frames.md
struct RequestHead {
  std::uint32_t kind, instance;
  std::uint64_t form_bytes, number_bytes;
};
struct AnswerHead {
  std::int32_t status, how;
  std::uint64_t bytes;
};
constexpr std::int32_t by_addresses = 1, last = 2;  // of `how`
constexpr std::uint32_t may_answer_by_address = 1U << 8;

constexpr std::uint64_t max_text = 64 << 20;  // bytes of a description

std::size_t bytes_in(const std::vector<iovec>& parts) {
  std::size_t sum = 0;
  for (const iovec& one : parts) sum += one.iov_len;
  return sum;
}

// The files with their hashes, and the versions with those of their texts, in order.
std::vector<data::LinkedLibrary> sources_in(const std::string& description) {
  const base::Json told = base::Json::parse(description);
  std::vector<data::LinkedLibrary> sources;
  for (const std::string file : told.at("files")) sources.push_back({file, base::sha256_of_file(file)});
  for (const std::string version : told.at("versions")) sources.push_back({version, base::sha256(version)});
  return sources;
}

// The file of this very code: the program, or libposlab.so in somebody else's process.
std::filesystem::path own_file() {
  Dl_info info{};
  std::error_code problem;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", problem);
  if (!dladdr(reinterpret_cast<const void*>(&own_file), &info) || !info.dli_fname) return program;
  const auto library = std::filesystem::canonical(info.dli_fname, problem);
  return problem || library.extension() != ".so" ? program : library;
}

// serve.py of the Python package: in share/poslab beside the folder of the program, or around it in a wheel.
std::filesystem::path server_file() {
  const std::filesystem::path root = own_file().parent_path().parent_path();
  const std::filesystem::path usual = root / "share/poslab/python/poslab/serve.py";
  std::error_code problem;
  return std::filesystem::exists(usual, problem) ? usual : root / "serve.py";
}

// Libraries for linear algebra keep to one thread: cells run beside each other. A set's order does not change. Arrays
// of up to 32 MiB, the most that malloc lets one say, come from memory that was used before: fresh pages cost more than
// what is computed in them.
// What lies in the working directory is no module of it, though an empty entry of PYTHONPATH says so.
std::vector<std::string> variables() {
  return {"OMP_NUM_THREADS=1",
          "OPENBLAS_NUM_THREADS=1",
          "MKL_NUM_THREADS=1",
          "PYTHONHASHSEED=0",
          "MALLOC_MMAP_THRESHOLD_=33554432",
          "MALLOC_TRIM_THRESHOLD_=134217728",
          fmt::format("PYTHONPATH={}", fmt::join(base::folders_of_environment("PYTHONPATH"), ":"))};
}

}  // namespace

std::string python() {
  const char* named = std::getenv("POSLAB_PYTHON");
  return named && *named ? named : "python3";
}

void Answer::tell(poslab_error* error) const {
  if (status == POSLAB_OK) return;
  error->code = status;
  const std::size_t length = std::min(text.size(), sizeof error->text - 1);
  std::memcpy(error->text, text.data(), length);
  error->text[length] = '\0';
}

PythonServer::PythonServer(std::filesystem::path file) : file_(std::move(file)) { start(); }

std::uint32_t PythonServer::next_instance() {
  const std::lock_guard lock(mutex_);
  return ++instances_;
}

void PythonServer::start() {
  known_.clear();
  process_ = std::make_unique<process::ServerProcess>(
      std::vector<std::string>{python(), "-B", server_file().string(), file_.string()}, variables());
  const Answer answer = received({});
  if (answer.status != POSLAB_OK) process_.reset();
  if (answer.status != POSLAB_OK) throw base::Error(base::Error::Kind::plugin, answer.text);
  const std::string hash = base::sha256_of_file(file_.string());
  const std::vector<data::LinkedLibrary> sources = sources_in(answer.text);
  if (description_.empty()) description_ = answer.text, hash_ = hash, sources_ = sources;
  if (description_ == answer.text && hash_ == hash && sources_ == sources) return;
  process_.reset();
  throw base::Error(base::Error::Kind::plugin, "its file was changed since it was opened",
                    "run again to use the new one");
}

Answer PythonServer::ask(Request kind, std::uint32_t instance, const std::string& creation,
                         const Freight& freight) try {
  const std::lock_guard lock(mutex_);
  if (!process_ && kind == Request::destroy) return {};
  if (!process_) start();
  const bool is_known = std::find(known_.begin(), known_.end(), instance) != known_.end();
  if (kind == Request::destroy && !is_known) return {};
  if (kind == Request::call && !is_known) {
    std::string text = creation;
    const Answer made = exchange(Request::create, instance, {.form = {{text.data(), text.size()}}});
    if (made.status != POSLAB_OK) return made;
    known_.push_back(instance);
  }
  Answer answer = exchange(kind, instance, freight);
  if (kind == Request::create && answer.status == POSLAB_OK) known_.push_back(instance);
  if (kind == Request::destroy) std::erase(known_, instance);
  return answer;
} catch (const base::Error& problem) {
  return {POSLAB_FAILED, problem.what()};
}

Answer PythonServer::exchange(Request kind, std::uint32_t instance, const Freight& freight) {
  RequestHead head{static_cast<std::uint32_t>(kind) | (by_address_ ? may_answer_by_address : 0), instance,
                   bytes_in(freight.form), bytes_in(freight.numbers)};
  std::vector<iovec> parts{{&head, sizeof head}};
  parts.insert(parts.end(), freight.form.begin(), freight.form.end());
  parts.insert(parts.end(), freight.numbers.begin(), freight.numbers.end());
  if (!process_->send(std::move(parts))) return died();
  const bool was_by_address = by_address_;
  Answer answer = received(freight.sinks);
  // Asked once more, it answers with numbers.
  return was_by_address && !by_address_ ? exchange(kind, instance, freight) : answer;
}

Answer PythonServer::received(const std::vector<iovec>& sinks) {
  AnswerHead head{};
  if (!process_->receive({{&head, sizeof head}})) return died();
  const bool is_text = head.status != POSLAB_OK || sinks.empty();
  const bool has_addresses = head.how == by_addresses;
  const std::size_t expected = has_addresses ? sinks.size() * sizeof(std::uint64_t) : bytes_in(sinks);
  if (is_text ? head.bytes > max_text : head.bytes != expected) {
    process_.reset();
    return {POSLAB_FAILED, "its Python process sent what is no answer"};
  }
  Answer answer{head.status, std::string(is_text ? head.bytes : 0, '\0')};
  const bool is_whole = is_text         ? process_->receive({{answer.text.data(), answer.text.size()}})
                        : has_addresses ? copied(sinks)
                                        : process_->receive(sinks);
  if (!is_whole) return died();
  if (head.how == last) process_.reset();
  return answer;
}

// The addresses of the answer's arrays, then the arrays, out of its memory; false: it is gone.
bool PythonServer::copied(const std::vector<iovec>& sinks) {
  std::vector<std::uint64_t> addresses(sinks.size());
  if (!process_->receive({{addresses.data(), addresses.size() * sizeof(std::uint64_t)}})) return false;
  std::vector<iovec> theirs;
  for (std::size_t i = 0; i < sinks.size(); ++i)
    theirs.push_back({reinterpret_cast<void*>(addresses[i]), sinks[i].iov_len});  // NOLINT: of its memory, not ours
  by_address_ = process_->copy(theirs, sinks);
  return true;
}

Answer PythonServer::died() {
  const process::ServerEnd end = process_->end();
  process_.reset();
  const std::string text = "its Python process " + end.how;
  if (end.by_another) throw ProcessLost(text);
  return {POSLAB_FAILED, text};
}

}  // namespace poslab::host
