#pragma once
// What is kept of a compiled OpenCL program: the driver's binary and, before it, the registers that a work item takes.
// OpenCL has no question for registers. NVIDIA's compiler tells them in its log, but only when it compiles: a program
// that comes from a binary or from the driver's own cache has an empty log.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sscope {

// "Used 40 registers" in the log of a program with one kernel, as -cl-nv-verbose makes it; 0 when nothing is said.
[[nodiscard]] int toldRegisters(const std::string& log);

struct OpenClBinary {
  int registers = 0;  // 0: unknown
  std::span<const std::byte> driver;
};

[[nodiscard]] std::vector<std::byte> packed(const OpenClBinary& binary);
// A view into `bytes`; nothing when they are not what packed() makes.
[[nodiscard]] std::optional<OpenClBinary> unpacked(std::span<const std::byte> bytes);

}  // namespace sscope
