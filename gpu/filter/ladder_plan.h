#pragma once
// The plan of the ladders' rungs on devices, and the part of the input that it uploads.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/plan.h"
#include "core/filter/workload/filter_workload.h"
#include "gpu/device/kernel_source.h"
#include "gpu/filter/context.h"
#include "gpu/run/device_engine.h"

namespace sscope {

// The input that a ladder's kernels read: all of it, or for a part of the outputs the slices that it needs.
class LadderInput {
 public:
  // Requires that all filters have the box of the first.
  explicit LadderInput(const FilterWorkload& workload);

  // To be uploaded, ascending.
  [[nodiscard]] const std::vector<std::int64_t>& slices() const { return slices_; }
  [[nodiscard]] std::int64_t bytes() const;
  // Whether outputs are a part along y or z, so that their rows are not those of the input.
  [[nodiscard]] bool isPart() const { return part_; }
  // For each position that the taps of these outputs (of the part, from 0) reach along an axis: the voxel, along z the
  // place of its slice, or -1 (placesOf).
  [[nodiscard]] std::vector<std::int32_t> places(std::size_t axis, const Range& outputs, std::int64_t extra = 0) const;

 private:
  ArraySpec input_;
  Boundary boundary_;
  Box region_;
  std::array<std::int64_t, 3> size_, anchor_;
  bool part_ = false;
  std::vector<std::int64_t> slices_;
  std::vector<std::int32_t> place_;  // of each slice of the input, or -1
};

// One rung of a ladder on a device: what all of them share.
//
// The papers' images carry their borders already, so a run first pads: the input is uploaded, and a small kernel copies
// it into rows with the boundary filled in; both count as upload. Then comes the rung itself, in launches short enough
// to be canceled between. Where its output has gaps at the ends of rows, or channels side by side, another small kernel
// puts the elements in order, which counts as download.

// What a rung asks for. Its kernel takes these arguments, whether it needs them or not:
//   - GLOBAL const IN* input (or IMAGE2D image with the same content): the padded input; the first tap of the first
//     output reads the element at index ORIGIN
//   - GLOBAL OUT* output: element (x, y, z) of channel c at ((z * height + y) * out_pitch + x) * CHANNELS + c
//   - GLOBAL const REAL* taps: LadderDesign::taps
//   - GLOBAL u32* saturated: a u64 per channel
//   - i32 pitch, i32 slice: of the padded input, in elements
//   - i32 out_pitch: in elements; the elements of all channels count as one
//   - i32 width, i32 height: of the image
//   - i32 never: 0, which the compiler cannot know (memory-only twins compare with it)
//   - i32 first, i32 count: the rows of work items; count = 0 in the launch that only builds the kernel
struct LadderDesign {
  std::string variant;
  KernelSource source;
  // Padding beyond what the taps reach, on either side of each axis; rows of the padded input end on a multiple of
  // `pitchMultiple`, and `pitchOffset` more.
  std::array<std::int64_t, 3> before{0, 0, 0}, after{0, 0, 0};
  std::int64_t pitchMultiple = 1, pitchOffset = 0;
  bool image = false;  // the padded input is a DeviceImage, padded by the host
  std::int64_t channels = 1;
  std::int64_t outPitch = 0;      // at least the width
  std::int64_t outRowsAfter = 0;  // rows of the output beyond the last one, for blocks that write whole
  // Work items of the whole launch, along x and along y.
  std::int64_t columns = 1, rows = 1;
  std::vector<double> taps;              // empty: the kernel holds its own
  std::map<std::string, double> launch;  // figures for RunReport::launch
};

// The common definitions: IN, OUT and its rounding, SIZE_X, SIZE_Y, SIZE_Z, CHANNELS, ORIGIN_X and ORIGIN_Y (the
// padding `before`).
void defineLadder(LadderDesign& design, const FilterWorkload& workload);

// Compiles and reserves nothing large. Throws Error(Memory) when the arrays do not fit, Error(Unsupported) when the
// device cannot run groups of this shape.
[[nodiscard]] std::unique_ptr<Plan> makeLadderPlan(DeviceEngine& engine, const FilterWorkload& workload,
                                                   LadderDesign design, const PrepareOptions& options,
                                                   const Control& control);

// Why no rung can run this: elements are counted in 32 bits, and what lies outside must be an element of the input.
// Empty when it can.
[[nodiscard]] std::string ladderUnsupported(const EngineInfo& engine, const FilterWorkload& workload);

}  // namespace sscope
