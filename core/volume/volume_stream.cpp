#include "core/volume/volume_stream.h"

#include <filesystem>

#include "core/base/memory.h"
#include "core/base/words.h"

namespace sscope {

std::unique_ptr<VolumeSource> VolumeIo::openSource(const std::string& path, const Control& /*control*/) {
  throw Error(ErrorKind::Unsupported, path + " cannot be read by slabs");
}

std::unique_ptr<VolumeSink> VolumeIo::openSink(const std::filesystem::path& path, const VolumeOutline& /*outline*/,
                                               const WriteOptions& /*options*/, const Control& /*control*/) {
  throw Error(ErrorKind::Unsupported, path.string() + " cannot be written by slabs");
}

std::int64_t allowedMemory(std::int64_t bound) { return bound > 0 ? bound : availableMemory() / 3 * 2; }

bool mayExceed(const VolumeIo& io, const std::string& path, double grown, std::int64_t memory) {
  constexpr double kDensest = 1032;  // the maximum compression ratio of deflate
  double bytes = 0;
  for (const std::filesystem::path& file : io.filesRead(path)) {
    std::error_code code;
    if (std::filesystem::is_directory(file, code))
      return true;  // a store: its size is in its description, which is read quickly
    const auto size = std::filesystem::file_size(file, code);
    if (!code) bytes += static_cast<double>(size);
  }
  return bytes * kDensest * grown > static_cast<double>(memory);
}

StreamableInput openStreamable(VolumeIo& io, const std::string& path, const Control& control) {
  StreamableInput input;
  try {
    input.source = io.openSource(path, control);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
    input.whyNot = error.what();
  }
  // The source has the description already; some decoders read the whole file for it.
  input.info = input.source ? input.source->info() : io.probe(path, control);
  return input;
}

Error tooLarge(const std::string& path, double bytes, std::int64_t memory, const std::string& whyNot) {
  return {ErrorKind::Memory, path + " and its results take " + bytesText(bytes) + " of memory, " +
                                 bytesText(static_cast<double>(memory)) + " are allowed: " + whyNot};
}

}  // namespace sscope
