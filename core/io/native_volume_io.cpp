// The VolumeIo of the build without ITK: nrrd and raw+json, decoded in this process by our own code.

#include "core/base/paths.h"
#include "core/io/file_error.h"
#include "core/io/formats.h"
#include "core/io/read_any.h"
#include "core/io/volume_io.h"
#include "core/io/write_any.h"
#include "core/job/filter_job.h"

namespace sscope {

namespace {

class NativeVolumeIo : public VolumeIo {
 public:
  LoadedVolume read(const std::string& path, const Control& control) override {
    Volume volume;
    VolumeInfo info = io::readAny(
        path,
        [&](const VolumeInfo& claimed) {
          io::requireMemory(path, io::claimedBytes(claimed), static_cast<double>(availableMemory()));
          volume = Volume(claimed.shape, claimed.type, claimed.geometry);
          return volume.data();
        },
        control);
    io::noteNonFinite(info, volume.data(), control);
    return {std::move(volume), std::move(info)};
  }
  VolumeInfo probe(const std::string& path, const Control& control) override {
    return io::readAny(
        path,
        [&](const VolumeInfo& claimed) {
          io::requireMemory(path, io::claimedBytes(claimed), 0);
          return nullptr;
        },
        control);
  }
  void write(const std::filesystem::path& path, const Volume& volume, const Control& control) override {
    io::writeAny(path, volume, control);
  }
  std::vector<FileFormat> formats() const override { return io::describeFormats(); }
  void checkWritable(const std::filesystem::path& path, const VolumeShape& shape, ElementType type) const override {
    static_cast<void>(io::requireWritable(path, shape, type));
  }
};

}  // namespace

std::unique_ptr<VolumeIo> makeVolumeIo(std::filesystem::path /*readerProgram*/) {
  return std::make_unique<NativeVolumeIo>();
}

}  // namespace sscope
