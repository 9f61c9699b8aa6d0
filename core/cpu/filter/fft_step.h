#pragma once
// Correlation by Fourier transforms of overlapping tiles (overlap-save).

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/cpu/filter/correlator.h"
#include "core/cpu/filter/fft_kernels.h"
#include "core/cpu/filter/fft_range.h"
#include "core/cpu/filter/fft_tile.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/filter/tile_step.h"
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

// Two tiles are the real and the imaginary part of one transform: products with the spectrum of real taps keep them
// separate. A tile in which transforms would lose too many digits (FftRange), or that is not finite, is summed tap by
// tap. A run probes some tiles first; if many of them would be summed, it leaves everything to a step that sums.
//
// Tiles are numbered from one end of the slowest axis of the input to the other, so that a part that begins at an even
// number of layers of tiles has the pairs of the whole (grain()). Only the decision to sum everything may differ
// between parts.
//
// Filters of a bank that have as many taps at the same anchor share the packed tiles and their transform. Each filter
// judges a tile by itself, and its results have the bits that it computes alone.
template <class T>
class FftStep final : public TileStep {
 public:
  // The step that sums the same filter, and the multiply-adds of its method.
  struct Sums {
    std::unique_ptr<TileStep> step;
    double multiplyAdds = 0;
  };
  // Requires fftTakes(the operator's size).
  FftStep(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
          const PrecisionKernels<T>& kernels, Sums sums);
  // For filters of the same size and anchor; `sums`: one for each.
  FftStep(const FilterWorkload& workload, const std::vector<std::size_t>& filters, const AxisOrder& order,
          const PrecisionKernels<T>& kernels, std::vector<Sums> sums);

  void begin() override;
  [[nodiscard]] std::int64_t probes() const override;
  void probe(std::int64_t place, const Scratch& scratch, const TileRun& run) override;
  void decide() override;
  void addTo(RunReport& report) const override;
  // Pairs, and the tiles of the filters that are summed in this run.
  [[nodiscard]] std::int64_t tiles() const override;
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] double work() const override { return static_cast<double>(filters_.size()) * eachMultiplyAdds(); }
  [[nodiscard]] std::int64_t grain() const override { return 2 * tile_.outputs[slowest_]; }
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] bool takeWeights(const FilterWorkload& workload) override;
  void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const override;

 private:
  enum class Way : std::uint8_t { Nothing, Zeros, Sums, Transforms };
  using Magnitudes = typename FftRange<T>::Magnitudes;
  struct Filter {
    std::size_t output = 0;
    std::string name;
    std::vector<T> weights, spectrum;
    FftRange<T> range;
    Sums sums;
    bool summing = false;                           // this run sums everything
    std::atomic<std::int64_t> probed{0}, found{0};  // in this run: probed tiles, and those of them to be summed
    std::atomic<std::int64_t> summed{0};            // tiles summed
  };
  struct Place {
    std::array<std::int64_t, 3> begin{}, size{};  // outputs
    std::int64_t component = 0;
  };
  // One tile of a pair.
  struct Half {
    bool packed = false;
    Place at;
    FftPart<T> part;
    Magnitudes magnitudes;
  };
  using Pair = std::array<Half, 2>;
  // The verdict of one filter on a pair.
  struct Verdict {
    std::array<Way, 2> way{};
    std::array<double, 2> factor{1, 1};  // by which a tile is multiplied before it is transformed, a power of two
    bool operator==(const Verdict&) const = default;
    [[nodiscard]] bool transforms() const { return way[0] == Way::Transforms || way[1] == Way::Transforms; }
  };
  struct Memory {
    std::array<T*, 2> numbers{};
    T *work = nullptr, *strip = nullptr, *cells = nullptr, *transformed = nullptr;
  };

  [[nodiscard]] std::int64_t pairs() const { return (places() + 1) / 2; }
  [[nodiscard]] std::int64_t places() const { return count_[0] * count_[1] * count_[2] * space_.components(); }
  [[nodiscard]] double eachMultiplyAdds() const;  // of one filter, with its share of the common work
  [[nodiscard]] Place place(std::int64_t tile) const;
  [[nodiscard]] Memory memory(const Scratch& scratch) const;
  [[nodiscard]] Pair load(std::int64_t pair, const Memory& memory, const TileRun& run) const;
  [[nodiscard]] Half load(std::int64_t tile, T* numbers, const TileRun& run) const;
  // The filters that are not summed in this run, and their verdicts.
  struct Judged {
    Filter* filter;
    Verdict verdict;
  };
  [[nodiscard]] std::vector<Judged> judge(const Pair& pair, const Memory& memory) const;
  [[nodiscard]] Verdict judge(const FftRange<T>& range, const Pair& pair, const Memory& memory,
                              std::array<std::vector<typename FftRange<T>::Found>, 2>& found) const;
  void runPair(std::int64_t pair, const Memory& memory, const TileRun& run) const;
  void runAlike(std::int64_t pair, const Pair& halves, std::span<const Judged> alike, const Memory& memory,
                const TileRun& run) const;
  void sum(const Filter& filter, const Half& half, const Memory& memory, const TileRun& run) const;
  struct Extents;
  void transform(std::int64_t pair, const Extents& extents, std::span<const Judged> alike, const Memory& memory,
                 const TileRun& run) const;
  void finish(const Judged& judged, const Pair& halves, const Extents& extents, const Memory& memory,
              const TileRun& run, bool fromTransformed) const;
  void inverseAlongZ(std::int64_t group, const Extents& extents, const Memory& memory) const;
  void prefetch(std::int64_t pair, std::int64_t turn, std::int64_t turns, const TileRun& run) const;
  void scale(const Half& half, const std::array<std::int64_t, 3>& size, double factor) const;
  void store(const Filter& filter, const Half& half, const TileRun& run) const;

  static constexpr std::int64_t kStrip = 10;  // rows summed before they are stored
  TileSpace space_;
  const PrecisionKernels<T>& kernels_;
  const FftKernels<T>& transforms_;
  Correlator<T> correlator_;
  FftTile tile_;
  std::array<std::int64_t, 3> count_{};  // tiles per axis
  std::size_t slowest_ = 2;              // tile axis of the input's slowest
  std::array<FftAxis<T>, 3> axis_;
  std::int64_t row_ = 0, plane_ = 0;  // strides of a tile's numbers
  std::int64_t cells_ = 0;            // elements of scratch for FftRange, which depend on the first weights
  std::vector<std::unique_ptr<Filter>> filters_;
};

}  // namespace sscope::cpu
