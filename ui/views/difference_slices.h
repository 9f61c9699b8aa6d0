#pragma once
// The differences of the slices that are seen, made anew only where a slice, the component or the kind changed.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/volume/slice_difference.h"
#include "ui/views/view_model.h"

namespace sscope {

class DifferenceSlices {
 public:
  // Brings model.difference[axis] up to date; whether it changed. Null where a slice is not there.
  bool update(ViewModel& model, std::size_t axis);
  // Of a slice that is hidden; whether there was one.
  bool drop(ViewModel& model, std::size_t axis);
  // The largest difference that has a color of its own: what the views ask for, or percentile 99 of the magnitudes in
  // all slices that are there, kept while it differs by less than a sixth. Whether model.differenceRange changed.
  bool chooseRange(ViewModel& model);

 private:
  struct Key {
    std::weak_ptr<const Volume> source, result;
    std::int64_t sourceAt = -1, resultAt = -1;
    int component = 0;
    DifferenceKind kind = DifferenceKind::Signed;
  };
  std::array<Key, 3> keys_;
  bool automatic_ = false;  // the range is one that was found
  DifferenceKind rangeOf_ = DifferenceKind::Signed;
};

}  // namespace sscope
