#include "core/measure/buffer_ring.h"

#include <algorithm>
#include <utility>

#include "core/measure/verify.h"

namespace sscope {

namespace {

constexpr std::int64_t kMostSlots = 4096;

VolumeShape shapeOf(const std::array<std::int64_t, 4>& extent) {
  return {extent[0], extent[1], extent[2], static_cast<int>(extent[3])};
}

void copy(const ConstArrayView& from, const ArrayView& to) {
  dispatch(from.type, [&](auto tag) {
    const auto* source = from.as<decltype(tag)>();
    auto* target = to.as<decltype(tag)>();
    for (std::int64_t z = 0; z < from.extent[2]; ++z)
      for (std::int64_t y = 0; y < from.extent[1]; ++y)
        for (std::int64_t x = 0; x < from.extent[0]; ++x)
          for (std::int64_t c = 0; c < from.extent[3]; ++c)
            target[to.offset(x, y, z, c)] = source[from.offset(x, y, z, c)];
  });
}

std::int64_t bytesOfArray(const ConstArrayView& view) {
  return view.elements() * static_cast<std::int64_t>(bytesOf(view.type));
}

}  // namespace

BufferRing::BufferRing(std::span<const ConstArrayView> inputs, std::span<const ArraySpec> outputs, std::int64_t enough,
                       const Control& control) {
  std::int64_t bytes = 1;
  for (const ConstArrayView& input : inputs) bytes += bytesOfArray(input);
  for (const ArraySpec& output : outputs) bytes += output.bytes();
  const std::int64_t slots = std::clamp<std::int64_t>((enough + bytes - 1) / bytes, 1, kMostSlots);
  for (std::int64_t s = 0; s < slots; ++s) {
    Views views;
    for (const ConstArrayView& input : inputs) {
      if (s == 0) {
        views.inputs.push_back(input);
        continue;
      }
      control.check();
      storage_.emplace_back(shapeOf(input.extent), input.type);
      copy(input, storage_.back().view());
      views.inputs.push_back(std::as_const(storage_.back()).view());
    }
    for (const ArraySpec& output : outputs) {
      control.check();
      storage_.emplace_back(shapeOf(output.extent), output.type);
      views.outputs.push_back(storage_.back().view());
      poison(views.outputs.back());
    }
    slots_.push_back(std::move(views));
  }
}

BufferRing::Slot BufferRing::next() {
  turn_ = (turn_ + 1) % slots_.size();
  return slot(turn_);
}

}  // namespace sscope
