#include "core/filter/formula/workload/formula_truth.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "core/filter/formula/formula_rows.h"
#include "core/filter/formula/workload/formula_workload.h"

namespace sscope {

namespace {

// The values that a formula reads at the voxels of a row.

class FormulaReads {
 public:
  // `constant`: the value outside the volume for Boundary::constant. A view without data is 0 everywhere.
  FormulaReads(const FormulaWorkload& workload, std::span<const ConstArrayView> inputs, double constant)
      : workload_(workload), inputs_(inputs), constant_(constant) {}

  // values[r * stride + i] = the read r at the voxel that is i after `voxel` along x, for one component of the output.
  void gather(const std::array<std::int64_t, 3>& voxel, std::size_t count, std::int64_t component, std::size_t stride,
              std::span<double> values) const;

 private:
  void gatherOne(const FormulaRead& read, const std::array<std::int64_t, 3>& voxel, std::int64_t component,
                 std::span<double> values) const;

  const FormulaWorkload& workload_;
  std::span<const ConstArrayView> inputs_;
  double constant_;
};

void FormulaReads::gather(const std::array<std::int64_t, 3>& voxel, std::size_t count, std::int64_t component,
                          std::size_t stride, std::span<double> values) const {
  const std::vector<FormulaRead>& reads = workload_.formula().reads();
  for (std::size_t r = 0; r < reads.size(); ++r)
    gatherOne(reads[r], voxel, component, values.subspan(r * stride, count));
}

void FormulaReads::gatherOne(const FormulaRead& read, const std::array<std::int64_t, 3>& voxel, std::int64_t component,
                             std::span<double> values) const {
  const FormulaSetting& setting = workload_.setting();
  const ConstArrayView& array = inputs_[read.input];
  const Box& box = setting.inputs[read.input].box;
  if (array.data == nullptr) {
    std::ranges::fill(values, 0.0);
    return;
  }
  const auto mapped = [&](std::size_t a, std::int64_t i) {
    return boundaryIndex(i + read.offset[a], setting.volume[a], setting.boundary);
  };
  const std::int64_t y = mapped(1, voxel[1]), z = mapped(2, voxel[2]);
  if (y < 0 || z < 0) {
    std::ranges::fill(values, constant_);
    return;
  }
  const std::int64_t one = array.extent[3] == 1 ? 0 : component;
  dispatch(array.type, [&](auto tag) {
    const auto* data = array.as<decltype(tag)>();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::int64_t x = mapped(0, voxel[0] + static_cast<std::int64_t>(i));
      values[i] =
          x < 0 ? constant_
                : static_cast<double>(data[array.offset(x - box.begin[0], y - box.begin[1], z - box.begin[2], one)]);
    }
  });
}

// Evaluates the rows of the box, one after the other.
class Rows {
 public:
  Rows(const FormulaWorkload& workload, std::span<const ConstArrayView> inputs, const FormulaErrors& errors)
      : workload_(workload),
        errors_(errors),
        rounding_(errors.underflow ? IntervalRounding(errors.precision)
                                   : IntervalRounding(errors.precision).withoutUnderflow()),
        reads_(workload, inputs, workload.setting().constant),
        scales_(workload, errors.scales, 0),
        tree_(workload.formula(), rounding_),
        read_(workload.formula().reads().size() * FormulaRows::kMost) {}

  // Evaluates a row from `at` in the volume on; value i of component c is stored at [i * components + c].
  void compute(const std::array<std::int64_t, 3>& at, std::size_t count, std::span<double> values,
               std::span<double> magnitudes) {
    const FormulaSetting& setting = workload_.setting();
    const FormulaPlace place{at, setting.volume, setting.spacing};
    const auto components = static_cast<std::size_t>(workload_.components());
    for (std::size_t c = 0; c < components; ++c) {
      reads_.gather(at, count, static_cast<std::int64_t>(c), FormulaRows::kMost, read_);
      const std::span<const double> value = tree_.values(read_, place, count);
      for (std::size_t i = 0; i < count; ++i) values[i * components + c] = value[i];
      if (magnitudes.empty()) continue;
      findRanges(at, count, c);
      const std::span<const Interval> range = tree_.intervals(ranges_, place, count);
      for (std::size_t i = 0; i < count; ++i)
        magnitudes[i * components + c] = enclosedMagnitude(range[i], value[i], errors_.output, errors_.tolerance);
    }
  }

