#include "gpu/filter/ladder_input.h"

namespace sscope {

LadderInput::LadderInput(const FilterWorkload& workload)
    : input_(workload.input()),
      boundary_(workload.boundary()),
      region_(workload.region()),
      size_(workload.stencil(0).dense.size),
      anchor_(workload.stencil(0).dense.anchor),
      place_(static_cast<std::size_t>(input_.extent[2]), -1) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    part_ = part_ || region_.size(static_cast<int>(axis)) < input_.extent[axis];
  std::vector<bool> needed(place_.size(), !part_);
  if (part_) markSlices({region_.begin[2], region_.end[2]}, size_[2], anchor_[2], boundary_, needed);
  for (std::size_t z = 0; z < needed.size(); ++z) {
    if (!needed[z]) continue;
    place_[z] = static_cast<std::int32_t>(slices_.size());
    slices_.push_back(static_cast<std::int64_t>(z));
  }
}

std::int64_t LadderInput::bytes() const { return input_.bytes() / input_.extent[2] * std::ssize(slices_); }

std::vector<std::int32_t> LadderInput::places(std::size_t axis, const Range& outputs, std::int64_t extra) const {
  const std::int64_t first = region_.begin[axis];
  std::vector<std::int32_t> places = placesOf({first + outputs.begin, first + outputs.end}, size_[axis], anchor_[axis],
                                              input_.extent[axis], boundary_, 0, extra);
  if (axis == 2)
    for (std::int32_t& place : places)
      if (place >= 0) place = place_[static_cast<std::size_t>(place)];
  return places;
}

}  // namespace sscope
