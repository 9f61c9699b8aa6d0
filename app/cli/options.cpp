#include "app/cli/options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "core/base/error.h"
#include "core/volume/selection.h"

namespace sscope::cli {

namespace {

std::optional<double> finite(const std::string& text) {
  double value = 0;
  const char* begin = text.data() + (text.starts_with('+') && !text.starts_with("+-") ? 1 : 0);
  const auto [end, code] = std::from_chars(begin, text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

std::optional<std::int64_t> whole(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

std::string shortText(double value) { return fmt::format("{:g}", value); }

}  // namespace

CLI::Validator numberWithin(double least, double most) {
  const std::string range = shortText(least) + " to " + shortText(most);
  return {[=](const std::string& text) {
            const auto value = finite(text);
            return value && *value >= least && *value <= most ? std::string() : text + " is not a number from " + range;
          },
          range};
}

CLI::Validator wholeNumberWithin(std::int64_t least, std::int64_t most) {
  const std::string range = std::to_string(least) + " to " + std::to_string(most);
  return {[=](std::string& text) {
            const auto value = whole(text);
            if (!value || *value < least || *value > most) return text + " is not a whole number from " + range;
            text = std::to_string(*value);  // the parser would read leading zeros as base 8
            return std::string();
          },
          range};
}

std::vector<std::int64_t> numbersOf(const std::string& option, const std::string& text, const NumberList& list) {
  std::vector<std::int64_t> numbers;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(",x", at), text.size());
    const auto value = whole(text.substr(at, end - at));
    if (!value || *value < list.least || *value > list.largest)
      throw CLI::ValidationError(
          option, text + " is not a list " + list.shown + " of whole numbers" +
                      (list.least > 0 ? " from " + std::to_string(list.least) + " to " + std::to_string(list.largest)
                                      : std::string()));
    numbers.push_back(*value);
    at = end + 1;
  }
  if (numbers.size() < list.fewest || numbers.size() > list.most)
    throw CLI::ValidationError(option, text + " is not a list " + list.shown);
  return numbers;
}

CLI::Validator finiteNumber() {
  return {[](const std::string& text) { return finite(text) ? std::string() : text + " is not a finite number"; }, ""};
}

CLI::Validator nonNegativeNumber() {
  return {[](const std::string& text) {
            const auto value = finite(text);
            return value && *value >= 0 ? std::string() : text + " is not a number of 0 or more";
          },
          "AT LEAST 0"};
}

CLI::Validator someText() {
  return {[](const std::string& text) { return text.empty() ? std::string("the text is empty") : std::string(); }, ""};
}

// The parser alone would take 2^64 for 2^64 - 1, and 010 for 8.
void addSeedOption(CLI::App& command, std::uint64_t& seed, const std::string& help) {
  const auto take = [&seed](const std::string& text) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (error != std::errc() || end != text.data() + text.size())
      throw CLI::ValidationError("--seed", text + " is not a whole number from 0 to 2^64 - 1");
  };
  command.add_option_function<std::string>("--seed", take, help)->type_name("N");
}

namespace {

using Given = std::vector<std::pair<std::string, std::string>>;

std::string withCorrections(const std::string& input, const Given& given) {
  if (input.empty() || given.empty()) return input;
  Selection selection = parseSelection(input);
  try {
    for (const auto& [key, text] : given) static_cast<void>(takeCorrection(selection.correction, key, text));
  } catch (const Error& error) {
    throw CLI::ValidationError(error.what());
  }
  return selection.name();
}

void add(CLI::App& command, std::function<void(const Given&)> apply) {
  const auto given = std::make_shared<Given>();
  const auto option = [&](const std::string& key, const char* type, const char* help) {
    command
        .add_option_function<std::string>(
            "--" + key, [given, key](const std::string& text) { given->emplace_back(key, text); }, help)
        ->type_name(type);
  };
  option("raw", "EXTENTS,TYPE[,...]",
         "The data have no header: their layout, as 512x512x300,u16,be,components=3,offset=1024");
  option("spacing", "X[,Y,Z][UNIT]",
         "Correct the data: the edges of a voxel, as 0.1,0.1,0.5um; without a unit, in the data's unit");
  option("unit", "UNIT", "Correct the data: the unit of the file's lengths, as um");
  option("origin", "X,Y,Z[UNIT]", "Correct the data: the center of the first voxel");
  option("axes", "AXES",
         "Correct the data: the axes of the slices, the slowest first, with all extents but one: t3zyx, zc2yx, tyx");
  command.add_flag_callback(
      "--labels", [given] { given->emplace_back("labels", "yes"); }, "Correct the data: the values name regions");
  command.parse_complete_callback([given, apply = std::move(apply)] { apply(*given); });
}

}  // namespace

void addCorrectionOptions(CLI::App& command, std::vector<std::string>& inputs) {
  add(command, [&inputs](const Given& given) {
    for (std::string& input : inputs) input = withCorrections(input, given);
  });
}

void addCorrectionOptions(CLI::App& command, std::string& input) {
  add(command, [&input](const Given& given) { input = withCorrections(input, given); });
}

}  // namespace sscope::cli
