#include "core/io/itk/dicom_series.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <utility>

#include "core/base/words.h"
#include "core/io/base/convert.h"
#include "core/io/base/decoder.h"
#include "core/io/base/file_error.h"
#include "core/io/base/file_names.h"
#include "core/io/base/formats.h"
#include "core/io/base/selection.h"
#include "core/io/itk/dicom_pixels.h"
#include "core/io/itk/dicom_scan.h"
#include "core/io/itk/dicom_stack.h"

namespace sscope::io {

namespace {

// Takes the spacing in the plane, the modality, the window and the notices of the frames.
void takeDescription(const std::vector<DicomFrame>& frames, VolumeInfo& info) {
  Geometry& g = info.geometry;
  const DicomFrame& first = frames.front();
  if (first.spacing) {
    g.spacing[0] = (*first.spacing)[1];
    g.spacing[1] = (*first.spacing)[0];
  } else {
    g.steps[0] = g.steps[1] = StepSource::Assumed;
    if (!first.position) g.unit = "";  // the file gives no lengths
  }
  const DicomFrame& middle = frames[frames.size() / 2];  // views show it first
  info.modality = middle.modality;
  info.window = middle.window;
  info.metadata.valueUnit = first.unit;
  info.notices.insert(info.notices.end(), first.notices.begin(), first.notices.end());
}

// One type for all frames: theirs when they agree, else f64, which holds every scaled value.
ElementType commonType(const std::vector<DicomFrame>& frames, const DicomPixels& first, VolumeInfo& info) {
  const ElementType type = first.typeOf(frames.front().scale);
  bool scaledAlike = true, same = true;
  for (const DicomFrame& frame : frames) {
    const bool stored = frame.format == frames.front().format;
    scaledAlike = scaledAlike && stored && frame.scale.slope == frames.front().scale.slope &&
                  frame.scale.intercept == frames.front().scale.intercept;
    if (same) same = (stored ? first.typeOf(frame.scale) : DicomPixels(frame.file).typeOf(frame.scale)) == type;
  }
  if (!scaledAlike) info.notices.emplace_back("the slices are scaled differently; each is held in its own scale");
  return same ? type : ElementType::f64;
}

struct DicomVolume {
  VolumeInfo info;
  DicomStack stack;
  int samples = 1;
};

DicomVolume volumeOf(const DicomSeries& series, const std::string& shown, VolumeInfo before) {
  DicomVolume volume;
  VolumeInfo& info = volume.info = std::move(before);
  info.shape.nz = 1;
  volume.stack = stackDicom(series.frames, shown, info);
  const DicomStack& stack = volume.stack;
  const DicomPixels first(stack.frames.front().file);
  volume.samples = first.samples();
  info.shape.nx = first.width();
  info.shape.ny = first.height();
  info.shape.components = static_cast<int>(stack.times) * volume.samples;
  takeDescription(stack.frames, info);
  if (first.whiteIsSmall())
    info.notices.emplace_back("small values mean white in this file (MONOCHROME1); values are kept as stored");
  info.type = commonType(stack.frames, first, info);
  requireMemory(shown, claimedBytes(info), 0);
  repairGeometry(info);
  return volume;
}

// Decodes one file and puts the wanted frames to their places. `out` holds the places from `begin` on.
class Placer {
 public:
  Placer(const DicomVolume& volume, std::string shown, std::size_t begin, std::span<std::byte> out)
      : volume_(volume), shown_(std::move(shown)), begin_(begin), out_(out) {}

  // `wanted`: numbers of frames of the stack, all in one file.
  void file(std::span<const std::size_t> wanted) const {
    const VolumeShape& shape = volume_.info.shape;
    const DicomFrame& any = volume_.stack.frames[wanted.front()];
    DicomPixels pixels(any.file);
    if (pixels.width() != shape.nx || pixels.height() != shape.ny || pixels.samples() != volume_.samples)
      throw damaged(shown_, "its slices differ in size");
    if (pixels.frames() < static_cast<std::int64_t>(any.of))
      throw damaged(shown_, "it holds fewer frames than its header states");
    const std::vector<std::byte> all = pixels.decode();
    for (const std::size_t n : wanted) {
      const DicomFrame& frame = volume_.stack.frames[n];
      one(std::span(all).subspan(frame.index * pixels.frameBytes(), pixels.frameBytes()), pixels.stored(), frame.scale,
          n);
    }
  }

