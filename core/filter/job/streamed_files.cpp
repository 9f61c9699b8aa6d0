#include "core/filter/job/streamed_files.h"

#include "core/filter/program/program_workload.h"

namespace sscope {

VolumeOutline resultOutline(const FilterBank& bank, const VolumeOutline& input, bool interleaved) {
  const VolumeShape& shape = input.shape;
  const ArraySpec spec{input.type, {shape.nx, shape.ny, shape.nz, shape.components}};
  const std::vector<ArraySpec> all = bankWorkload(bank, spec, input.geometry, false)->outputs();
  const ArraySpec& one = all.front();
  const int components = shape.components * (interleaved ? static_cast<int>(all.size()) : 1);
  return {{one.extent[0], one.extent[1], one.extent[2], components}, one.type, input.geometry};
}

std::string notWrittenBySlabs(const VolumeIo& io, const std::vector<std::filesystem::path>& files) {
  for (const std::filesystem::path& file : files)
    if (!io.writesSlabs(file))
      return file.string() + " cannot be written by slabs; choose .nrrd, .mha, .nii, .vti, .tif, .h5 or .raw";
  return {};
}

}  // namespace sscope
