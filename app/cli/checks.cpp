#include "app/cli/checks.h"

#include <charconv>
#include <cmath>
#include <optional>

namespace sscope::cli {

namespace {

std::optional<double> finite(const std::string& text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

}  // namespace

CLI::Validator positiveNumber() {
  return {[](const std::string& text) {
            const auto value = finite(text);
            return value && *value > 0 ? std::string() : text + " is no number above 0";
          },
          "ABOVE 0"};
}

CLI::Validator nonNegativeNumber() {
  return {[](const std::string& text) {
            const auto value = finite(text);
            return value && *value >= 0 ? std::string() : text + " is no number of 0 or more";
          },
          "AT LEAST 0"};
}

CLI::Validator someText() {
  return {[](const std::string& text) { return text.empty() ? std::string("nothing is given") : std::string(); }, ""};
}

// The parser alone would take 2^64 for 2^64 - 1, and 010 for 8.
void addSeedOption(CLI::App& command, std::uint64_t& seed, const std::string& help) {
  const auto take = [&seed](const std::string& text) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (error != std::errc() || end != text.data() + text.size())
      throw CLI::ValidationError("--seed", text + " is no whole number from 0 to 2^64 - 1");
  };
  command.add_option_function<std::string>("--seed", take, help)->type_name("N");
}

}  // namespace sscope::cli
