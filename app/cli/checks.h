#pragma once
// What options take, with sentences of our own where CLI11's would be long or would let something through.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sscope::cli {

// Finite numbers; of zero or more.
[[nodiscard]] CLI::Validator finiteNumber();
[[nodiscard]] CLI::Validator nonNegativeNumber();
// Numbers, and whole ones, of this range: CLI11's own check lets NaN pass, and reads 010 as 8.
[[nodiscard]] CLI::Validator numberWithin(double least, double most);
[[nodiscard]] CLI::Validator wholeNumberWithin(std::int64_t least, std::int64_t most);
// Text that is not empty.
[[nodiscard]] CLI::Validator someText();

// --seed, 0 to 2^64 - 1.
void addSeedOption(CLI::App& command, std::uint64_t& seed, const std::string& help);

// What is asked of several whole numbers: how many, and how large each.
struct NumberList {
  std::string shown;  // X,Y,Z
  std::size_t fewest, most;
  std::int64_t least, largest;
};

// Throws CLI::ValidationError for a text that is not such a list, "6,7,8" or "6x7x8".
[[nodiscard]] std::vector<std::int64_t> numbersOf(const std::string& option, const std::string& text,
                                                  const NumberList& list);

// In one word: an option that takes several would take the input behind it for one of them.
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