 private:
  // The intervals of the gathered values.
  void findRanges(const std::array<std::int64_t, 3>& at, std::size_t count, std::size_t component) {
    const std::size_t reads = workload_.formula().reads().size();
    ranges_.resize(read_.size());
    if (!errors_.scales.empty()) {
      scale_.resize(read_.size());
      scales_.gather(at, count, static_cast<std::int64_t>(component), FormulaRows::kMost, scale_);
    }
    for (std::size_t r = 0; r < reads; ++r)
      for (std::size_t i = r * FormulaRows::kMost; i < r * FormulaRows::kMost + count; ++i)
        ranges_[i] = errors_.scales.empty() ? exact(read_[i])
                                            : around(rounding_.number(read_[i]), errors_.tolerance * scale_[i]);
  }

  // Elements are held by the precision; the value outside need not be.
  [[nodiscard]] Interval exact(double value) const {
    const Interval element = rounding_.element(value);
    const FormulaSetting& setting = workload_.setting();
    const bool outside = value == setting.constant && setting.boundary == Boundary::constant;
    return outside ? hull(element, rounding_.number(value)) : element;
  }

  // An error of NaN allows any value.
  [[nodiscard]] static Interval around(Interval value, double error) {
    if (std::isnan(error)) return Interval::anything();
    value.low -= error;
    value.high += error;
    return value;
  }

  const FormulaWorkload& workload_;
  const FormulaErrors& errors_;
  IntervalRounding rounding_;
  FormulaReads reads_, scales_;
  FormulaRows tree_;
  std::vector<double> read_, scale_;
  std::vector<Interval> ranges_;
};

}  // namespace

void judgeUnderflow(std::span<const double> values, std::span<double> magnitudes, double tolerance,
                    const std::function<std::vector<double>()>& without) {
  std::vector<std::size_t> doubtful;
  for (std::size_t i = 0; i < magnitudes.size(); ++i)
    if (values[i] != 0 && std::isfinite(values[i]) && tolerance * magnitudes[i] >= std::abs(values[i]))
      doubtful.push_back(i);
  if (doubtful.empty()) return;
  const std::vector<double> less = without();
  for (const std::size_t i : doubtful)
    if (less[i] < magnitudes[i] / 2) magnitudes[i] = std::numeric_limits<double>::quiet_NaN();
}

void formulaTruth(const FormulaWorkload& workload, std::span<const ConstArrayView> inputs, const Box& box,
                  std::span<double> values, std::span<double> magnitudes, const FormulaErrors& errors,
                  const Control& control) {
  const std::array<std::int64_t, 3>& origin = workload.setting().region.begin;
  const auto components = static_cast<std::size_t>(workload.components());
  const std::int64_t width = box.size(0), height = box.size(1);
  const auto most = static_cast<std::int64_t>(FormulaRows::kMost);
  // Large enough that the preparation of a task is negligible.
  const std::int64_t grain = std::max<std::int64_t>(1, 1024 / std::max<std::int64_t>(width, 1));
  const auto computeRows = [&](const tbb::blocked_range<std::int64_t>& range) {
    Rows rows(workload, inputs, errors);
    for (std::int64_t row = range.begin(); row < range.end(); ++row)
      for (std::int64_t x = 0; x < width; x += most) {
        control.check();
        const auto count = static_cast<std::size_t>(std::min(most, width - x));
        const std::array<std::int64_t, 3> at{origin[0] + box.begin[0] + x, origin[1] + box.begin[1] + row % height,
                                             origin[2] + box.begin[2] + row / height};
        const std::size_t to = static_cast<std::size_t>(row * width + x) * components;
        rows.compute(at, count, values.subspan(to, count * components),
                     magnitudes.empty() ? magnitudes : magnitudes.subspan(to, count * components));
      }
  };
  tbb::parallel_for(tbb::blocked_range<std::int64_t>(0, height * box.size(2), static_cast<std::size_t>(grain)),
                    computeRows);
}

}  // namespace sscope
