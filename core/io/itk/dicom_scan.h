#pragma once
// The attributes of DICOM frames: what groups them into series, where they lie, what tells those at one place from each
// other, and how they are scaled and looked at. Of files of several frames each frame has its own.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/io/base/convert.h"

namespace sscope::io {

// What may differ between frames at one place, the most telling first.
enum class FrameKey {
  TemporalPosition,
  Acquisition,
  Echo,
  EchoTime,
  BValue,
  GradientX,
  GradientY,
  GradientZ,
  TriggerTime,
  Offset,
  AcquisitionTime,
  ContentTime,
  Count
};

struct DicomFrame {
  std::string file;
  std::size_t index = 0;                             // in the file
  std::size_t of = 1;                                // as many
  std::string instance;                              // UID of the file
  std::optional<std::array<double, 3>> position;     // of the first pixel, LPS, mm
  std::optional<std::array<double, 6>> orientation;  // direction of a row, direction of a column
  std::optional<std::array<double, 2>> spacing;      // between rows, between columns, mm
  std::optional<std::array<double, 2>> window;       // lower and upper value to show
  double gap = 0, thickness = 0;                     // of slices, mm, as the file says; 0: it does not
  bool inTime = false;                               // the frames of the file follow each other in time
  double frameSeconds = 0;                           // from one to the next; 0: the file does not say
  std::vector<double> keys;                          // by FrameKey, and behind them the file's own dimensions
  std::string kind;                                  // "ORIGINAL\PRIMARY\M"
  Scale scale;
  std::string modality, unit;          // what the values are in
  std::string format;                  // what decides how the pixels are stored
  std::array<std::int64_t, 2> size{};  // columns, rows
  std::string stored;                  // the type of a pixel, "u16"; empty: it is invalid
  double number = 0;                   // as the scanner counts
  std::vector<std::string> notices;

  [[nodiscard]] double key(FrameKey which) const { return keys[static_cast<std::size_t>(which)]; }
};

struct DicomSeries {
  std::string description;  // as the scanner's operator typed it
  std::vector<DicomFrame> frames;
};

[[nodiscard]] bool isDicomFile(const std::string& path);
// Files of a folder, in natural order.
struct FolderFiles {
  std::vector<std::string> files;
  bool cut = false;  // there are more than kMostEntries, of which these are the first
};
inline constexpr std::size_t kMostEntries = 50'000;
// All that may be DICOM in it and in the folders in it, four deep. Throws Canceled.
[[nodiscard]] FolderFiles filesBeneath(const std::string& folder, const Control& control);
// The DICOM files directly in this folder; where there are none those of the folders in it, as an archive exports
// patients, studies and series.
[[nodiscard]] FolderFiles dicomFilesOf(const std::string& folder, const Control& control);
// Series with pixel data, the largest first; frames that are not parallel or differ in size form separate series. Files
// that are not DICOM images are left out.
[[nodiscard]] std::vector<DicomSeries> scanDicom(const std::vector<std::string>& files, const Control& control);

}  // namespace sscope::io
