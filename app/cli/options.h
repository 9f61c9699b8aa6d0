#pragma once
// Options that several commands share, and validators where CLI11's have long messages or accept too much.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sscope::cli {

// Finite numbers; the same, of at least zero.
[[nodiscard]] CLI::Validator finiteNumber();
[[nodiscard]] CLI::Validator nonNegativeNumber();
// Numbers, and whole ones, of this range: CLI11's own check lets NaN pass, and reads 010 as 8.
[[nodiscard]] CLI::Validator numberWithin(double least, double most);
[[nodiscard]] CLI::Validator wholeNumberWithin(std::int64_t least, std::int64_t most);
// Nonempty text.
[[nodiscard]] CLI::Validator someText();

// --seed, 0 to 2^64 - 1.
void addSeedOption(CLI::App& command, std::uint64_t& seed, const std::string& help);

// Requirements for a list of whole numbers: how many, and their range.
struct NumberList {
  std::string shown;  // X,Y,Z
  std::size_t fewest, most;
  std::int64_t least, largest;
};

// Parses "6,7,8" or "6x7x8". Throws CLI::ValidationError for anything else.
[[nodiscard]] std::vector<std::int64_t> numbersOf(const std::string& option, const std::string& text,
                                                  const NumberList& list);

// The list is a single argument, because an option with several would also take the input that follows it.
template <class Integer>
CLI::Option* addNumbersOption(CLI::App& command, const std::string& name, std::vector<Integer>& numbers,
                              const NumberList& list, const std::string& help) {
  const auto take = [&numbers, name, list](const std::string& text) {
    const std::vector<std::int64_t> given = numbersOf(name, text, list);
    numbers.assign(given.begin(), given.end());
  };
  return command.add_option_function<std::string>(name, take, help)->type_name(list.shown);
}

}  // namespace sscope::cli

namespace CLI {
class App;
}

namespace sscope::cli {

// --raw, --spacing, --unit, --origin, --axes and --labels: corrections of wrong or missing information in a file.

// Adds the options to a command that reads data. Once it is parsed the corrections are part of the names of its inputs,
// as in "stack.tif@spacing=0.1x0.1x0.5um" (core/volume/correction.h); empty names stay empty. The names live as long as
// the command. Then throws CLI::ValidationError for invalid corrections, and for those that a name already has.
void addCorrectionOptions(CLI::App& command, std::vector<std::string>& inputs);
void addCorrectionOptions(CLI::App& command, std::string& input);

}  // namespace sscope::cli
