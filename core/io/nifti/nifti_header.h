#pragma once
// The binary header of NIfTI files (nifti.nimh.nih.gov), both versions, in native byte order.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/io/nifti/nifti_kept.h"
#include "core/volume/metadata.h"
#include "core/volume/volume_io.h"

namespace sscope::io {

struct NiftiHeader {
  bool swapped = false;  // the file has the other byte order
  bool analyze = false;  // no NIfTI magic, so no position either
  bool pair = false;     // voxels in a separate file
  int datatype = 0, bits = 0;
  std::size_t bytes = 0;  // of the header
  std::array<std::int64_t, 8> dim{};
  std::array<double, 8> pixdim{};
  double voxOffset = 0, slope = 0, intercept = 0;
  int units = 0, qformCode = 0, sformCode = 0;
  std::array<double, 3> quaternion{}, offset{};
  std::array<double, 12> affine{};  // sform, rows x, y, z, RAS
  NiftiKept kept;                   // entries of Metadata::fields that are only written back
};

inline constexpr std::size_t kNiftiHeaderBytes = 540;  // enough for both versions

// `bytes` is the start of the file (540 bytes, fewer when it is shorter). Empty when it is not such a header.
[[nodiscard]] std::optional<NiftiHeader> parseNiftiHeader(std::span<const std::byte> bytes);

// Whether sform and qform both place the voxels, and differently.
[[nodiscard]] bool niftiPlacesDiffer(const NiftiHeader& header);

// The positions of voxels, LPS; identity and zero when the header gives none. A sform takes precedence over a qform.
[[nodiscard]] Geometry niftiGeometry(const NiftiHeader& header);

// Seconds from one frame to the next; 0 where the header gives none.
[[nodiscard]] double niftiFrameSeconds(const NiftiHeader& header);

}  // namespace sscope::io
