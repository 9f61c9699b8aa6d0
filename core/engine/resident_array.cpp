#include "core/engine/resident_array.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "core/base/error.h"

namespace sscope {

namespace {

// Copies all elements of a view to one of the same type and extents, rows at once where both have them without gaps.
void copyView(const ConstArrayView& from, const ArrayView& to) {
  const auto [nx, ny, nz, nc] = from.extent;
  const auto size = static_cast<std::int64_t>(bytesOf(from.type));
  const auto denseRow = [&, n = nc](const auto& view) {
    return (n == 1 || view.stride[3] == 1) && (view.extent[0] == 1 || view.stride[0] == n);
  };
  const bool dense = denseRow(from) && denseRow(to);
  std::int64_t width = nx, components = nc, rows = ny;
  // A slice across x has as many rows as voxels.
  constexpr std::int64_t kShortRow = 256;
  const auto denseSlice = [row = nx * nc](const auto& view) { return view.stride[1] == row; };
  if (dense && width * components * size <= kShortRow && denseSlice(from) && denseSlice(to))
    width *= std::exchange(rows, 1);
  const auto copyRow = [&](std::int64_t row) {
    const std::int64_t y = row % rows, z = row / rows;
    const std::byte* in = from.data + from.offset(0, y, z) * size;
    std::byte* out = to.data + to.offset(0, y, z) * size;
    if (dense) {
      std::memcpy(out, in, static_cast<std::size_t>(width * components * size));
      return;
    }
    for (std::int64_t x = 0; x < width; ++x)
      for (std::int64_t c = 0; c < components; ++c)
        std::memcpy(out + (x * to.stride[0] + c * to.stride[3]) * size,
                    in + (x * from.stride[0] + c * from.stride[3]) * size, static_cast<std::size_t>(size));
  };
  // One core does not copy as fast as the memory does; what is small is there before others have woken up.
  constexpr std::int64_t kSmall = 512 << 10;
  const std::int64_t rowBytes = std::max<std::int64_t>(1, width * components * size);
  if (rows * nz * rowBytes <= kSmall) {
    for (std::int64_t row = 0; row < rows * nz; ++row) copyRow(row);
  } else {
    tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, rows * nz, std::max<std::int64_t>(1, kSmall / 4 / rowBytes)),
                      [&](const auto& range) {
                        for (std::int64_t row = range.begin(); row < range.end(); ++row) copyRow(row);
                      });
  }
}

class HostArray final : public ResidentArray {
 public:
  HostArray(std::string engine, std::shared_ptr<const Volume> volume)
      : engine_(std::move(engine)), volume_(std::move(volume)), spec_(volume_->spec()) {}

  [[nodiscard]] const ArraySpec& spec() const override { return spec_; }
  [[nodiscard]] const std::string& engine() const override { return engine_; }
  [[nodiscard]] std::int64_t deviceBytes() const override { return 0; }

  void read(std::span<const BoxCopy> boxes, const Control& control) override {
    requireBoxes(spec_, boxes);
    for (const BoxCopy& one : boxes) {
      control.check();
      copyView(viewOfBox(volume_->view(), one.box), one.to);
    }
  }

  [[nodiscard]] Volume every(std::int64_t step, const Control& control) override {
    const std::int64_t count = voxelsOfEvery(spec_, step);
    control.check();
    Volume taken({count, 1, 1, static_cast<int>(spec_.extent[3])}, spec_.type);
    const std::int64_t size = spec_.extent[3] * static_cast<std::int64_t>(bytesOf(spec_.type));
    for (std::int64_t i = 0; i < count; ++i)
      std::memcpy(taken.data() + i * size, volume_->data() + i * step * size, static_cast<std::size_t>(size));
    return taken;
  }

