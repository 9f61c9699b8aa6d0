#pragma once
// Options that sscope and the window share.

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace sscope::cli {

// Throws CLI::ValidationError if an option that names a file has an empty name, as from an unset variable of a script:
// the result would be written nowhere. These options have the name --output, or FILE, OUT, CAPSULE or .json in the name
// of their type. Checks the chosen command, too.
void requireFileNames(const CLI::App& app);

}  // namespace sscope::cli

namespace CLI {}

namespace sscope::cli {

// --memory SIZE.

// "2G", "1.5GiB", "512M", "100K" or bytes; the units are powers of 1024.
void addMemoryOption(CLI::App& command, std::int64_t& bytes, const std::string& help);

}  // namespace sscope::cli
