#pragma once
// Options are declared once, as data; the window's controls, the command line, JSON and help texts come from them.

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

// A length in voxels, or in millimeters, which are divided by the spacing along each axis.
struct Length {
  double value = 0;
  bool millimeters = false;
  std::string typed{};  // the unit as it was typed, for messages; empty: that of `millimeters`
  bool operator==(const Length& other) const { return value == other.value && millimeters == other.millimeters; }
};

using OptionValue = std::variant<double, std::int64_t, bool, std::string, Length>;
using OptionValues = std::map<std::string, OptionValue, std::less<>>;

enum class OptionType : std::uint8_t { Real, Integer, Boolean, Choice, Length };

struct Option {
  std::string name;   // on the command line and in JSON: "sigma"
  std::string label;  // beside the control: "Sigma"
  OptionType type = OptionType::Real;
  OptionValue fallback;                         // the default
  double minimum = 0, maximum = 0;              // accepted range, inclusive (Real, Integer, Length in voxels)
  double sliderMinimum = 0, sliderMaximum = 0;  // range of the slider, within the accepted one
  bool logarithmic = false;                     // scale of the slider
  std::string unit;                             // "voxels", "%" or empty
  std::vector<std::string> choices;             // of a Choice; empty: any text is accepted
  std::string help;                             // one sentence
  std::int64_t step = 1;                        // of an Integer: minimum, minimum + step, ... are accepted
};

// Each declares an option in one line. The range is inclusive.
[[nodiscard]] Option realOption(std::string name, std::string label, double fallback, double minimum, double maximum,
                                std::string unit, std::string help);
[[nodiscard]] Option lengthOption(std::string name, std::string label, double fallback, double minimum, double maximum,
                                  double sliderMaximum, std::string help);
[[nodiscard]] Option integerOption(std::string name, std::string label, std::int64_t fallback, std::int64_t minimum,
                                   std::int64_t maximum, std::string help);
[[nodiscard]] Option booleanOption(std::string name, std::string label, bool fallback, std::string help);
[[nodiscard]] Option choiceOption(std::string name, std::string label, std::vector<std::string> choices,
                                  std::string help);
// A Choice that accepts any text, such as a file name; the default is empty.
[[nodiscard]] Option textOption(std::string name, std::string label, std::string help);

// Parses "1.5", "0.8mm", "true" or "x". Throws Error(Usage), naming the option, the text and the accepted values.
[[nodiscard]] OptionValue parseOption(const Option& option, std::string_view text);
// The inverse of parseOption.
[[nodiscard]] std::string formatOption(const OptionValue& value);
// The same for messages: a length in the unit that it was given in.
[[nodiscard]] std::string quoted(const OptionValue& value);
// From and to JSON numbers, booleans and strings; a Length in millimeters is the string "0.8mm". optionFromJson throws
// Error(Usage) as checkOption does.
[[nodiscard]] OptionValue optionFromJson(const Option& option, const nlohmann::json& json);
[[nodiscard]] nlohmann::json optionToJson(const OptionValue& value);
// Throws Error(Usage) if the value has the wrong type or is out of range.
void checkOption(const Option& option, const OptionValue& value);

// Null if there is none of this name.
[[nodiscard]] const Option* findOption(std::span<const Option> options, std::string_view name);
// The values of all options: those in `given`, else the defaults. Throws Error(Usage) for unknown names and as
// checkOption does.
[[nodiscard]] OptionValues completeOptions(std::span<const Option> options, const OptionValues& given);
// Values by name, which must exist and have this type, as in the result of completeOptions.
[[nodiscard]] std::int64_t integerOf(const OptionValues& values, std::string_view name);
[[nodiscard]] double realOf(const OptionValues& values, std::string_view name);
[[nodiscard]] const std::string& textOf(const OptionValues& values, std::string_view name);

}  // namespace sscope
