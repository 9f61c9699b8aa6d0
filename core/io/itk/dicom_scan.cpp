#include "core/io/itk/dicom_scan.h"

#include <gdcmScanner.h>

#include <algorithm>
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
    kSlope(0x0028, 0x1053);

bool isDicom(const std::string& path) {
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
    if (entry.is_regular_file(code) && isDicom(entry.path().string())) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end(), naturallyBefore);
  return files;
}

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

}  // namespace

std::vector<DicomSeries> scanDicomFolder(const std::string& folder) {
  const std::vector<std::string> files = dicomFilesOf(folder);
  gdcm::Scanner scanner;
  for (const gdcm::Tag& tag : {kSeries, kPosition, kOrientation, kInstance, kSpacing, kRows, kColumns, kAllocated,
                               kStored, kSigned, kIntercept, kSlope})
    scanner.AddTag(tag);
  if (files.empty()) return {};
  {
    const HeapAllowance heap(largestOf(files));
    if (!scanner.Scan(files)) return {};
  }
  std::map<std::string, DicomSeries> byUid;
  for (const std::string& file : files) {
    if (!scanner.IsKey(file.c_str()) || valueOf(scanner, file, kRows).empty()) continue;
    DicomSlice slice;
    slice.file = file;
    slice.position = numbersOf<3>(valueOf(scanner, file, kPosition));
    slice.orientation = numbersOf<6>(valueOf(scanner, file, kOrientation));
    slice.spacing = numbersOf<2>(valueOf(scanner, file, kSpacing));
    slice.instance = std::strtod(valueOf(scanner, file, kInstance).c_str(), nullptr);
    for (const gdcm::Tag& tag : {kAllocated, kStored, kSigned, kIntercept, kSlope})
      slice.pixels += valueOf(scanner, file, tag) + "|";
    const std::string uid = valueOf(scanner, file, kSeries);
    // A scout view in another size is a series of its own.
    DicomSeries& series = byUid[uid + " " + valueOf(scanner, file, kRows) + " " + valueOf(scanner, file, kColumns)];
    series.uid = uid;
    series.slices.push_back(std::move(slice));
  }
  std::vector<DicomSeries> list;
  for (auto& [key, series] : byUid) list.push_back(std::move(series));
  std::stable_sort(list.begin(), list.end(),
                   [](const DicomSeries& a, const DicomSeries& b) { return a.slices.size() > b.slices.size(); });
  return list;
}

}  // namespace sscope::io
