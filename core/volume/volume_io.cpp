#include "core/volume/volume_io.h"

#include "core/volume/volume_stream.h"

namespace sscope {

std::unique_ptr<VolumeSource> VolumeIo::openSource(const std::string& path, const Control& /*control*/) {
  throw Error(ErrorKind::Unsupported, path + " cannot be read by slabs");
}

std::unique_ptr<VolumeSink> VolumeIo::openSink(const std::filesystem::path& path, const VolumeOutline& /*outline*/,
                                               const WriteOptions& /*options*/, const Control& /*control*/) {
  throw Error(ErrorKind::Unsupported, path.string() + " cannot be written by slabs");
}

}  // namespace sscope
