#pragma once
// What options take, with sentences of our own where CLI11's would be long or would let something through.

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

namespace sscope::cli {

// Finite numbers above zero; of zero or more.
[[nodiscard]] CLI::Validator positiveNumber();
[[nodiscard]] CLI::Validator nonNegativeNumber();
// Text that is not empty.
[[nodiscard]] CLI::Validator someText();

// --seed, 0 to 2^64 - 1.
void addSeedOption(CLI::App& command, std::uint64_t& seed, const std::string& help);

}  // namespace sscope::cli
