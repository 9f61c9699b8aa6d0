#pragma once
// The complete source of one kernel: its definitions, the prelude of the language, its own files.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/workload/workload.h"
#include "gpu/device/device.h"
#include "gpu/device/kernel_files.h"

namespace sscope {

struct KernelSource {
  std::string entry;               // the function; its file is entry + ".kernel"
  std::vector<std::string> extra;  // files between prelude and kernel
  // What the preludes need.
  Precision precision = Precision::f32;
  int vector = 1;  // VEC
  Grid group{};    // GROUP_X, GROUP_Y, GROUP_Z
  // What the kernel needs, in order: "#define first second".
  std::vector<std::pair<std::string, std::string>> definitions{};
  std::string text = {};        // the kernel itself, instead of its file
  std::int64_t localBytes = 0;  // LaunchShape::localBytes of every launch; needed for the first one

  void define(std::string name, std::string value) { definitions.emplace_back(std::move(name), std::move(value)); }
  void define(std::string name, std::int64_t value) { define(std::move(name), std::to_string(value)); }
};

[[nodiscard]] std::string kernelText(const KernelSource& source, const DeviceProperties& device);

// Stands for the texts of these kernels, given by the names of their files without ".kernel", and of everything that
// kernels include: it changes when one of them does. Throws Error(NotFound) for a file that is not there.
[[nodiscard]] std::string kernelCode(std::span<const KernelFile> files, std::span<const std::string_view> kernels);

// A number both languages read back to the last bit: hexadecimal floats, with the suffix f for f32.
[[nodiscard]] std::string kernelLiteral(double value, Precision precision);

}  // namespace sscope
