#pragma once
// The kind of data, found from the values: the 3D view shows computed tomographies, derivatives and fluorescence
// differently.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/volume/element_type.h"
#include "core/volume/geometry.h"
#include "core/volume/volume_brick.h"

namespace sscope {

enum class DataKind {
  Tomography,    // Hounsfield units
  Magnetic,      // magnetic resonance: no unit, background near zero, a body in millimeters
  Signed,        // both signs around zero: derivatives, differences
  Fluorescence,  // few bright voxels over a dark background
  Mask,          // one object, or shares and probabilities of it: background 0
  Labels,        // whole numbers that name several objects
  Generic,       // an object over a background
};
// "ct", "mr", "signed", "fluorescence", "mask", "labels", "generic".
[[nodiscard]] std::string_view toString(DataKind kind);
[[nodiscard]] std::optional<DataKind> parseDataKind(std::string_view name);

struct KindFacts {
  ElementType type = ElementType::f32;
  int components = 1;  // of each voxel
  Geometry geometry;
  std::array<std::int64_t, 3> extent{1, 1, 1};
  std::span<const double> samples;      // finite values, spread evenly over the data
  LevelCounts levels;                   // of the brick
  bool isSigned = false;                // of the brick
  std::string modality = {};            // as VolumeInfo::modality, also of results
  std::optional<DataKind> source = {};  // the kind of the input; empty: these are not results
};

struct FoundKind {
  DataKind kind = DataKind::Generic;
  std::string why;  // one clause for users: "air near -1000 and soft tissue near 0, in millimeters"
};
[[nodiscard]] FoundKind findKind(const KindFacts& facts);

// Whether samples may be Hounsfield units: no value far below air (-1000; -2000 or -3024 outside the scan) or above
// metal, some air, some soft tissue around water (0), and no values near +1000 as frequent as air, as in derivatives.
[[nodiscard]] bool likeHounsfield(std::span<const double> samples);

}  // namespace sscope
