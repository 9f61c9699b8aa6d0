// The simple rung of the wavelet transform: plain loops, one axis after the other.

#include <tbb/parallel_for.h>

#include <algorithm>

#include "core/base/memory.h"
#include "core/cpu/wavelet/dwt/dwt_transform.h"
#include "core/wavelet/wavelet.h"

namespace sscope::cpu {

namespace {

template <class T>
class SimpleTransform final : public DwtTransform {
 public:
  SimpleTransform(const DwtWorkload& workload, const DwtKernels<T>& kernels)
      : pyramid_(workload.pyramid()),
        polyphase_(polyphaseOf(workload.wavelet(), workload.forward())),
        kernels_(kernels),
        u_(polyphase_.u.begin(), polyphase_.u.end()),
        v_(polyphase_.v.begin(), polyphase_.v.end()) {
    const auto& n = pyramid_.extent;
    requireMemory(2 * n[0] * n[1] * n[2] * static_cast<std::int64_t>(sizeof(T)));
    for (auto& buffer : buffers_) buffer.resize(static_cast<std::size_t>(n[0] * n[1] * n[2]));
  }

  void run(const ConstArrayView& input, const ArrayView& output, tbb::task_arena& arena, const Control& control,
           RunTrace* trace) override {
    arena.execute([&] {
      recordStep(trace, "copy of the input", [&] { load(input, control); });
      for (int step = 0; step < pyramid_.levels; ++step) {
        const int level = polyphase_.forward ? step : pyramid_.levels - 1 - step;
        std::size_t current = 0;
        const Index3 extent = pyramid_.extentAt(level);
        for (std::size_t axis = 0; axis < 3; ++axis)
          if (pyramid_.axes[axis]) {
            recordStep(trace, "level " + std::to_string(level + 1) + " along " + "xyz"[axis],
                       [&] { pass(current, axis, extent, control); });
            current = 1 - current;
          }
        if (current == 1) recordStep(trace, "copy between buffers", [&] { copyBack(extent, control); });
        control.report(static_cast<double>(step + 1) / pyramid_.levels, "transforming");
      }
      recordStep(trace, "copy to the output", [&] { store(output, control); });
    });
  }

  [[nodiscard]] std::int64_t scratchBytes() const override {
    return static_cast<std::int64_t>((buffers_[0].size() + buffers_[1].size()) * sizeof(T));
  }
  [[nodiscard]] std::string description() const override { return "one axis after the other between two buffers"; }

 private:
  template <class F>
  void forRows(const Index3& extent, const Control& control, const F& f) const {
    tbb::parallel_for(std::int64_t{0}, extent[2] * extent[1], [&](std::int64_t row) {
      control.check();
      f(row % extent[1], row / extent[1]);
    });
  }

  [[nodiscard]] std::int64_t offset(std::int64_t y, std::int64_t z) const {
    return (z * pyramid_.extent[1] + y) * pyramid_.extent[0];
  }

  // The last samples are repeated up to the pyramid's extents.
  void load(const ConstArrayView& input, const Control& control) {
    const T* data = input.as<T>();
    forRows(pyramid_.extent, control, [&](std::int64_t y, std::int64_t z) {
      T* row = buffers_[0].data() + offset(y, z);
      const std::int64_t from = input.offset(0, std::min(y, input.extent[1] - 1), std::min(z, input.extent[2] - 1));
      for (std::int64_t x = 0; x < pyramid_.extent[0]; ++x)
        row[x] = data[from + std::min(x, input.extent[0] - 1) * input.stride[0]];
    });
  }

  void store(const ArrayView& output, const Control& control) {
    T* data = output.as<T>();
    forRows(pyramid_.extent, control, [&](std::int64_t y, std::int64_t z) {
      const T* row = buffers_[0].data() + offset(y, z);
      const std::int64_t to = output.offset(0, y, z);
      for (std::int64_t x = 0; x < pyramid_.extent[0]; ++x) data[to + x * output.stride[0]] = row[x];
    });
  }

  void copyBack(const Index3& extent, const Control& control) {
    forRows(extent, control, [&](std::int64_t y, std::int64_t z) {
      std::copy_n(buffers_[1].data() + offset(y, z), extent[0], buffers_[0].data() + offset(y, z));
    });
  }

  void pass(std::size_t current, std::size_t axis, const Index3& extent, const Control& control) {
    const Index3 stride{1, pyramid_.extent[0], pyramid_.extent[0] * pyramid_.extent[1]};
    std::vector<std::int64_t> source, target;
    for (std::int64_t p = 0; p < extent[axis] / 2; ++p)
      for (std::int64_t member = 0; member < 2; ++member) {
        source.push_back(polyphase_.source(p, member, extent[axis]));
        target.push_back(polyphase_.target(p, member, extent[axis]));
      }
    // Lines side by side along x, or along y when x is the axis, in slices of the remaining axis.
    const std::size_t across = axis == 0 ? 1 : 0, slices = axis == 2 ? 1 : 2;
    tbb::parallel_for(std::int64_t{0}, extent[slices], [&](std::int64_t slice) {
      control.check();
      DwtPass<T> job;
      job.in = buffers_[current].data() + slice * stride[slices];
      job.out = buffers_[1 - current].data() + slice * stride[slices];
      job.pairs = extent[axis] / 2;
      job.stride = stride[axis];
      job.lines = extent[across];
      job.lineStride = stride[across];
      job.source = source.data();
      job.target = target.data();
      job.terms = polyphase_.terms;
      job.offset = polyphase_.offset;
      job.u = u_.data();
      job.v = v_.data();
      kernels_.pass(job);
    });
  }

  Pyramid pyramid_;
  Polyphase polyphase_;
  const DwtKernels<T>& kernels_;
  std::vector<T> u_, v_;
  std::array<std::vector<T>, 2> buffers_;
};

}  // namespace

template <class T>
std::unique_ptr<DwtTransform> simpleDwt(const DwtWorkload& workload, const DwtKernels<T>& kernels) {
  return std::make_unique<SimpleTransform<T>>(workload, kernels);
}
template std::unique_ptr<DwtTransform> simpleDwt<float>(const DwtWorkload&, const DwtKernels<float>&);
template std::unique_ptr<DwtTransform> simpleDwt<double>(const DwtWorkload&, const DwtKernels<double>&);

}  // namespace sscope::cpu
