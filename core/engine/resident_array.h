#pragma once
// An output that stays where it was computed: in the memory of a device, or in the host's if the processor computed it.
// Callers that need a part of it, such as a slice, read that part; the whole is copied to the host once, when it is
// first needed.

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

// A part of an array and its destination: `to` has the array's type and components and the extents of the box.
struct BoxCopy {
  Box box;
  ArrayView to;
};

// The number of voxels that ResidentArray::every() gives. Throws Error(Usage) for a step below 1.
[[nodiscard]] std::int64_t voxelsOfEvery(const ArraySpec& spec, std::int64_t step);
// The slice across `axis` (0..2) at voxel `at`.
[[nodiscard]] Box sliceBox(const ArraySpec& spec, std::size_t axis, std::int64_t at);
[[nodiscard]] Box wholeBox(const ArraySpec& spec);

// Immutable once it is computed. It may outlive the plan that filled it and all later runs of its engine; its memory is
// reused when the last reference is gone.
//
// On a device: when the memory is needed for other data, the least recently used array moves to the host. If the host
// has no room either, or the engine has ended before, the array is lost, and its functions throw Error(Memory) or
// Error(Device). All functions may be called from any thread; a device executes one at a time, between runs. They throw
// Canceled, Error(Device) and, for boxes beyond the array or views of other sizes, Error(Usage).
class ResidentArray {
 public:
  virtual ~ResidentArray() = default;
  ResidentArray() = default;
  ResidentArray(const ResidentArray&) = delete;
  ResidentArray& operator=(const ResidentArray&) = delete;

  [[nodiscard]] virtual const ArraySpec& spec() const = 0;
  // The id of the engine that computed it.
  [[nodiscard]] virtual const std::string& engine() const = 0;
  // Bytes of device memory that it takes now; 0: it is in the host's memory, or lost.
  [[nodiscard]] virtual std::int64_t deviceBytes() const = 0;

  // Copies all boxes; a device gathers as many as fit into a buffer of some MiB for each transfer.
  virtual void read(std::span<const BoxCopy> boxes, const Control& control) = 0;
  // Every `step`-th voxel (at least 1) in the order of memory, from the first on: {count, 1, 1, components}.
  [[nodiscard]] virtual Volume every(std::int64_t step, const Control& control) = 0;
  // Copies the whole, in pieces, with progress.
  virtual void copyTo(const ArrayView& to, const Control& control) = 0;
  // The range of the finite elements of one component, or of all (-1), in a box, computed where the array is. Devices
  // without doubles compute bins in single precision.
  [[nodiscard]] virtual ValueRange range(const Box& box, int component, const Control& control) = 0;
  // At most kMostBins bins.
  [[nodiscard]] virtual std::vector<std::int64_t> counts(const Box& box, int component, const Bins& bins,
                                                         const Control& control) = 0;
  // The block means of the 3D view (core/volume/volume_brick.h), with the bits of those from a volume if the device has
  // doubles.
  [[nodiscard]] virtual std::vector<float> means(const BrickBlocks& blocks, const Control& control) = 0;
  // The whole in host memory, copied at the first call; without geometry. Throws Error(Memory), too.
  [[nodiscard]] virtual std::shared_ptr<const Volume> host(const Control& control) = 0;
};

inline constexpr std::int64_t kMostBins = 256;

// Like makeHistogram and makeBrick for a volume. They throw what the array throws.
[[nodiscard]] Histogram makeHistogram(ResidentArray& array, const Box& box, int component, int bins,
                                      const Control& control);
[[nodiscard]] VolumeBrick makeBrick(ResidentArray& array, const Geometry& geometry, int component, std::int64_t edge,
                                    const Control& control, const std::optional<std::array<double, 2>>& window = {});

// The outputs of a run, in the order of the workload's.
struct ResidentRun {
  RunReport report;
  std::vector<std::shared_ptr<ResidentArray>> outputs;
};

// An array in host memory, without a copy.
[[nodiscard]] std::shared_ptr<ResidentArray> hostArray(std::string engine, std::shared_ptr<const Volume> volume);

// Throws Error(Usage) unless the box lies in the array and has voxels.
void requireBox(const ArraySpec& spec, const Box& box);
// Throws Error(Usage) unless each box lies in the array and its view has the extents of the box.
void requireBoxes(const ArraySpec& spec, std::span<const BoxCopy> boxes);
// Copies a box, stored densely, to its view.
void scatterBox(const std::byte* dense, const ArrayView& to);

}  // namespace sscope
