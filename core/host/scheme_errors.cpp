// SPDX-License-Identifier: Apache-2.0
#include "poslab/host/scheme_errors.hpp"

#include <fmt/format.h>

#include "poslab/base/text.hpp"
#include "poslab/data/catalogue.hpp"

namespace poslab::host {
namespace {

const char* text_of(PluginChanged::What what) {
  if (what == PluginChanged::What::file) return "was changed while the run went on; run again to use the new one";
  return "declares itself otherwise here than when it was looked at first; a plugin has to declare the same wherever "
         "it is opened";
}

}  // namespace

NoSuchScheme::NoSuchScheme(std::string wanted, const std::vector<std::string>& offered)
    : Error(fmt::format("no plugin offers the scheme \"{}\"; {}{}", wanted, data::if_it_is_yours,
                        base::did_you_mean(wanted, offered))),
      id(std::move(wanted)) {}

PluginChanged::PluginChanged(std::filesystem::path changed, What what)
    : Error(fmt::format("the plugin {} {}", changed.string(), text_of(what))),
      file(std::move(changed)),
      what_changed(what) {}

LibrariesCollide::LibrariesCollide(std::filesystem::path plugin, std::vector<std::string> only_alone,
                                   std::vector<std::string> only_here)
    : Error(fmt::format(
          "the plugin {} has {} in this process, and {} in one of its own: libraries of one name meet where "
          "several plugins are loaded; run it without --in-process, or alone (--only)",
          plugin.string(), only_here.empty() ? "no library of its own" : base::enumerate(only_here),
          only_alone.empty() ? "none" : base::enumerate(only_alone))),
      file(std::move(plugin)),
      alone(std::move(only_alone)),
      here(std::move(only_here)) {}

Malformed::Malformed(What what, std::string broken)
    : Error(fmt::format("malformed {}: {}", what == What::table ? "table" : "instance", broken)),
      declared(what),
      rule(std::move(broken)) {}

Malformed::Malformed(const std::string& scheme, const Malformed& found)
    : Error(fmt::format("scheme \"{}\": {}", scheme, found.what())), declared(found.declared), rule(found.rule) {}

WrongParameter::WrongParameter(std::string of_scheme, std::string name, const std::string& problem)
    : Error(fmt::format("scheme \"{}\"{}", of_scheme, problem)),
      scheme(std::move(of_scheme)),
      parameter(std::move(name)) {}

WrongCall::WrongCall(std::string called, std::string found)
    : Error(fmt::format("{}: {}", called, found)), where(std::move(called)), problem(std::move(found)) {}

}  // namespace poslab::host
