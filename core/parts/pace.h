#pragma once
// How far a job that goes slab by slab is, for people.

#include <cstddef>

#include "core/base/control.h"
#include "core/base/stopwatch.h"

namespace sscope::reach {

class Pace {
 public:
  // `bytes`: read and written in all.
  Pace(std::size_t parts, double bytes) : parts_(parts), bytes_(bytes) {}

  // Part `part` is done to this fraction: "slab 3 of 17, 412 MiB/s, 12 s left".
  void tell(std::size_t part, double fraction, const Control& control) const;
  // Since it was made.
  [[nodiscard]] double seconds() const { return watch_.seconds(); }

 private:
  Stopwatch watch_;
  std::size_t parts_;
  double bytes_;
};

}  // namespace sscope::reach
