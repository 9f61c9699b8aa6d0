#include "core/io/any/slices.h"

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "core/io/base/file_error.h"
#include "core/io/base/file_names.h"
#include "core/io/planes/read_planes.h"
#include "core/volume/geometry.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

std::string sizeText(const VolumeInfo& info) { return info.shape.text() + " " + std::string(toString(info.type)); }

LocatedVolume locateSlice(const fs::path& file, const LocateFile& locateFile) {
  Selection selection;
  selection.path = file.string();
  return locateFile(selection, std::make_shared<const InputFile>(selection.path));
}

}  // namespace

LocatedVolume locateSlices(const std::string& pattern, const std::string& shown, const LocateFile& locateFile,
                           const Control& control) {
  const std::vector<fs::path> files = filesOfPattern(pattern);
  const auto nowhere = [](const VolumeInfo&) -> std::byte* { return nullptr; };
  const VolumeInfo first = readWhole(locateSlice(files.front(), locateFile), files.front().string(), nowhere, control);
  if (first.shape.nz != 1)
    throw cannotRead(ErrorKind::Unsupported, pattern, files.front().filename().string() + " is a volume, not a slice",
                     "open it by its own name");
  VolumeInfo info = first;
  info.shape.nz = static_cast<std::int64_t>(files.size());
  info.metadata.provenance.clear();
  info.format = std::string(first.format) + " slices (" + std::to_string(files.size()) + ")";
  if (files.size() > 1) {
    info.geometry.steps[2] = StepSource::Assumed;
    info.geometry.spacing[2] = 1;
    const std::string assumed = assumedNotice(info.geometry, {info.shape.nx, info.shape.ny, info.shape.nz});
    info.notices.push_back(assumed.empty() ? "the gap between the slices is not known; 1 is used" : assumed);
  }
  const auto decode = [pattern, files, first, locateFile](std::int64_t begin, std::int64_t end,
                                                          std::span<std::byte> out, const Control& stop) {
    const auto bytes = static_cast<std::size_t>(claimedBytes(first));
    const bool rows = files.size() == 1;  // the planes of a single picture
    for (std::int64_t z = rows ? 0 : begin; z < (rows ? 1 : end); ++z) {
      stop.check();
      const fs::path& file = files[static_cast<std::size_t>(z)];
      const auto place = [&](const VolumeInfo& slice) -> std::byte* {
        if (slice.shape != first.shape || slice.type != first.type)
          throw cannotRead(
              ErrorKind::BadData, pattern,
              file.filename().string() + " is " + sizeText(slice) + " and the first slice is " + sizeText(first),
              "give a pattern whose files agree");
        return out.data() + static_cast<std::size_t>(z - (rows ? 0 : begin)) * bytes;
      };
      static_cast<void>(readWhole(locateSlice(file, locateFile), file.string(), place, {stop.stop, {}}));
      stop.report(static_cast<double>(z + 1) / static_cast<double>(files.size()), "reading");
    }
  };
  LocatedVolume located = decodedVolume(shown, std::move(info), storedAs(first.type), decode);
  if (files.size() == 1) located.onlyWhole = "its files are not one slice each";
  return located;
}

}  // namespace sscope::io
