#include "app/cli/shared_options.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include <CLI/CLI.hpp>

namespace sscope::cli {

void requireFileNames(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    const bool file = type.find("FILE") != std::string::npos || type.find("OUT") != std::string::npos ||
                      type.find(".json") != std::string::npos || type.find("CAPSULE") != std::string::npos ||
                      option->check_lname("output");
    const std::vector<std::string>& given = option->results();
    if (file && std::find(given.begin(), given.end(), "") != given.end())
      throw CLI::ValidationError(option->get_name(), "no file is named");
  }
  for (const CLI::App* command : app.get_subcommands()) requireFileNames(*command);
}

namespace {

std::optional<std::int64_t> bytesOfText(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || !std::isfinite(value)) return {};
  std::string unit(end, text.data() + text.size());
  std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return std::toupper(c); });
  if (unit.ends_with("IB")) unit.erase(unit.size() - 2);
  if (unit.ends_with('B')) unit.pop_back();
  constexpr std::array<std::string_view, 5> kUnits = {"", "K", "M", "G", "T"};
  const auto found = std::find(kUnits.begin(), kUnits.end(), unit);
  if (found == kUnits.end()) return {};
  constexpr double kMost = 0x1p60;
  const double bytes = value * std::pow(1024.0, static_cast<double>(found - kUnits.begin()));
  if (!(bytes >= 1) || bytes > kMost) return {};
  return static_cast<std::int64_t>(bytes);
}

}  // namespace

void addMemoryOption(CLI::App& command, std::int64_t& bytes, const std::string& help) {
  const auto take = [&bytes](const std::string& text) {
    const auto given = bytesOfText(text);
    if (!given) throw CLI::ValidationError("--memory", text + " is not a size such as 2G or 512M");
    bytes = *given;
  };
  command.add_option_function<std::string>("--memory", take, help)->type_name("SIZE");
}

}  // namespace sscope::cli
