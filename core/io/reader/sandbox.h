#pragma once
// The sandbox that the reader program enters before it reads a file's content, so that a compromised decoder can do no
// harm.

#include <filesystem>
#include <vector>

namespace sscope::io {

// Which restrictions are active. Some need support: Landlock enabled in the kernel, and a processor whose system calls
// are listed here. Builds with sanitizers are not restricted, so that they can report.
struct Confinement {
  bool files = false;        // can open only the needed files, for reading (Landlock)
  bool systemCalls = false;  // only those that decoding needs (seccomp)
};

// Irreversible, for this process, which must have one thread.
void confine(const std::vector<std::filesystem::path>& needed);
[[nodiscard]] const Confinement& confinement();

// The two parts; false when the system does not support them.
[[nodiscard]] bool confineFiles(const std::vector<std::filesystem::path>& readable);
[[nodiscard]] bool confineSystemCalls();

}  // namespace sscope::io
