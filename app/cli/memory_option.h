#pragma once
// --memory SIZE.

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace sscope::cli {

// "2G", "1.5GiB", "512M", "100K" or bytes; the units are powers of 1024.
void addMemoryOption(CLI::App& command, std::int64_t& bytes, const std::string& help);

}  // namespace sscope::cli
