#include "core/io/stream/slice_source.h"

#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/base/paths.h"
#include "core/io/base/file_error.h"
#include "core/io/base/formats.h"
#include "core/io/base/slices.h"
#include "core/io/base/sniff.h"
#include "core/io/stream/reader_process.h"
#include "core/volume/selection.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

// The pattern that the path of a selection stands for; empty: none.
std::string patternOf(const std::string& path) {
  std::error_code code;
  if (isStoreFolder(path)) return {};
  if (fs::is_directory(path, code)) return picturesOf(path);
  return isSlicePattern(path) ? path : std::string();
}

class SliceSource final : public VolumeSource {
 public:
  SliceSource(fs::path program, std::string name, std::vector<fs::path> files, VolumeInfo info)
      : program_(std::move(program)), name_(std::move(name)), files_(std::move(files)), info_(std::move(info)) {}

  [[nodiscard]] const VolumeInfo& info() const override { return info_; }
  [[nodiscard]] bool anyOrder() const override { return true; }

  void read(std::int64_t begin, std::int64_t end, std::span<std::byte> voxels, const Control& control) override {
    const VolumeShape slice{info_.shape.nx, info_.shape.ny, 1, info_.shape.components};
    const auto bytes = static_cast<std::size_t>(slice.elements()) * sscope::bytesOf(info_.type);
    if (begin < 0 || end < begin || end > info_.shape.nz ||
        voxels.size() != static_cast<std::size_t>(end - begin) * bytes)
      throw std::logic_error("planes that a volume does not have, or no room for them");
    for (std::int64_t plane = begin; plane < end; ++plane) {
      const fs::path& file = files_[static_cast<std::size_t>(plane)];
      const LoadedVolume read = readInProcess(program_, file.string(), false, {}, {control.stop, {}});
      if (read.volume.shape() != slice || read.volume.type() != info_.type)
        throw cannotRead(ErrorKind::BadData, name_,
                         file.filename().string() + " is " + read.volume.shape().text() + " " +
                             std::string(toString(read.volume.type())) + " and the first slice is " + slice.text() +
                             " " + std::string(toString(info_.type)),
                         "give a pattern whose files agree");
      std::memcpy(voxels.data() + static_cast<std::size_t>(plane - begin) * bytes, read.volume.data(), bytes);
    }
  }

 private:
  fs::path program_;
  std::string name_;
  std::vector<fs::path> files_;
  VolumeInfo info_;
};

}  // namespace

bool namesPictures(const std::string& name) {
  try {
    const std::string pattern = patternOf(parseSelection(name).path);
    return !pattern.empty() && sniffFormat(filesOfPattern(pattern).front().string()) != FormatId::dicom;
  } catch (const Error&) {
    return false;
  }
}

std::unique_ptr<VolumeSource> openSlices(const fs::path& program, const std::string& name, const Control& control) {
  const Selection selection = parseSelection(name);
  if (selection.some() || selection.series != 0 || !selection.correction.axes.empty())
    throw notBySlabs(name, "frames, channels and series of pictures are chosen from all of them");
  std::vector<fs::path> files = filesOfPattern(patternOf(selection.path));
  VolumeInfo info = readInProcess(program, name, true, {}, control).info;
  // A single picture has its rows as planes.
  if (info.shape.nz != static_cast<std::int64_t>(files.size()) || files.size() < 2)
    throw notBySlabs(name, "its files are not one slice each");
  return std::make_unique<SliceSource>(program, name, std::move(files), std::move(info));
}

}  // namespace sscope::io