  void copyTo(const ArrayView& to, const Control& control) override {
    const BoxCopy all{wholeBox(spec_), to};
    requireBoxes(spec_, {&all, 1});
    const std::int64_t slices = spec_.extent[2];
    const std::int64_t bytes = std::max<std::int64_t>(1, spec_.bytes() / std::max<std::int64_t>(1, slices));
    const std::int64_t step = std::max<std::int64_t>(1, (std::int64_t{32} << 20) / bytes);
    for (std::int64_t z = 0; z < slices; z += step) {
      Box box = all.box;
      box.begin[2] = z;
      box.end[2] = std::min(slices, z + step);
      ArrayView part = to;
      part.data += to.offset(0, 0, z) * static_cast<std::int64_t>(bytesOf(to.type));
      part.extent[2] = box.size(2);
      const BoxCopy piece{box, part};
      read({&piece, 1}, control);
      control.report(static_cast<double>(box.end[2]) / static_cast<double>(slices), "copying");
    }
  }

  [[nodiscard]] ValueRange range(const Box& box, int component, const Control& control) override {
    requireBox(spec_, box);
    return rangeOf(viewOfBox(volume_->view(), box), component, control);
  }
  [[nodiscard]] std::vector<std::int64_t> counts(const Box& box, int component, const Bins& bins,
                                                 const Control& control) override {
    requireBox(spec_, box);
    return countsOf(viewOfBox(volume_->view(), box), component, bins, control);
  }
  [[nodiscard]] std::vector<float> means(const BrickBlocks& blocks, const Control& control) override {
    return blockMeans(*volume_, blocks, control);
  }

  [[nodiscard]] std::shared_ptr<const Volume> host(const Control& /*control*/) override { return volume_; }

 private:
  std::string engine_;
  std::shared_ptr<const Volume> volume_;
  ArraySpec spec_;
};

}  // namespace

std::int64_t voxelsOfEvery(const ArraySpec& spec, std::int64_t step) {
  if (step < 1) throw Error(ErrorKind::Usage, "samples of a result are at least one voxel apart");
  const std::int64_t voxels = spec.extent[0] * spec.extent[1] * spec.extent[2];
  return (voxels + step - 1) / step;
}

Box wholeBox(const ArraySpec& spec) { return {{0, 0, 0}, {spec.extent[0], spec.extent[1], spec.extent[2]}}; }

Box sliceBox(const ArraySpec& spec, std::size_t axis, std::int64_t at) {
  Box box = wholeBox(spec);
  box.begin.at(axis) = at;
  box.end.at(axis) = at + 1;
  return box;
}

std::shared_ptr<ResidentArray> hostArray(std::string engine, std::shared_ptr<const Volume> volume) {
  return std::make_shared<HostArray>(std::move(engine), std::move(volume));
}

void requireBox(const ArraySpec& spec, const Box& box) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (box.begin[axis] < 0 || box.end[axis] > spec.extent[axis] || box.begin[axis] >= box.end[axis])
      throw Error(ErrorKind::Usage, "a part of a result was asked for that it does not have", "ask for voxels inside");
}

void requireBoxes(const ArraySpec& spec, std::span<const BoxCopy> boxes) {
  for (const auto& [box, to] : boxes) {
    requireBox(spec, box);
    if (to.type != spec.type || to.extent != std::array{box.size(0), box.size(1), box.size(2), spec.extent[3]})
      throw Error(ErrorKind::Usage, "a part of a result does not fit where it was to go",
                  "give it memory of its type and extents");
  }
}

Histogram makeHistogram(ResidentArray& array, const Box& box, int component, int bins, const Control& control) {
  const ValueRange range = array.range(box, component, control);
  if (range.counted == 0) return histogramOf(range, {0, 0}, {});
  const Bins chosen = binsFor(range, array.spec().type, bins);
  return histogramOf(range, chosen, array.counts(box, component, chosen, control));
}

VolumeBrick makeBrick(ResidentArray& array, const Geometry& geometry, int component, std::int64_t edge,
                      const Control& control, const std::optional<std::array<double, 2>>& window) {
  const BrickBlocks blocks = brickBlocks(array.spec(), component, edge);
  return brickOf(blocks, array.means(blocks, control), geometry, window);
}

void scatterBox(const std::byte* dense, const ArrayView& to) { copyView(denseView({to.type, to.extent}, dense), to); }

}  // namespace sscope
