#include "core/io/itk/dicom_scan.h"

#include <gdcmScanner.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>

#include "core/io/itk/heap_allowance.h"
#include "core/io/natural_order.h"
#include "core/io/sniff.h"

namespace sscope::io {

namespace fs = std::filesystem;

namespace {

const gdcm::Tag kSeries(0x0020, 0x000e), kPosition(0x0020, 0x0032), kOrientation(0x0020, 0x0037),
    kInstance(0x0020, 0x0013), kSpacing(0x0028, 0x0030), kRows(0x0028, 0x0010), kColumns(0x0028, 0x0011),
    kAllocated(0x0028, 0x0100), kStored(0x0028, 0x0101), kSigned(0x0028, 0x0103), kIntercept(0x0028, 0x1052),
    kSlope(0x0028, 0x1053), kDescription(0x0008, 0x103e), kModality(0x0008, 0x0060), kCenter(0x0028, 0x1050),
    kWidth(0x0028, 0x1051);

const std::string& largestOf(const std::vector<std::string>& files) {
  std::error_code code;
  const auto smaller = [&](const std::string& a, const std::string& b) {
    return fs::file_size(a, code) < fs::file_size(b, code);
  };
  return *std::max_element(files.begin(), files.end(), smaller);
}

std::string valueOf(const gdcm::Scanner& scanner, const std::string& file, const gdcm::Tag& tag) {
  const char* value = scanner.GetValue(file.c_str(), tag);
  return value == nullptr ? std::string() : std::string(value);
}

// "1\0\-2.5" as numbers; empty unless there are exactly N.
template <std::size_t N>
std::optional<std::array<double, N>> numbersOf(std::string text) {
  std::replace(text.begin(), text.end(), '\\', ' ');
  std::istringstream stream(text);
  std::array<double, N> result{};
  for (double& value : result)
    if (!(stream >> value)) return std::nullopt;
  return result;
}

// The first window that it has: center and width are lists of as many.
std::optional<std::array<double, 2>> windowOf(const gdcm::Scanner& scanner, const std::string& file) {
  const auto center = numbersOf<1>(valueOf(scanner, file, kCenter));
  const auto width = numbersOf<1>(valueOf(scanner, file, kWidth));
  if (!center || !width) return std::nullopt;
  const std::array<double, 2> window{(*center)[0] - (*width)[0] / 2, (*center)[0] + (*width)[0] / 2};
  const bool good = std::isfinite(window[0]) && std::isfinite(window[1]) && window[0] < window[1];
  return good ? std::optional(window) : std::nullopt;
}

DicomSlice sliceOf(const gdcm::Scanner& scanner, const std::string& file) {
  DicomSlice slice;
  slice.file = file;
  slice.position = numbersOf<3>(valueOf(scanner, file, kPosition));
  slice.orientation = numbersOf<6>(valueOf(scanner, file, kOrientation));
  slice.spacing = numbersOf<2>(valueOf(scanner, file, kSpacing));
  slice.window = windowOf(scanner, file);
  slice.modality = valueOf(scanner, file, kModality);
  while (slice.modality.ends_with(' ')) slice.modality.pop_back();
  slice.instance = std::strtod(valueOf(scanner, file, kInstance).c_str(), nullptr);
  for (const gdcm::Tag& tag : {kAllocated, kStored, kSigned, kIntercept, kSlope})
    slice.pixels += valueOf(scanner, file, tag) + "|";
  return slice;
}

// Whether the slices lie in parallel planes with rows in the same direction; what has no orientation is with its like.
bool parallel(const DicomSlice& a, const DicomSlice& b) {
  if (!a.orientation || !b.orientation) return a.orientation.has_value() == b.orientation.has_value();
  constexpr double kTolerance = 0.01;  // of a unit vector's coordinates: half a degree, more than rounding
  for (std::size_t i = 0; i < 6; ++i)
    if (!(std::abs((*a.orientation)[i] - (*b.orientation)[i]) <= kTolerance)) return false;
  return true;
}

}  // namespace

bool isDicomFile(const std::string& path) {
  try {
    return sniffFormat(path) == FormatId::dicom;
  } catch (const std::exception&) {
    return false;
  }
}

std::vector<std::string> dicomFilesOf(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code))
    if (entry.is_regular_file(code) && isDicomFile(entry.path().string())) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end(), naturallyBefore);
  return files;
}

std::vector<DicomSeries> scanDicom(const std::vector<std::string>& files) {
  gdcm::Scanner scanner;
  for (const gdcm::Tag& tag : {kSeries, kPosition, kOrientation, kInstance, kSpacing, kRows, kColumns, kAllocated,
                               kStored, kSigned, kIntercept, kSlope, kDescription, kModality, kCenter, kWidth})
    scanner.AddTag(tag);
  if (files.empty()) return {};
  {
    const HeapAllowance heap(largestOf(files));
    if (!scanner.Scan(files)) return {};
  }
  std::map<std::string, std::vector<DicomSeries>> byUid;
  for (const std::string& file : files) {
    if (!scanner.IsKey(file.c_str()) || valueOf(scanner, file, kRows).empty()) continue;
    DicomSlice slice = sliceOf(scanner, file);
    // A scout view in another size is a series of its own, and so is what lies in other planes.
    std::vector<DicomSeries>& alike = byUid[valueOf(scanner, file, kSeries) + " " + valueOf(scanner, file, kRows) +
                                            " " + valueOf(scanner, file, kColumns)];
    auto series = std::find_if(alike.begin(), alike.end(),
                               [&](const DicomSeries& each) { return parallel(each.slices.front(), slice); });
    if (series == alike.end()) {
      series = alike.insert(alike.end(), DicomSeries{});
      series->description = valueOf(scanner, file, kDescription);
      while (series->description.ends_with(' ')) series->description.pop_back();
    }
    series->slices.push_back(std::move(slice));
  }
  std::vector<DicomSeries> list;
  for (auto& [key, alike] : byUid)
    for (DicomSeries& series : alike) list.push_back(std::move(series));
  std::stable_sort(list.begin(), list.end(),
                   [](const DicomSeries& a, const DicomSeries& b) { return a.slices.size() > b.slices.size(); });
  return list;
}

}  // namespace sscope::io
