#include "core/options/option.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/volume/geometry.h"

namespace sscope {

namespace {

std::string number(double value) {
  char buffer[32];
  const auto [end, code] = std::to_chars(buffer, buffer + sizeof buffer, value);
  static_cast<void>(code);
  return {buffer, end};
}

[[noreturn]] void refuse(const Option& option, std::string_view text, const std::string& wanted) {
  throw Error(ErrorKind::Usage, option.name + "=" + std::string(text) + " is not valid", "give " + wanted);
}

std::string wanted(const Option& option) {
  switch (option.type) {
    case OptionType::Boolean: return "true or false";
    case OptionType::Choice: {
      if (option.choices.empty()) return "text";
      std::string list = "one of";
      for (const std::string& choice : option.choices) list += " " + choice;
      return list;
    }
    case OptionType::Integer: {
      const std::string range = " number from " + number(option.minimum) + " to " + number(option.maximum);
      if (option.step == 2) return (std::fmod(option.minimum, 2) == 0 ? "an even" : "an odd") + range;
      return "a whole" + range + (option.step > 1 ? " in steps of " + std::to_string(option.step) : "");
    }
    case OptionType::Length:
      return "a length from " + number(option.minimum) + " to " + number(option.maximum) +
             " voxels, or with a unit (nm um mm cm m) as 0.8mm";
    case OptionType::Real: break;
  }
  return "a number from " + number(option.minimum) + " to " + number(option.maximum);
}

template <class T>
std::optional<T> parseNumber(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  T value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Option realOption(std::string name, std::string label, double fallback, double minimum, double maximum,
                  std::string unit, std::string help) {
  return {std::move(name),
          std::move(label),
          OptionType::Real,
          fallback,
          minimum,
          maximum,
          minimum,
          maximum,
          false,
          std::move(unit),
          {},
          std::move(help)};
}

Option lengthOption(std::string name, std::string label, double fallback, double minimum, double maximum,
                    double sliderMaximum, std::string help) {
  return {std::move(name),
          std::move(label),
          OptionType::Length,
          Length{fallback, false},
          minimum,
          maximum,
          minimum,
          sliderMaximum,
          true,
          "voxels",
          {},
          std::move(help)};
}

Option integerOption(std::string name, std::string label, std::int64_t fallback, std::int64_t minimum,
                     std::int64_t maximum, std::string help) {
  const auto low = static_cast<double>(minimum);
  const auto high = static_cast<double>(maximum);
  return {std::move(name), std::move(label), OptionType::Integer, fallback, low, high, low, high, false, "", {},
          std::move(help)};
}

Option booleanOption(std::string name, std::string label, bool fallback, std::string help) {
  return {std::move(name), std::move(label), OptionType::Boolean, fallback, 0, 1, 0, 1, false, "", {}, std::move(help)};
}

Option choiceOption(std::string name, std::string label, std::vector<std::string> choices, std::string help) {
  const std::string first = choices.front();
  return {std::move(name),    std::move(label), OptionType::Choice, first, 0, 0, 0, 0, false, "",
          std::move(choices), std::move(help)};
}

Option textOption(std::string name, std::string label, std::string help) {
  return {std::move(name), std::move(label), OptionType::Choice, std::string(), 0, 0, 0, 0, false, "", {},
          std::move(help)};
}

OptionValue parseOption(const Option& option, std::string_view text) {
  OptionValue value;
  switch (option.type) {
    case OptionType::Boolean:
      if (text == "true" || text == "1" || text == "yes" || text == "on") {
        value = true;
      } else if (text == "false" || text == "0" || text == "no" || text == "off") {
        value = false;
      } else {
        refuse(option, text, wanted(option));
      }
      break;
    case OptionType::Choice: value = std::string(text); break;
    case OptionType::Integer: {
      const auto parsed = parseNumber<std::int64_t>(text);
      if (!parsed) refuse(option, text, wanted(option));
      value = *parsed;
      break;
    }
    case OptionType::Real: {
      const auto parsed = parseNumber<double>(text);
      if (!parsed) refuse(option, text, wanted(option));
      value = *parsed;
      break;
    }
    case OptionType::Length: {
      const std::size_t last = text.find_last_of("0123456789.");
      const std::string_view unit = last == std::string_view::npos ? std::string_view{} : text.substr(last + 1);
      const bool voxels = unit.empty() || unit == "vox";
      const auto parsed = parseNumber<double>(text.substr(0, text.size() - unit.size()));
      if (!parsed || (!voxels && !millimetersIn(unit))) refuse(option, text, wanted(option));
      // All lengths with a unit are kept in millimeters.
      value = voxels ? Length{*parsed, false} : Length{convertLength(*parsed, unit, "mm"), true, std::string(unit)};
      break;
    }
  }
  checkOption(option, value);
  return value;
}

std::string formatOption(const OptionValue& value) {
  struct Formatter {
    std::string operator()(double v) const { return number(v); }
    std::string operator()(std::int64_t v) const { return std::to_string(v); }
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(const std::string& v) const { return v; }
    std::string operator()(const Length& v) const { return number(v.value) + (v.millimeters ? "mm" : ""); }
  };
  return std::visit(Formatter{}, value);
}

std::string quoted(const OptionValue& value) {
  const auto* const length = std::get_if<Length>(&value);
  if (length == nullptr || length->typed.empty()) return formatOption(value);
  return number(convertLength(length->value, "mm", length->typed)) + length->typed;
}

OptionValue optionFromJson(const Option& option, const nlohmann::json& document) {
  if (document.is_string()) return parseOption(option, document.get<std::string>());
  OptionValue value;
  if (option.type == OptionType::Boolean && document.is_boolean()) {
    value = document.get<bool>();
  } else if (option.type == OptionType::Integer && document.is_number_integer() &&
             !(document.is_number_unsigned() && document.get<std::uint64_t>() > INT64_MAX)) {
    value = document.get<std::int64_t>();
  } else if (option.type == OptionType::Real && document.is_number()) {
    value = document.get<double>();
  } else if (option.type == OptionType::Length && document.is_number()) {
    value = Length{document.get<double>(), false};
  } else {
    refuse(option, document.dump(), wanted(option));
  }
  checkOption(option, value);
  return value;
}

nlohmann::json optionToJson(const OptionValue& value) {
  struct Converter {
    nlohmann::json operator()(double v) const { return v; }
    nlohmann::json operator()(std::int64_t v) const { return v; }
    nlohmann::json operator()(bool v) const { return v; }
    nlohmann::json operator()(const std::string& v) const { return v; }
    nlohmann::json operator()(const Length& v) const {
      if (v.millimeters) return formatOption(v);
      return v.value;
    }
  };
  return std::visit(Converter{}, value);
}

void checkOption(const Option& option, const OptionValue& value) {
  const auto inRange = [&](double v) { return std::isfinite(v) && v >= option.minimum && v <= option.maximum; };
  bool good = false;
  switch (option.type) {
    case OptionType::Real: good = std::holds_alternative<double>(value) && inRange(std::get<double>(value)); break;
    case OptionType::Integer:
      good = std::holds_alternative<std::int64_t>(value) &&
             inRange(static_cast<double>(std::get<std::int64_t>(value))) &&
             (std::get<std::int64_t>(value) - static_cast<std::int64_t>(option.minimum)) % option.step == 0;
      break;
    case OptionType::Boolean: good = std::holds_alternative<bool>(value); break;
    case OptionType::Choice:
      good = std::holds_alternative<std::string>(value) &&
             (option.choices.empty() || std::find(option.choices.begin(), option.choices.end(),
                                                  std::get<std::string>(value)) != option.choices.end());
      break;
    case OptionType::Length: {
      if (!std::holds_alternative<Length>(value)) break;
      const Length length = std::get<Length>(value);
      // Millimeters are checked again, in voxels, when the taps are made.
      good = length.millimeters ? std::isfinite(length.value) && length.value >= 0 && length.value < 1e6
                                : inRange(length.value);
      break;
    }
  }
  if (!good) refuse(option, quoted(value), wanted(option));
}

const Option* findOption(std::span<const Option> options, std::string_view name) {
  const auto found = std::find_if(options.begin(), options.end(), [&](const Option& o) { return o.name == name; });
  return found == options.end() ? nullptr : &*found;
}

OptionValues completeOptions(std::span<const Option> options, const OptionValues& given) {
  OptionValues values;
  for (const Option& option : options) values.emplace(option.name, option.fallback);
  for (const auto& [name, value] : given) {
    const Option* option = findOption(options, name);
    if (option == nullptr) {
      std::string known;
      for (const Option& o : options) known += (known.empty() ? "" : ", ") + o.name;
      throw Error(ErrorKind::Usage, "there is no parameter " + name,
                  known.empty() ? "it takes none" : "use one of " + known);
    }
    checkOption(*option, value);
    values[name] = value;
  }
  return values;
}

std::int64_t integerOf(const OptionValues& values, std::string_view name) {
  return std::get<std::int64_t>(values.find(name)->second);
}

double realOf(const OptionValues& values, std::string_view name) { return std::get<double>(values.find(name)->second); }

const std::string& textOf(const OptionValues& values, std::string_view name) {
  return std::get<std::string>(values.find(name)->second);
}

}  // namespace sscope
