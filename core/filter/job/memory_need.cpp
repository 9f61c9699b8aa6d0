#include "core/filter/job/memory_need.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "core/base/error.h"
#include "core/base/memory.h"
#include "core/filter/job/fitting_bank.h"
#include "core/filter/program/program_workload.h"
#include "core/volume/file_sets.h"

namespace sscope {

namespace {

ArraySpec specOf(const VolumeInfo& info) {
  const VolumeShape& s = info.shape;
  return {info.type, {s.nx, s.ny, s.nz, s.components}};
}

// Whether a look at the files leaves it open that data and results exceed `memory`: deflate packs up to 1032 bytes into
// one, and an element of one byte may become one of eight in each result.
bool mayExceed(std::int64_t memory, const VolumeIo& io, const std::string& path, const FilterBank& bank) {
  constexpr double kDensest = 1032, kWidest = 8;
  double bytes = 0;
  for (const std::filesystem::path& file : filesRead(io, path)) {
    std::error_code code;
    const auto size = std::filesystem::file_size(file, code);
    if (!code) bytes += static_cast<double>(size);
  }
  const auto results = static_cast<double>(bank.enabled().size());
  return bytes * kDensest * (1 + kWidest * results) > static_cast<double>(memory);
}

}  // namespace

std::int64_t allowedMemory(std::int64_t bound) { return bound > 0 ? bound : availableMemory() / 3 * 2; }

std::string binaryBytesText(double bytes) {
  constexpr double kGiB = 1 << 30, kMiB = 1 << 20;
  char text[32];
  std::snprintf(text, sizeof text, bytes < kGiB ? "%.0f MiB" : "%.1f GiB", bytes / (bytes < kGiB ? kMiB : kGiB));
  return text;
}

double dataAndResultBytes(const FilterBank& bank, const VolumeInfo& info) {
  const ArraySpec spec = specOf(info);
  auto bytes = static_cast<double>(spec.bytes());
  FilterBank fitting;
  try {
    fitting = fittingBank(bank, filterGrid(info.shape.dimensions(), info.geometry)).bank;
  } catch (const Error&) {  // who runs it says so
  }
  if (fitting.results().empty()) return bytes;
  for (const ArraySpec& output : bankWorkload(fitting, spec, info.geometry, false)->outputs())
    bytes += static_cast<double>(output.bytes());
  return bytes;
}

std::optional<LargeFile> largerThan(std::int64_t memory, VolumeIo& io, const std::string& path, const FilterBank& bank,
                                    const Control& control) {
  auto* const streams = dynamic_cast<VolumeStreams*>(&io);
  if (streams == nullptr || memory <= 0 || !mayExceed(memory, io, path, bank)) return std::nullopt;
  LargeFile file;
  try {
    file.source = streams->openSource(path, control);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Unsupported) throw;
    file.why = error.what();
  }
  // Some decoders read everything to know the header; what finds the place of voxels does not.
  file.info = file.source ? file.source->info() : io.probe(path, control);
  file.bytes = dataAndResultBytes(bank, file.info);
  if (file.bytes <= static_cast<double>(memory)) return std::nullopt;
  return file;
}

Error tooLarge(const std::string& path, const LargeFile& file, std::int64_t memory) {
  return {ErrorKind::Memory, path + " and its results take " + binaryBytesText(file.bytes) + " of memory, " +
                                 binaryBytesText(static_cast<double>(memory)) + " are allowed, and " + file.why};
}

}  // namespace sscope
