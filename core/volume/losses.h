#pragma once
// What values lose that are stored as another type, counted and told alike by all programs.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/volume/volume.h"
#include "core/volume/volume_io.h"

namespace sscope {

struct ConvertedVolume;  // core/volume/change.h

// Of data whose results are of another type: what of the data that type cannot hold.
struct InputLosses {
  std::int64_t nonFinite = 0;              // NaN or infinite, which loses nothing but explains results
  std::int64_t nonzero = 0, vanished = 0;  // f64 to f32: values that are not 0, and those of them that f32 makes 0
  std::int64_t rounded = 0;                // i32 and u32 to f32: whole numbers of more digits than f32 holds
};
// Adds those of more elements of type `from`.
void addLosses(ElementType from, ElementType to, std::span<const std::byte> elements, InputLosses& losses);
// Of a whole volume. Throws Canceled.
[[nodiscard]] InputLosses inputLosses(const Volume& volume, ElementType to, const Control& control);

// Of results.
struct ResultLosses {
  ElementType from = ElementType::f32, to = ElementType::f32;
  std::int64_t saturated = 0;  // clamped to the range of an integer type, NaN among them
  std::int64_t nonFinite = 0;  // NaN or infinite
  bool formulas = false;       // which may have made them
  bool transform = false;      // each value reads many of the input, so that what is not finite there spreads
  InputLosses input;
};

// One sentence each, without a full stop; none where nothing was lost.
[[nodiscard]] std::vector<std::string> lossNotices(const ResultLosses& losses);
[[nodiscard]] std::vector<std::string> lossNotices(const ConvertedVolume& converted, ElementType type);

// Notices about values that are NaN or infinite.

// How many of these elements are NaN or infinite; whole elements, 0 for integers.
[[nodiscard]] std::int64_t countNonFinite(ElementType type, std::span<const std::byte> elements);

// Of a whole volume. Throws Canceled.
[[nodiscard]] std::int64_t countNonFinite(const Volume& volume, const Control& control);

// Replaces the notice on non-finite values by one for so many of them, or removes it.
void noteNonFinite(VolumeInfo& info, std::int64_t count);
// Replaces the notice on non-finite values by one for `voxels`, which have info's shape and type; removes it if all are
// finite. Throws Canceled.
void noteNonFinite(VolumeInfo& info, const std::byte* voxels, const Control& control);

}  // namespace sscope
