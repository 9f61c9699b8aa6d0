#pragma once
// The shared state of the steps of one filter plan.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/filter/workload/filter_workload.h"
#include "gpu/device/kernel_source.h"
#include "gpu/filter/methods.h"
#include "gpu/run/device_engine.h"
#include "gpu/run/kernel_stage.h"

namespace sscope {

// The slots that all steps of a filter plan share.
inline constexpr Slot kOutput{1}, kGathered{2}, kAfterZ{3}, kAfterY{4}, kSum{5};
inline constexpr Slot kSpare{6}, kOtherSpare{7};  // alternate with kOutput where slabs are copied beside kernels
inline constexpr Slot kUnits{8};                  // the tiles that are summed rather than transformed
inline constexpr Slot kUnrounded{9};
// The outputs after the first of a step that computes several filters.
inline constexpr std::size_t kFirstMoreOutputs = 10;
inline constexpr std::size_t kFilterSlots = kFirstMoreOutputs + kMostTogether - 1;
[[nodiscard]] constexpr Slot outputSlot(std::size_t output) {
  return output == 0 ? kOutput : Slot{static_cast<std::uint8_t>(kFirstMoreOutputs + output - 1)};
}
[[nodiscard]] inline std::int64_t& bytesAt(SlotBytes& bytes, Slot slot) {
  return bytes[static_cast<std::size_t>(slot)];
}

struct GatheredBox;

struct FilterContext {
  DeviceEngine* engine = nullptr;
  const FilterWorkload* workload = nullptr;
  LaunchStyle style;
  // A u64, to which the last kernel of a step adds elements that left the output's range.
  const OwnBuffer* saturated = nullptr;
  // The content of kGathered for the current tile, so that filters of one size gather once; may be null.
  std::optional<GatheredBox>* gathered = nullptr;
  // If they differ from the workload's: the precision of the arithmetic (also of `style`), and the element type that
  // the last kernel of a step writes.
  std::optional<Precision> arithmetic{};
  std::optional<ElementType> written{};
  Slot output = kOutput;
  // The plan must not wait for the compiler: filters that passes can compute are not fused.
  bool inPasses = false;

  [[nodiscard]] Precision precision() const { return arithmetic.value_or(workload->precision()); }
  [[nodiscard]] ElementType outputType() const { return written.value_or(workload->outputType()); }
  [[nodiscard]] const ArraySpec& input() const { return workload->input(); }
  [[nodiscard]] const Box& region() const { return workload->region(); }
  [[nodiscard]] std::int64_t components() const { return input().extent[3]; }
  [[nodiscard]] std::int64_t realBytes() const { return precision() == Precision::f32 ? 4 : 8; }
  [[nodiscard]] ElementType realType() const {
    return precision() == Precision::f32 ? ElementType::f32 : ElementType::f64;
  }
  // Rows of intermediate results end on a whole vector.
  [[nodiscard]] std::int64_t pitch(std::int64_t elements) const {
    return (elements + style.vector - 1) / style.vector * style.vector;
  }
};

// A part of the output along z, and the input slices it needs.
struct FilterTile {
  std::int64_t begin = 0, end = 0;   // output slices, in the volume's coordinates
  std::vector<std::int64_t> slices;  // of the input, ascending: the content of slot kInput
  std::vector<std::int32_t> place;   // of each input slice in that slot, or -1

  [[nodiscard]] std::int64_t size() const { return end - begin; }
};

// For outputs.size() + taps - 1 positions: the voxel less `origin`, or -1 where the constant stands. The last entry is
// repeated `extra` times.
[[nodiscard]] std::vector<std::int32_t> placesOf(const Range& outputs, std::int64_t taps, std::int64_t anchor,
                                                 std::int64_t extent, Boundary boundary, std::int64_t origin,
                                                 std::int64_t extra = 0);

// The places of slices in the tile's input.
[[nodiscard]] std::vector<std::int32_t> placesInTile(std::vector<std::int32_t> slices, const FilterTile& tile);

// Marks the input slices that taps along z reach.
void markSlices(const Range& outputs, std::int64_t taps, std::int64_t anchor, Boundary boundary,
                std::vector<bool>& needed);

// Small read-only data of a plan on its device.
[[nodiscard]] std::unique_ptr<DeviceBuffer> makeTable(Device& device, std::span<const std::int32_t> values,
                                                      const Control& control);
[[nodiscard]] std::unique_ptr<DeviceBuffer> makeTaps(Device& device, std::span<const double> taps, Precision precision,
                                                     const Control& control);
// The same into an existing table if it is large enough.
void putTable(Device& device, OwnBuffer& table, std::span<const std::int32_t> values, const Control& control);
void putTaps(Device& device, OwnBuffer& table, std::span<const double> taps, Precision precision,
             const Control& control);

// The table of places in the input of a tile. Consecutive runs mostly compute the same tiles.
class TileTable {
 public:
  // Written only if it differs from the table's content.
  void put(Device& device, std::vector<std::int32_t> values, const Control& control);
  [[nodiscard]] const OwnBuffer* buffer() const { return &buffer_; }

 private:
  OwnBuffer buffer_;
  std::vector<std::int32_t> values_;
};

// The bytes of taps, for an argument by value.
[[nodiscard]] std::vector<std::byte> bytesOfTaps(std::span<const double> taps, Precision precision);

// A number of the arithmetic's type as kernel argument.
[[nodiscard]] StageArgument realArgument(double value, Precision precision);

// Definitions of filter_store.h.
void defineStore(KernelSource& source, ElementType output, bool accumulate, bool padded);

// The address space in which this many taps fit.
[[nodiscard]] std::string tapsSpace(const DeviceProperties& device, std::int64_t taps, Precision precision);

// The places of voxels that taps reach, for kernels that sum single outputs straight from the input.
class BoundaryMaps {
 public:
  BoundaryMaps(const FilterContext& context, const std::array<std::int64_t, 3>& size,
               const std::array<std::int64_t, 3>& anchor)
      : c_(context), size_(size), anchor_(anchor) {}

  // The tables begin with the first output's first tap; those along z hold the tile's places.
  [[nodiscard]] const OwnBuffer* x() const { return &x_; }
  [[nodiscard]] const OwnBuffer* y() const { return &y_; }
  [[nodiscard]] const OwnBuffer* z() const { return z_.buffer(); }

  void finish(const Control& control) {
    x_ = makeTable(device(), places(0, region(0)), control);
    y_ = makeTable(device(), places(1, region(1)), control);
  }
  // Called before a tile's launch.
  void put(const FilterTile& tile, const Control& control) {
    z_.put(device(), placesInTile(places(2, {tile.begin, tile.end}), tile), control);
  }
  void needSlices(const Range& outputs, std::vector<bool>& needed) const {
    markSlices(outputs, size_[2], anchor_[2], c_.workload->boundary(), needed);
  }

 private:
  [[nodiscard]] Device& device() const { return c_.engine->device(); }
  [[nodiscard]] Range region(std::size_t axis) const { return {c_.region().begin[axis], c_.region().end[axis]}; }
  [[nodiscard]] std::vector<std::int32_t> places(std::size_t axis, const Range& outputs) const {
    return placesOf(outputs, size_[axis], anchor_[axis], c_.input().extent[axis], c_.workload->boundary(), 0);
  }

  FilterContext c_;
  std::array<std::int64_t, 3> size_, anchor_;
  OwnBuffer x_, y_;
  TileTable z_;
};

}  // namespace sscope
