#pragma once
// Losses of values that are stored as another type, counted and reported alike by all programs, and notices on values
// that are not finite.

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

// Values of the data that the type of the results cannot hold.
struct InputLosses {
  std::int64_t nonFinite = 0;              // NaN or infinite: not a loss, but explains results
  std::int64_t nonzero = 0, vanished = 0;  // f64 to f32: nonzero values, and those of them that become 0
  std::int64_t rounded = 0;                // i32 and u32 to f32: whole numbers with more digits than f32 holds
};
// Adds the losses of further elements of type `from`.
void addLosses(ElementType from, ElementType to, std::span<const std::byte> elements, InputLosses& losses);
// Of a whole volume. Throws Canceled.
[[nodiscard]] InputLosses inputLosses(const Volume& volume, ElementType to, const Control& control);

// The losses of results.
struct ResultLosses {
  ElementType from = ElementType::f32, to = ElementType::f32;
  std::int64_t saturated = 0;  // clamped to the range of an integer type, NaN among them
  std::int64_t nonFinite = 0;  // NaN or infinite
  bool formulas = false;       // the bank has formulas, which may produce them
  bool transform = false;      // each value depends on many of the input, so that non-finite values spread
  InputLosses input;
};

// One sentence each, without a period; none if nothing was lost.
[[nodiscard]] std::vector<std::string> lossNotices(const ResultLosses& losses);
[[nodiscard]] std::vector<std::string> lossNotices(const ConvertedVolume& converted, ElementType type);

// The number of NaN or infinite elements; 0 for integers.
[[nodiscard]] std::int64_t countNonFinite(ElementType type, std::span<const std::byte> elements);

// Of a whole volume. Throws Canceled.
[[nodiscard]] std::int64_t countNonFinite(const Volume& volume, const Control& control);

// Replaces the notice on non-finite values by one for `count` of them, or removes it for 0.
void noteNonFinite(VolumeInfo& info, std::int64_t count);
// Replaces the notice on non-finite values by one for `voxels`, which have info's shape and type; removes it if all are
// finite. Throws Canceled.
void noteNonFinite(VolumeInfo& info, const std::byte* voxels, const Control& control);

}  // namespace sscope
