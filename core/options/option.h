#pragma once
// Options are declared once, as data, and feed the sliders, the command line, JSON and the documentation.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace sscope {

// A length in voxels, or in millimeters to be divided by each axis' spacing.
struct Length {
  double value = 0;
  bool millimeters = false;
  bool operator==(const Length&) const = default;
};

using OptionValue = std::variant<double, std::int64_t, bool, std::string, Length>;
using OptionValues = std::map<std::string, OptionValue, std::less<>>;

enum class OptionType : std::uint8_t { Real, Integer, Boolean, Choice, Length };

struct Option {
  std::string name;   // as on the command line and in JSON: "sigma"
  std::string label;  // as beside the slider: "Sigma"
  OptionType type = OptionType::Real;
  OptionValue fallback;                         // the default
  double minimum = 0, maximum = 0;              // accepted range, inclusive (Real, Integer, Length in voxels)
  double sliderMinimum = 0, sliderMaximum = 0;  // the range of the slider, inside the accepted one
  bool logarithmic = false;                     // the slider's scale
  std::string unit;                             // "voxels", "%", "" ...
  std::vector<std::string> choices;             // of a Choice; none: any text will do
  std::string help;                             // one sentence
  std::int64_t step = 1;                        // of an Integer: minimum, minimum + step, ... are accepted
};

// Declarations in a readable line each.
[[nodiscard]] Option realOption(std::string name, std::string label, double fallback, double minimum, double maximum,
                                std::string unit, std::string help);
[[nodiscard]] Option lengthOption(std::string name, std::string label, double fallback, double minimum, double maximum,
                                  double sliderMaximum, std::string help);
[[nodiscard]] Option integerOption(std::string name, std::string label, std::int64_t fallback, std::int64_t minimum,
                                   std::int64_t maximum, std::string help);
[[nodiscard]] Option booleanOption(std::string name, std::string label, bool fallback, std::string help);
[[nodiscard]] Option choiceOption(std::string name, std::string label, std::vector<std::string> choices,
                                  std::string help);
// Any text, such as the name of a file; empty by default.
[[nodiscard]] Option textOption(std::string name, std::string label, std::string help);

// Text ("1.5", "0.8mm", "true", "x") to a value within range; throws Error(Usage) naming option, value and range.
[[nodiscard]] OptionValue parseOption(const Option& option, std::string_view text);
// The inverse of parseOption.
[[nodiscard]] std::string formatOption(const OptionValue& value);
// JSON numbers, booleans, strings; a Length in millimeters is the string "0.8mm".
[[nodiscard]] OptionValue optionFromJson(const Option& option, const nlohmann::json& json);
[[nodiscard]] nlohmann::json optionToJson(const OptionValue& value);
// Throws Error(Usage) when the value has the wrong type or lies outside the accepted range.
void checkOption(const Option& option, const OptionValue& value);

[[nodiscard]] const Option* findOption(std::span<const Option> options, std::string_view name);
// All options with their defaults, overridden by `given`; throws Error(Usage) for unknown names.
[[nodiscard]] OptionValues completeOptions(std::span<const Option> options, const OptionValues& given);
// Values by name; they must be there (completeOptions sees to it).
[[nodiscard]] std::int64_t integerOf(const OptionValues& values, std::string_view name);
[[nodiscard]] double realOf(const OptionValues& values, std::string_view name);
[[nodiscard]] const std::string& textOf(const OptionValues& values, std::string_view name);

}  // namespace sscope
