#pragma once
// One filter that is a sum of separable terms, as passes along y, z and x.

#include <array>
#include <memory>
#include <vector>

#include "core/cpu/filter/correlator.h"
#include "core/cpu/filter/equal_taps.h"
#include "core/cpu/filter/plane_store.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/filter/tile_step.h"
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

// A tile is a column of the volume that is walked along z: each input plane is packed and summed along y once,
// the last planes are kept, summed along z and then along x. Only y and x need halos that are computed twice.
template <class T>
class SeparableStep final : public TileStep {
 public:
  // `store`: null for one that only converts; an ExactRounding only in single precision.
  SeparableStep(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
                const PrecisionKernels<T>& kernels, const TileLimits& limits,
                std::unique_ptr<PlaneStore> store = nullptr);

  [[nodiscard]] std::int64_t tiles() const override;
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] double work() const override;
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] bool takeWeights(const FilterWorkload& workload) override;
  void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const override;

 private:
  struct Axis {
    std::vector<T> weights;
    std::int64_t offset = 0;  // from the hull's first tap
    bool identity = false;
    bool equal = false;  // taps that are summed with fewer operations
    Correlator<T> correlator;
    EqualSplit split;  // of equal taps along x
    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(weights.size()); }
  };
  using Term = std::array<Axis, 3>;
  struct Shape {
    std::int64_t x = 0, y = 0, z = 0;  // outputs of a column
    std::int64_t chunk = 0;            // output planes summed at once
  };
  struct Layout {
    std::int64_t row = 0, outRow = 0;                           // strides in elements
    std::int64_t plane = 0, outPlane = 0;                       // of kept planes and of results
    std::int64_t packed = 0, kept = 0, summed = 0, result = 0;  // elements; kept and summed: per term
    std::int64_t buffer = 0, prefix = 0;                        // of passes with equal taps
    [[nodiscard]] std::int64_t bytes(std::int64_t terms) const;
  };
  struct Memory {
    T *packed, *kept, *summed, *result, *buffer, *prefix;
  };
  struct Column {
    std::array<std::int64_t, 3> begin{}, size{};
    std::int64_t component = 0;
    Layout layout;
    Memory memory;
  };
  [[nodiscard]] Layout layout(const Shape& shape) const;
  [[nodiscard]] std::int64_t bytes(const Shape& shape) const;
  [[nodiscard]] double passCost(const Axis& axis, std::size_t a) const;
  // A single term with equal taps along z: planes are added as they come.
  [[nodiscard]] bool streams() const { return terms_.size() == 1 && terms_[0][2].equal; }
  // All passes have equal taps, if any.
  [[nodiscard]] bool light() const;
  [[nodiscard]] double total(const Shape& shape, const TileLimits& limits) const;
  [[nodiscard]] double cost(const Shape& shape) const;
  [[nodiscard]] Shape chooseShape(const TileLimits& limits) const;
  void addPlane(const Column& column, std::int64_t plane, std::int64_t slot, const TileRun& run) const;
  void runStream(const Column& column, const TileRun& run) const;
  // `kept`: what the plane was summed from along z, null where it is no more.
  void storePlane(const Column& column, std::int64_t z, const T* summed, const T* kept, const TileRun& run) const;
  void finishChunk(const Column& column, std::int64_t z, std::int64_t planes, const TileRun& run) const;
  void sumColumns(const Column& column, const Axis& axis, const Correlation<T>& job, const TileRun& run) const;
  void sumRows(const Column& column, const Axis& axis, std::size_t a, std::int64_t first, const Correlation<T>& job,
               const TileRun& run) const;
  void sumAlongX(const Column& column, const T* plane, const TileRun& run) const;

  TileSpace space_;
  const PrecisionKernels<T>& kernels_;
  std::size_t output_;
  std::unique_ptr<PlaneStore> store_;
  std::vector<Term> terms_;
  Shape shape_;
  std::array<std::int64_t, 3> count_{};
};

}  // namespace sscope::cpu
