#pragma once
// Differences between result and source in the visible slices, and their norms as text.

#include <QString>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/volume/slice_difference.h"
#include "ui/views/view_model.h"

namespace sscope {

// Computes the differences again only if a slice, the component or the kind changed.
class DifferenceSlices {
 public:
  // Updates model.difference[axis], null if a slice is missing. Returns whether it changed.
  bool update(ViewModel& model, std::size_t axis);
  // Drops the difference of a hidden slice. Returns whether there was one.
  bool drop(ViewModel& model, std::size_t axis);
  // Sets model.differenceRange, the largest difference with a color of its own: the chosen one, or percentile 99 of the
  // magnitudes in all slices, unless it differs by less than a sixth. Returns whether it changed.
  bool chooseRange(ViewModel& model);

 private:
  struct Key {
    std::weak_ptr<const Volume> source, result;
    std::int64_t sourceAt = -1, resultAt = -1;
    int component = 0;
    DifferenceKind kind = DifferenceKind::Signed;
  };
  std::array<Key, 3> keys_;
  bool automatic_ = false;  // the range was not chosen by the user
  DifferenceKind rangeOf_ = DifferenceKind::Signed;
};

// "RMS 2.31 · max 20.4", for a corner of a view.
[[nodiscard]] QString shortNorms(const DifferenceNorms& norms);
// All norms; the signal-to-noise ratio only with `decibels`.
[[nodiscard]] QString allNorms(const DifferenceNorms& norms, bool decibels);
// An explanation of the norms, for a tooltip.
[[nodiscard]] QString normsHelp();

}  // namespace sscope
