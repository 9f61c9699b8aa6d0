#pragma once
// The stored form of a compiled OpenCL program: the registers per work item, then the driver's binary. OpenCL has no
// query for registers. NVIDIA's compiler writes them to its log, but the log is empty for programs loaded from a binary
// or from the driver's cache.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sscope {

// "Used 40 registers" in the log of a program with one kernel, as written with -cl-nv-verbose; 0 if missing.
[[nodiscard]] int reportedRegisters(const std::string& log);

struct OpenClBinary {
  int registers = 0;  // 0: unknown
  std::span<const std::byte> driver;
};

[[nodiscard]] std::vector<std::byte> packed(const OpenClBinary& binary);
// A view into `bytes`; empty unless they were made by packed().
[[nodiscard]] std::optional<OpenClBinary> unpacked(std::span<const std::byte> bytes);

}  // namespace sscope
