#pragma once
// Sources of kernels: the embedded files, and the definitions of a plan.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/workload/workload.h"
#include "gpu/device/device.h"

namespace sscope {

// The files of resources/kernels, embedded at build time.
struct KernelFile {
  std::string_view name;  // "filter_dense.kernel"
  std::string_view text;
};

[[nodiscard]] std::span<const KernelFile> kernelFiles();

// The complete source of one kernel: its definitions, the prelude of the language, its own files.
struct KernelSource {
  std::string entry;               // the function; its file is entry + ".kernel"
  std::vector<std::string> extra;  // files between prelude and kernel
  // Definitions for the preludes.
  Precision precision = Precision::f32;
  int vector = 1;  // VEC
  Grid group{};    // GROUP_X, GROUP_Y, GROUP_Z
  // Definitions for the kernel, in order: "#define first second".
  std::vector<std::pair<std::string, std::string>> definitions{};
  std::string text = {};        // the kernel's text, instead of its file
  std::string functions = {};   // generated functions that the kernel calls; inserted before it
  std::int64_t localBytes = 0;  // LaunchShape::localBytes of every launch; used by the first one

  void define(std::string name, std::string value) { definitions.emplace_back(std::move(name), std::move(value)); }
  void define(std::string name, std::int64_t value) { define(std::move(name), std::to_string(value)); }
};

[[nodiscard]] std::string kernelText(const KernelSource& source, const DeviceProperties& device);

// A hash of the texts of these kernels (file names without ".kernel") and of everything that kernels include. Throws
// Error(NotFound) for an unknown file.
[[nodiscard]] std::string kernelCode(std::span<const KernelFile> files, std::span<const std::string_view> kernels);

// A number that both languages parse exactly: a hexadecimal float, with the suffix f for f32.
[[nodiscard]] std::string kernelLiteral(double value, Precision precision);

}  // namespace sscope
