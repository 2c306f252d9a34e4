// SPDX-License-Identifier: Apache-2.0
#include "text/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "poslab/base/count.hpp"
#include "poslab/base/printable.hpp"
#include "poslab/base/text.hpp"

namespace poslab::app {
namespace {

// Guesses are rounded up to steps that one can hope for.
double in_steps(double seconds) {
  const double step = seconds < 10 ? 1 : seconds < 60 ? 5 : seconds < 600 ? 10 : 60;
  return std::max(1.0, std::ceil(seconds / step)) * step;
}

// "step 800 of 2000, loss 1.83, 16200 tokens/s": three digits of a rate are more than it keeps.
std::string words_of_itself(const RunProgress& progress) {
  const std::string says = base::printable(progress.says);
  if (progress.tokens_a_second <= 0) return says;
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(progress.tokens_a_second)) - 2));
  return fmt::format("{}, {:.0f} tokens/s", says, std::round(progress.tokens_a_second / unit) * unit);
}

// "3/8 cells", with what is behind `counts` of them; how long it took and, `about` so long, how long is left.
StyledText beginning(const RunProgress& progress, const std::string& counts, double seconds, std::optional<double> left,
                     const char* about) {
  StyledText text = fmt::format("{}/{}{}", progress.done, base::counted(progress.cells, "cell"), counts);
  if (progress.failed > 0) text += StyledText(", ") + StyledText(Style::bad, fmt::format("{} FAILED", progress.failed));
  text += "; " + clock_text(seconds);
  if (progress.stopping)
    text += ", stopping";
  else if (left && progress.done < progress.cells)
    text += fmt::format(", {}{} left", about, clock_text(in_steps(*left)));
  return text;
}

StyledText brief_beginning(const RunProgress& progress, double seconds, std::optional<double> left) {
  return beginning(progress, "", seconds, left, "~");
}

std::string others_text(const RunProgress& progress) {
  return progress.running > 1 ? fmt::format(" (+{})", progress.running - 1) : "";
}

}  // namespace

std::string clock_text(double seconds) {
  if (!(seconds < 3600)) return base::human_seconds(seconds);
  const auto whole = static_cast<long long>(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  return fmt::format("{} min{}", whole / 60, whole % 60 == 0 ? "" : fmt::format(" {} s", whole % 60));
}

StyledText progress_text(const RunProgress& progress, double seconds, std::optional<double> left) {
  std::string counts;
  if (progress.kept > 0) counts += fmt::format(", {} kept", progress.kept);
  if (progress.skipped > 0) counts += fmt::format(", {} skipped", progress.skipped);
  StyledText text = beginning(progress, counts, seconds, left, "about ");
  if (progress.running > 0) text += fmt::format("; {} running", progress.running);
  if (progress.running > 0 && progress.longest_seconds >= 1)
    text += fmt::format(", {} for {}", base::printable(progress.longest), clock_text(progress.longest_seconds)) +
            (progress.says.empty() ? "" : ": " + words_of_itself(progress));
  return text;
}

StyledText brief_progress_text(const RunProgress& progress, double seconds, std::optional<double> left) {
  const StyledText text = brief_beginning(progress, seconds, left);
  if (progress.running == 0 || progress.longest_seconds < 1) return text;
  const std::string what =
      progress.says.empty() ? " for " + clock_text(progress.longest_seconds) : ": " + words_of_itself(progress);
  return text + ("; " + base::printable(progress.longest) + what + others_text(progress));
}

StyledText briefest_progress_text(const RunProgress& progress, double seconds, std::optional<double> left) {
  if (progress.running == 0 || progress.longest_seconds < 1 || progress.says.empty())
    return brief_progress_text(progress, seconds, left);
  return brief_beginning(progress, seconds, left) + ("; " + words_of_itself(progress) + others_text(progress));
}

std::string progress_bar(double seconds, std::optional<double> left) {
  constexpr std::size_t width = 8;
  const double share = left && seconds > 0 ? seconds / (seconds + *left) : 0;
  const auto full = std::min(width, static_cast<std::size_t>(share * static_cast<double>(width)));
  std::string bar = std::string(full, '=') + (full < width ? ">" : "");
  bar.resize(width, ' ');
  return "[" + bar + "]";
}

double next_line_after(double seconds) {
  if (seconds < 30) return seconds + 5;
  if (seconds < 300) return seconds + 30;
  return seconds + (seconds < 3600 ? 60 : 600);
}

std::string unasked_text(std::size_t cells) {
  const bool one = cells == 1;
  return fmt::format("  {:>6} {} more {} in the journal, of what was asked before; {} there, and {} not in the results",
                     cells, one ? "cell" : "cells", one ? "is" : "are", one ? "it stays" : "they stay",
                     one ? "is" : "are");
}

}  // namespace poslab::app
