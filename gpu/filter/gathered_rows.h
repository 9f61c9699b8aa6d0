#pragma once
// Keys of order statistics on devices: integers in the order of the values.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/filter/workload/filter_workload.h"
#include "gpu/device/kernel_source.h"
#include "gpu/filter/context.h"
#include "gpu/run/device_run.h"

namespace sscope {

struct RankKeys {
  ElementType ordered = ElementType::f32;  // the type of the values (FilterWorkload::orderedAs)
  bool smallest = false;                   // NaN is the smallest key instead of the largest

  [[nodiscard]] std::int64_t bytes() const { return static_cast<std::int64_t>(bytesOf(ordered)); }
  // A key's type in memory, as kernels call it.
  [[nodiscard]] std::string stored() const;
  [[nodiscard]] std::int64_t keyOf(double value) const;
  bool operator==(const RankKeys&) const = default;
};

// Definitions of rank_keys.h. `paired`: words hold two keys.
void defineKeys(KernelSource& source, const RankKeys& keys, bool paired = false);
// Definitions of rank_store.h, for outputs of this type; source.precision must hold them.
void defineRankStore(KernelSource& source, const RankKeys& keys, ElementType output);

// The precision with which rank_store.h writes outputs: single, unless keys are not integers and the workload needs
// double.
[[nodiscard]] Precision storePrecision(const FilterWorkload& workload);

// The input converted to the arithmetic type, or to keys, and padded by its boundary, for kernels without boundary
// handling.

// How rows are laid out for the kernel that reads them.
struct RowLayout {
  int vector = 1;                     // elements of a load
  Grid group{64, 4};                  // of the kernel that gathers
  std::int64_t tileX = 1, tileY = 1;  // a work item's outputs: rows and slices are long enough for whole tiles
  std::optional<RankKeys> keys{};     // keys instead of numbers; then `vector` is ignored
};

// Which rows the slot kGathered holds; the slices are the tile's.
struct GatheredBox {
  std::array<std::int64_t, 3> size, anchor;
  std::int64_t pitch = 0, rowsY = 0;
  Precision precision = Precision::f32;  // of numbers
  std::optional<RankKeys> keys{};

  bool operator==(const GatheredBox&) const = default;
};

// Slot kGathered holds rows of pitch() numbers or keys, rowsY() rows per slice, for boxes of `size` around every
// output.
class GatheredRows {
 public:
  GatheredRows(const GatheredRows&) = delete;
  GatheredRows& operator=(const GatheredRows&) = delete;
  // Starts building its kernel.
  GatheredRows(const FilterContext& context, const std::array<std::int64_t, 3>& size,
               const std::array<std::int64_t, 3>& anchor);
  GatheredRows(const FilterContext& context, const std::array<std::int64_t, 3>& size,
               const std::array<std::int64_t, 3>& anchor, const RowLayout& layout);

  // As the members of FilterStep.
  void needSlices(const Range& outputs, std::vector<bool>& needed) const;
  void needBytes(std::int64_t slices, SlotBytes& bytes) const;
  void finish(const Control& control);
  // Launches nothing if the context says that the slot holds these rows already.
  void compute(DeviceRun& run, const FilterTile& tile, const DeviceRun::Progress& finished);

  // Large enough for the last tile of outputs to read all its boxes.
  [[nodiscard]] std::int64_t pitch() const;
  [[nodiscard]] std::int64_t rowsY() const;
  // Numbers in a row of outputs.
  [[nodiscard]] std::int64_t length() const;

 private:
  void describeNumbers();
  void describeKeys();
  [[nodiscard]] std::int64_t elementBytes() const { return layout_.keys ? layout_.keys->bytes() : c_.realBytes(); }
  [[nodiscard]] Device& device() const { return c_.engine->device(); }
  [[nodiscard]] std::int64_t width() const;
  [[nodiscard]] Range region(std::size_t axis) const { return {c_.region().begin[axis], c_.region().end[axis]}; }
  [[nodiscard]] std::vector<std::int32_t> places(std::size_t axis, const Range& outputs, std::int64_t extra = 0) const;

  FilterContext c_;
  std::array<std::int64_t, 3> size_, anchor_;
  RowLayout layout_;
  OwnBuffer xTable_, yTable_;
  TileTable zTable_;
  KernelStage gather_;
};

}  // namespace sscope
