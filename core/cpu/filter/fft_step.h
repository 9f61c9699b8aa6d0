#pragma once
// Correlation of one filter by Fourier transforms of overlapping tiles (overlap-save).

#include <array>
#include <atomic>
#include <memory>
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
// apart. A tile in which transforms would lose too much (FftRange), or that is not finite, is summed tap by tap. A run
// looks at some tiles first; where many would be summed, it leaves everything to a step that sums.
template <class T>
class FftStep final : public TileStep {
 public:
  // What sums the same filter, and the multiply-adds of its method.
  struct Sums {
    std::unique_ptr<TileStep> step;
    double multiplyAdds = 0;
  };
  // fftTakes(the operator's size).
  FftStep(const FilterWorkload& workload, std::size_t filter, const AxisOrder& order,
          const PrecisionKernels<T>& kernels, Sums sums);

  void begin() override { looked_ = found_ = summed_ = 0; }
  [[nodiscard]] std::int64_t looks() const override;
  void look(std::int64_t place, const Scratch& scratch, const TileRun& run) override;
  void decide() override;
  void tell(RunReport& report) const override;
  [[nodiscard]] std::int64_t tiles() const override;  // pairs
  [[nodiscard]] std::int64_t scratchBytes() const override;
  [[nodiscard]] double work() const override { return tile_.multiplyAdds; }
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] bool takeWeights(const FilterWorkload& workload) override;
  void runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const override;

 private:
  enum class Way : std::uint8_t { Nothing, Zeros, Sums, Transforms };
  using Magnitudes = typename FftRange<T>::Magnitudes;
  struct Place {
    std::array<std::int64_t, 3> begin{}, size{};  // outputs
    std::int64_t component = 0;
  };
  // One tile of a pair.
  struct Half {
    Way way = Way::Nothing;
    Place at;
    FftPart<T> part;
    Magnitudes magnitudes;
    double factor = 1;  // by which it is multiplied before it is transformed, a power of two
  };
  using Pair = std::array<Half, 2>;
  struct Memory {
    std::array<T*, 2> numbers{};
    T *work = nullptr, *strip = nullptr, *cells = nullptr;
  };

  [[nodiscard]] std::int64_t pairs() const { return (places() + 1) / 2; }
  [[nodiscard]] std::int64_t places() const { return count_[0] * count_[1] * count_[2] * space_.components(); }
  [[nodiscard]] Place place(std::int64_t tile) const;
  [[nodiscard]] Memory memory(const Scratch& scratch) const;
  [[nodiscard]] Half load(std::int64_t tile, T* numbers, const TileRun& run) const;
  void judge(Pair& pair, const Memory& memory) const;
  [[nodiscard]] Pair judged(std::int64_t tile, const Memory& memory, const TileRun& run) const;
  void sum(const Half& half, const Memory& memory, const TileRun& run) const;
  void transform(std::int64_t tile, const Pair& pair, const Memory& memory, const TileRun& run) const;
  void prefetch(std::int64_t tile, std::int64_t turn, std::int64_t turns, const TileRun& run) const;
  void scale(const Half& half, const std::array<std::int64_t, 3>& size, double factor) const;
  void store(const Half& half, const TileRun& run) const;

  static constexpr std::int64_t kStrip = 10;  // rows summed before they are stored
  std::size_t output_;
  std::string name_;
  TileSpace space_;
  const PrecisionKernels<T>& kernels_;
  const FftKernels<T>& transforms_;
  Correlator<T> correlator_;
  FftTile tile_;
  std::array<std::int64_t, 3> count_{};  // tiles per axis
  std::array<FftAxis<T>, 3> axis_;
  std::int64_t row_ = 0, plane_ = 0;  // strides of a tile's numbers
  std::int64_t cells_ = 0;            // elements of scratch for FftRange, which depend on the first weights
  std::vector<T> weights_, spectrum_;
  FftRange<T> range_;
  Sums sums_;
  bool summing_ = false;                            // in this run everything
  std::atomic<std::int64_t> looked_{0}, found_{0};  // of this run: tiles looked at first, and those to be summed
  mutable std::atomic<std::int64_t> summed_{0};     // tiles summed
};

}  // namespace sscope::cpu
