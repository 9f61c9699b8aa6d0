#pragma once
// Options that sscope and the window share.

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace sscope::cli {

// Throws CLI::ValidationError where an option that names a file was given without a name, as by a script's variable
// that is not set: what was asked for would be done and written nowhere. Options are known by the name --output, or
// FILE, OUT, CAPSULE or .json in the name of their type. Of the command that was chosen, too.
void requireFileNames(const CLI::App& app);

}  // namespace sscope::cli

namespace CLI {}

namespace sscope::cli {

// --memory SIZE.

// "2G", "1.5GiB", "512M", "100K" or bytes; the units are powers of 1024.
void addMemoryOption(CLI::App& command, std::int64_t& bytes, const std::string& help);

}  // namespace sscope::cli
