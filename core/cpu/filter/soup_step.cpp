#include "core/cpu/filter/soup_step.h"

#include <algorithm>
#include <cstdlib>
#include "core/base/arithmetic.h"
#include "core/cpu/run/scratch.h"

namespace sscope::cpu {

namespace {

constexpr int kLargestTap = 64;
constexpr std::int64_t kWidest = 2048;  // two quads of a strip stay in the nearest cache
constexpr std::int64_t kHalo = kSoupTaps - 1;

}  // namespace

std::string SoupStep::restriction(const SoupWorkload& workload) {
  for (const int tap : workload.taps())
    if (std::abs(tap) > kLargestTap) return "its taps lie in -64..64";
  return {};
}

SoupStep::SoupStep(const SoupWorkload& workload, SimdLevel level, const TileLimits& limits)
    : space_(workload, {0, 1, 2}, workload.stencil(0).dense.size, workload.stencil(0).dense.anchor),
      kernels_(soupKernels(level)),
      taps_(packSoupTaps(workload.taps(), workload.scale())) {
  const auto& extent = space_.extent();
  strips_ = divideUp(extent[0], kWidest);
  width_ = divideUp(divideUp(extent[0], strips_), 64) * 64;
  strips_ = divideUp(extent[0], width_);
  constexpr std::int64_t kFlattest = 64;
  const std::int64_t wanted = divideUp(8 * limits.threads, strips_);
  height_ = std::max(divideUp(divideUp(extent[1], wanted), kSoupRows) * kSoupRows, kFlattest);
  chunks_ = divideUp(extent[1], height_);
}

std::int64_t SoupStep::padded(std::int64_t width) const {
  return divideUp(width, kernels_.step) * kernels_.step + kHalo;
}

std::int64_t SoupStep::scratchBytes() const {
  const std::int64_t row = ScratchCarver::paddedBytes<std::uint8_t>(padded(width_));
  const std::int64_t quad = ScratchCarver::paddedBytes<std::uint8_t>(4 * padded(width_));
  return 2 * quad + 2 * kSoupRows * row;
}

double SoupStep::work() const {
  return 25.0 * static_cast<double>(space_.extent()[0]) * static_cast<double>(space_.extent()[1]);
}

std::string SoupStep::description() const {
  return "quads of rows in strips of " + std::to_string(width_) + "x" + std::to_string(height_);
}

// Four input rows from `row` on. Only columns beside the image go through the boundary rule one by one.
void SoupStep::fillQuad(const Strip& strip, std::int64_t row, std::uint8_t* quad) const {
  const PackJob& job = strip.job;
  const auto* source = reinterpret_cast<const std::uint8_t*>(job.source);
  const std::int64_t count = job.extent[0], begin = job.interiorBegin, end = job.interiorEnd;
  const auto constant = static_cast<std::uint8_t>(job.constant);
  const std::int64_t* index = job.sourceIndex[0];
  std::array<const std::uint8_t*, kSoupRows> rows{};
  for (std::int64_t r = 0; r < kSoupRows; ++r) {
    // Rows below the last that is needed do not matter: their taps or their outputs are left out.
    const std::int64_t y = job.sourceIndex[1][std::min(row + r, job.extent[1] - 1)];
    const std::uint8_t* from = source + y * job.sourceStride[1];
    const auto value = [&](std::int64_t x) {
      return y < 0 || index[x] < 0 ? constant : from[index[x] * job.sourceStride[0]];
    };
    for (std::int64_t x = 0; x < begin; ++x) quad[4 * x + r] = value(x);
    for (std::int64_t x = end; x < count; ++x) quad[4 * x + r] = value(x);
    if (y < 0) {
      from = strip.constant.data();
    } else if (job.sourceStride[0] != 1) {
      std::uint8_t* plain = strip.rows + r * padded(width_);
      for (std::int64_t x = begin; x < end; ++x) plain[x - begin] = value(x);
      from = plain;
    } else if (begin < end) {
      from += index[begin];
    }
    rows[static_cast<std::size_t>(r)] = from;
  }
  kernels_.interleave(rows, end - begin, quad + 4 * begin);
}

// Straight to the output where whole steps fit; the last step is moved back.
void SoupStep::storeBand(const Strip& strip, const StoreJob& place, SoupBand band) const {
  const std::int64_t width = place.extent[0], rows = place.extent[1];
  auto* target = reinterpret_cast<std::uint8_t*>(place.target);
  if (rows == kSoupRows && place.targetStride[0] == 1 && width >= kernels_.step) {
    for (std::int64_t r = 0; r < kSoupRows; ++r)
      band.out[static_cast<std::size_t>(r)] = target + r * place.targetStride[1];
    band.count = width / kernels_.step * kernels_.step;
    kernels_.convolve(band);
    if (const std::int64_t last = width - kernels_.step; band.count < width) {
      for (auto& quad : band.quad) quad += 4 * last;
      for (auto& out : band.out) out += last;
      band.count = kernels_.step;
      kernels_.convolve(band);
    }
    return;
  }
  for (std::int64_t r = 0; r < kSoupRows; ++r)
    band.out[static_cast<std::size_t>(r)] = strip.results + r * padded(width_);
  band.count = divideUp(width, kernels_.step) * kernels_.step;
  kernels_.convolve(band);
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t x = 0; x < width; ++x)
      target[r * place.targetStride[1] + x * place.targetStride[0]] = band.out[static_cast<std::size_t>(r)][x];
}

void SoupStep::runTile(std::int64_t tile, const Scratch& scratch, const TileRun& run) const {
  const std::array<std::int64_t, 3> begin{tile % strips_ * width_, tile / strips_ * height_, 0};
  const std::int64_t width = std::min(width_, space_.extent()[0] - begin[0]);
  const std::int64_t height = std::min(height_, space_.extent()[1] - begin[1]);
  ScratchCarver carver(scratch);
  std::array<std::uint8_t*, 2> quads{};
  for (auto& quad : quads) {
    quad = carver.take<std::uint8_t>(4 * padded(width_));
    std::fill_n(quad, 4 * padded(width_), std::uint8_t{0});
  }
  Strip strip;
  strip.rows = carver.take<std::uint8_t>(kSoupRows * padded(width_));
  strip.results = carver.take<std::uint8_t>(kSoupRows * padded(width_));
  strip.job = space_.packJob(run.input, 0, begin, {width + kHalo, height + kHalo, 1});
  strip.constant.assign(static_cast<std::size_t>(width + kHalo), static_cast<std::uint8_t>(strip.job.constant));

  fillQuad(strip, 0, quads[0]);
  for (std::int64_t y = 0; y < height; y += kSoupRows) {
    run.control.check();
    fillQuad(strip, y + kSoupRows, quads[1]);
    SoupBand band;
    band.quad = {quads[0], quads[1]};
    band.taps = &taps_;
    const std::int64_t rows = std::min(kSoupRows, height - y);
    storeBand(strip, space_.storeJob(run.outputs[0], 0, {begin[0], begin[1] + y, 0}, {width, rows, 1}), band);
    std::swap(quads[0], quads[1]);
  }
}

}  // namespace sscope::cpu
