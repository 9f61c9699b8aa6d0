#pragma once
// An output that lives where it was computed: in the memory of a device, or in the host's where the processor computed
// it. Whoever needs a part of it, such as a slice, asks for that part; the whole comes to the host once, when somebody
// needs the whole.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/control.h"
#include "core/engine/run_report.h"
#include "core/volume/array_view.h"
#include "core/volume/histogram.h"
#include "core/volume/volume.h"
#include "core/volume/volume_brick.h"

namespace sscope {

// A part of an array and where it goes: `to` has the array's type and components and the extents of the box.
struct BoxCopy {
  Box box;
  ArrayView to;
};

// How many voxels ResidentArray::every() gives. Throws Error(Usage) for a step below 1.
[[nodiscard]] std::int64_t voxelsOfEvery(const ArraySpec& spec, std::int64_t step);
// The slice across `axis` (0..2) at voxel `at`.
[[nodiscard]] Box sliceBox(const ArraySpec& spec, std::size_t axis, std::int64_t at);
[[nodiscard]] Box wholeBox(const ArraySpec& spec);

// Never changes once it is there. It may outlive the plan that filled it and all later runs of its engine; its memory
// is used for another result once nobody holds it.
//
// Of a device: when the memory is needed for something else, the array that was asked least recently moves to the host.
// Where the host has no room either, or the engine ended before, the array is lost, and its functions throw
// Error(Memory) or Error(Device). All functions may be called from any thread; a device answers one at a time, between
// runs. They throw Canceled, Error(Device) and, for boxes beyond the array or views of other sizes, Error(Usage).
class ResidentArray {
 public:
  virtual ~ResidentArray() = default;
  ResidentArray() = default;
  ResidentArray(const ResidentArray&) = delete;
  ResidentArray& operator=(const ResidentArray&) = delete;

  [[nodiscard]] virtual const ArraySpec& spec() const = 0;
  // The id of the engine that computed it.
  [[nodiscard]] virtual const std::string& engine() const = 0;
  // Bytes of device memory that it takes now; 0: it lives in the host's memory, or is lost.
  [[nodiscard]] virtual std::int64_t deviceBytes() const = 0;

  // Copies all of them; a device gathers them first and waits once for as much as fits into a buffer of some MiB.
  virtual void read(std::span<const BoxCopy> boxes, const Control& control) = 0;
  // Every `step`-th voxel (at least 1) in the order of memory, from the first on: {count, 1, 1, components}.
  [[nodiscard]] virtual Volume every(std::int64_t step, const Control& control) = 0;
  // Copies the whole, in pieces, with progress.
  virtual void copyTo(const ArrayView& to, const Control& control) = 0;
  // Of the finite elements of one component, or of all (-1), in a box; computed where the array lives. Devices without
  // doubles find the bins in single precision.
  [[nodiscard]] virtual ValueRange range(const Box& box, int component, const Control& control) = 0;
  // At most kMostBins bins.
  [[nodiscard]] virtual std::vector<std::int64_t> counts(const Box& box, int component, const Bins& bins,
                                                         const Control& control) = 0;
  // What the 3D view is made of (core/volume/volume_brick.h), to the bit as from a volume where there are doubles.
  [[nodiscard]] virtual std::vector<float> means(const BrickBlocks& blocks, const Control& control) = 0;
  // The whole in host memory, copied at the first call; without geometry. Throws Error(Memory), too.
  [[nodiscard]] virtual std::shared_ptr<const Volume> host(const Control& control) = 0;
};

inline constexpr std::int64_t kMostBins = 256;

// As makeHistogram and makeBrick of a volume. Throw what the array throws.
[[nodiscard]] Histogram makeHistogram(ResidentArray& array, const Box& box, int component, int bins,
                                      const Control& control);
[[nodiscard]] VolumeBrick makeBrick(ResidentArray& array, const Geometry& geometry, int component, std::int64_t edge,
                                    const Control& control, const std::optional<std::array<double, 2>>& window = {});

// The outputs of a run, in the order of the workload's.
struct ResidentRun {
  RunReport report;
  std::vector<std::shared_ptr<ResidentArray>> outputs;
};

// One in host memory, of which nothing is copied.
[[nodiscard]] std::shared_ptr<ResidentArray> hostArray(std::string engine, std::shared_ptr<const Volume> volume);

// Throws Error(Usage) unless the box lies in the array and has voxels.
void requireBox(const ArraySpec& spec, const Box& box);
// Throws Error(Usage) unless each box does and its view has its extents.
void requireBoxes(const ArraySpec& spec, std::span<const BoxCopy> boxes);
// Copies a box from dense memory that holds nothing else to its view.
void scatterBox(const std::byte* dense, const ArrayView& to);

}  // namespace sscope
