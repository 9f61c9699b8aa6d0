#include "gpu/device/kernel_source.h"

#include <cstdio>

#include "core/base/encoding.h"
#include "core/base/error.h"

namespace sscope {

namespace {

std::string_view textOf(std::span<const KernelFile> files, std::string_view name) {
  for (const KernelFile& file : files)
    if (file.name == name) return file.text;
  throw Error(ErrorKind::NotFound, "there is no kernel file " + std::string(name), "rebuild the program");
}

std::string_view fileText(std::string_view name) { return textOf(kernelFiles(), name); }

}  // namespace

std::string kernelText(const KernelSource& source, const DeviceProperties& device) {
  const bool wide = source.precision == Precision::f64;
  std::string text;
  const auto define = [&](std::string_view name, const std::string& value) {
    text.append("#define ").append(name).append(" ").append(value).append("\n");
  };
  define("REAL", wide ? "f64" : "f32");
  define("REAL_BUILTIN", wide ? "double" : "float");
  define("VEC", std::to_string(source.vector));
  define("GROUP_X", std::to_string(source.group[0]));
  define("GROUP_Y", std::to_string(source.group[1]));
  define("GROUP_Z", std::to_string(source.group[2]));
  define("FP64", device.fp64 ? "1" : "0");
  define("FUSED", wide || device.fusedF32 ? "1" : "0");
  for (const auto& [name, value] : source.definitions) define(name, value);
  text += fileText(device.language == KernelLanguage::CudaCpp ? "prelude_cuda.h" : "prelude_opencl.h");
  for (const std::string& file : source.extra) text += fileText(file);
  text += source.functions;
  text += source.text.empty() ? fileText(source.entry + ".kernel") : source.text;
  return text;
}

std::string kernelCode(std::span<const KernelFile> files, std::span<const std::string_view> kernels) {
  std::string text;
  for (const KernelFile& file : files)
    if (file.name.ends_with(".h")) text.append(file.name).append("\n").append(file.text);
  for (const std::string_view kernel : kernels) text += textOf(files, std::string(kernel) + ".kernel");
  return hashName(text);
}

std::string kernelLiteral(double value, Precision precision) {
  char text[64];
  if (precision == Precision::f64) {
    std::snprintf(text, sizeof text, "%a", value);
    return text;
  }
  std::snprintf(text, sizeof text, "%af", static_cast<double>(static_cast<float>(value)));
  return text;
}

}  // namespace sscope