 private:
  void one(std::span<const std::byte> stored, Stored type, const Scale& scale, std::size_t n) const {
    const VolumeShape& shape = volume_.info.shape;
    const ElementType to = volume_.info.type;
    const std::size_t times = volume_.stack.times, each = bytesOf(to) * static_cast<std::size_t>(volume_.samples);
    const auto count = static_cast<std::size_t>(shape.nx * shape.ny);
    std::byte* const plane = out_.data() + (n / times - begin_) * count * each * times;
    if (times == 1) return convert(type, stored, to, plane, scale);
    std::vector<std::byte> converted(count * each);
    convert(type, stored, to, converted.data(), scale);
    for (std::size_t v = 0; v < count; ++v)
      std::memcpy(plane + (v * times + n % times) * each, converted.data() + v * each, each);
  }

  const DicomVolume& volume_;
  std::string shown_;
  std::size_t begin_;
  std::span<std::byte> out_;
};

// Planes are places of the stack; a file of several frames is decoded once for those of its frames that are wanted.
LocatedVolume located(DicomVolume volume, const std::string& shown) {
  const auto& frames = volume.stack.frames;
  const bool several = std::any_of(frames.begin(), frames.end(), [](const DicomFrame& f) { return f.of > 1; });
  const std::string onlyWhole = volume.stack.places == 1 ? "its series is one slice"
                                : several                ? "its files hold several frames"
                                                         : "";
  const auto shared = std::make_shared<const DicomVolume>(std::move(volume));
  const auto decode = [shared, shown](std::int64_t begin, std::int64_t end, std::span<std::byte> out,
                                      const Control& control) {
    // The rows of a single slice are its planes, and all are read.
    const bool rows = shared->stack.places == 1;
    const auto first = rows ? 0 : static_cast<std::size_t>(begin), last = rows ? 1 : static_cast<std::size_t>(end);
    const std::size_t times = shared->stack.times;
    const Placer placer(*shared, shown, first, out);
    std::map<std::string, std::vector<std::size_t>> files;
    for (std::size_t n = first * times; n < last * times; ++n) files[shared->stack.frames[n].file].push_back(n);
    std::size_t done = 0;
    for (const auto& [file, wanted] : files) {
      control.check();
      placer.file(wanted);
      control.report(static_cast<double>(++done) / static_cast<double>(files.size()), "reading");
    }
  };
  LocatedVolume result = decodedVolume(shown, shared->info, storedAs(shared->info.type), decode);
  result.onlyWhole = onlyWhole;
  return result;
}

std::vector<FilePart> partsOfSeries(const std::vector<DicomSeries>& all) {
  std::vector<FilePart> parts;
  for (const DicomSeries& series : all) {
    const DicomFrame& first = series.frames.front();
    FilePart part{"@series=" + std::to_string(parts.size() + 1),
                  printable(series.description),
                  {first.size[0], first.size[1], static_cast<std::int64_t>(series.frames.size())},
                  printable(first.stored),
                  parts.empty()};
    parts.push_back(std::move(part));
  }
  return parts;
}

DicomSeries chosen(const DicomInput& input, std::vector<DicomSeries> all, VolumeInfo& info) {
  if (all.empty())
    throw cannotRead(ErrorKind::NotFound, input.shown, input.what + " no DICOM images",
                     "name a file, or a pattern of slices such as slice_*.png");
  // The parts are described only where they are listed.
  const bool only = all.size() == 1 && input.part.empty();
  return only ? std::move(all.front())
              : std::move(
                    all[choosePart({input.shown, input.what, "series"}, partsOfSeries(all), input.part, info.notices)]);
}

}  // namespace

namespace {

// Notes the files of a folder that have the extension or the content of DICOM and could not be read.
void noteLeftOut(const DicomInput& input, const std::vector<DicomSeries>& all, VolumeInfo& info) {
  std::set<std::string> meant(input.files.begin(), input.files.end());
  std::error_code code;
  if (std::filesystem::is_directory(input.shown, code))
    for (const auto& entry : std::filesystem::directory_iterator(input.shown, code)) {
      const FormatRow* const row = formatOf(entry.path());
      if (row != nullptr && row->id == FormatId::dicom && entry.is_regular_file(code))
        meant.insert(entry.path().string());
    }
  for (const DicomSeries& series : all)
    for (const DicomFrame& frame : series.frames) meant.erase(frame.file);
  std::erase_if(meant, [](const std::string& file) { return std::filesystem::path(file).filename() == "DICOMDIR"; });
  if (meant.empty()) return;
  constexpr std::size_t kMost = 4;
  std::string names;
  std::size_t named = 0;
  for (const std::string& file : meant) {
    if (named++ == kMost) break;
    names += (names.empty() ? "" : ", ") + printable(std::filesystem::path(file).filename().string());
  }
  info.notices.push_back(counted(static_cast<std::int64_t>(meant.size()), "file") +
                         " could not be read as DICOM pictures and were left out: " + names +
                         (meant.size() > kMost ? ", ..." : ""));
}

DicomVolume seriesOf(const DicomInput& input, const Control& control) {
  VolumeInfo info;
  std::vector<DicomSeries> all = scanDicom(input.files, control);
  if (!all.empty()) noteLeftOut(input, all, info);
  if (input.cut)
    info.notices.push_back("only the first " + std::to_string(kMostEntries) +
                           " files and folders were looked at; open the folder of a series to see others");
  const DicomSeries series = chosen(input, std::move(all), info);
  DicomVolume volume = volumeOf(series, input.shown, std::move(info));
  volume.info.format =
      series.frames.size() == 1 ? "DICOM" : "DICOM series (" + std::to_string(volume.stack.frames.size()) + " slices)";
  return volume;
}

}  // namespace

LocatedVolume locateDicom(const DicomInput& input, const Control& control) {
  return located(seriesOf(input, control), input.shown);
}

DicomInput dicomInputOf(const Selection& selection, const Control& control) {
  std::error_code code;
  if (std::filesystem::is_directory(selection.path, code)) {
    FolderFiles found = dicomFilesOf(selection.path, control);
    return {std::move(found.files), selection.path, "the folder holds", found.cut, selection.part()};
  }
  DicomInput input{{}, selection.path, "the pattern matches", false, selection.part()};
  for (const auto& file : filesOfPattern(selection.path)) input.files.push_back(file.string());
  if (!std::all_of(input.files.begin(), input.files.end(), isDicomFile)) input.files.clear();
  return input;
}

std::vector<FilePart> partsOfDicom(const DicomInput& input, const Control& control) {
  const std::vector<DicomSeries> all = scanDicom(input.files, control);
  return all.size() > 1 ? partsOfSeries(all) : std::vector<FilePart>();
}

LocatedVolume locateDicomFile(const std::string& path, const Control& control) {
  std::vector<DicomSeries> all = scanDicom({path}, control);
  // The decoder reports what is wrong with a file that cannot be scanned.
  if (all.empty()) {
    const DicomPixels pixels(path);
    throw damaged(path, "its header cannot be read");
  }
  VolumeInfo info;
  if (all.size() > 1)
    info.notices.push_back("its frames lie in " + std::to_string(all.size()) +
                           " directions, of which the one with most frames was read");
  DicomVolume volume = volumeOf(all.front(), path, std::move(info));
  volume.info.format = "DICOM";
  return located(std::move(volume), path);
}

}  // namespace sscope::io
