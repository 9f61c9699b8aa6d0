#pragma once
// What the reader program gives up before it looks at a file's content: should a decoder be taken over, there is
// nothing to be had from it.

#include <filesystem>
#include <vector>

namespace sscope::io {

// What was given up. The system may offer less: a kernel without Landlock or where it is not enabled, a processor whose
// system calls are not listed here; builds with sanitizers keep everything, for their reports.
struct Confinement {
  bool files = false;        // opens for reading what was needed, and nothing else (Landlock)
  bool systemCalls = false;  // none but those that decoding needs (seccomp)
};

// For good, and for this process alone; it must have one thread.
void confine(const std::vector<std::filesystem::path>& needed);
[[nodiscard]] const Confinement& confinement();

// The parts; false where the system does not offer them.
[[nodiscard]] bool confineFiles(const std::vector<std::filesystem::path>& readable);
[[nodiscard]] bool confineSystemCalls();

}  // namespace sscope::io
