#include "core/filter/job/memory_need.h"

#include "core/base/error.h"
#include "core/filter/job/fitting_bank.h"
#include "core/filter/program/program_workload.h"

namespace sscope {

namespace {

ArraySpec specOf(const VolumeInfo& info) {
  const VolumeShape& s = info.shape;
  return {info.type, {s.nx, s.ny, s.nz, s.components}};
}

}  // namespace

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
  constexpr double kWidest = 8;  // an element of one byte may become one of eight in each result
  const double grown = 1 + kWidest * static_cast<double>(bank.enabled().size());
  if (memory <= 0 || !mayExceed(io, path, grown, memory)) return std::nullopt;
  LargeFile file{openStreamable(io, path, control), 0};
  file.bytes = dataAndResultBytes(bank, file.input.info);
  if (file.bytes <= static_cast<double>(memory)) return std::nullopt;
  return file;
}

}  // namespace sscope
