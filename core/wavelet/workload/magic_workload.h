#pragma once
// Workload "magic": the magic filter of BigDFT, a periodic convolution along every axis in float64 (B. Videau, V.
// Marangozova-Martin, L. Genovese, T. Deutsch, "Optimizing 3D convolutions for wavelet transforms on CPUs with SSE
// units and GPUs", RR-LIG-032, 2013). Other 1D taps can be used instead.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/base/ability.h"
#include "core/boundary/boundary.h"
#include "core/options/option.h"
#include "core/wavelet/workload/magic_reference.h"
#include "core/workload/free_boundaries.h"
#include "core/workload/periodic_part.h"
#include "core/workload/workload.h"

namespace sscope {

// One input (x, y, z) of f64 with one component, any extents >= 1.
//   3D     out = the taps along x, along y and along z; the input's extents
//   lines  out = the taps along x: ny * nz lines of nx, like the paper's 1D batch; transposed: (ny * nz, nx, 1)
// Free boundaries: the input is zero outside; forward gives all n + taps - 1 sums along a filtered axis that reach the
// data; inverse, its transpose, gives the n - taps + 1 that reach no zeros. Axes of one voxel are not filtered.
class MagicWorkload final : public Workload, public FreeBoundaries {
 public:
  // Limits for the number of taps in a file.
  static constexpr std::size_t kFewestTaps = 2, kMostTaps = 64;
  // Used in place of a file name for the taps of kineticTaps(order); lines only.
  static constexpr std::string_view kKineticTaps = "kinetic";

  // direction, passes, transposed, boundary, order, taps, seed.
  [[nodiscard]] static const std::vector<Option>& options();
  // Throws Error(Usage) for other inputs and for values that do not fit together; Error(NotFound) and Error(BadData)
  // for the file of taps.
  MagicWorkload(const ArraySpec& input, const OptionValues& values);

  [[nodiscard]] std::string_view name() const override { return "magic"; }
  [[nodiscard]] nlohmann::json parameters() const override;
  [[nodiscard]] std::vector<ArraySpec> inputs() const override { return {input_}; }
  [[nodiscard]] std::vector<ArraySpec> outputs() const override;
  // 2 * taps per element and pass (of the shorter array, where boundaries are free); every element read and written
  // once.
  [[nodiscard]] Work work() const override;
  [[nodiscard]] Precision precision() const override { return Precision::f64; }
  [[nodiscard]] std::int64_t termsPerOutput() const override;
  void reference(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box, std::span<double> values,
                 const Control& control) const override;
  void referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t output, const Box& box,
                          std::span<double> values, const Control& control) const override;

  // For a batch of lines: the lines that are read.
  [[nodiscard]] Box reach(const Box& box) const override;

  // out(i) = sum over k of taps()[k] * in((i + first() + k) mod n), for the chosen direction. The window always
  // contains i itself: first() <= 0 < first() + taps().size().
  [[nodiscard]] std::span<const double> taps() const { return taps_; }
  [[nodiscard]] int first() const { return first_; }
  [[nodiscard]] bool lines() const { return lines_; }
  [[nodiscard]] bool transposed() const { return transposed_; }
  [[nodiscard]] bool inverse() const { return inverse_; }
  [[nodiscard]] const ArraySpec& input() const { return input_; }
  // The planes along z whose outputs are read, of 3D. In the array that a part is computed in they are fewer than there
  // are: engines may leave out the others.
  [[nodiscard]] Range wantedPlanes() const;

  // Planes of a volume or image, or some of the lines. Null for free boundaries, for lines that become columns, and for
  // a box that is cut along several axes.
  [[nodiscard]] std::unique_ptr<Workload> cutTo(const Box& region) const override;
  [[nodiscard]] bool roundsAsPart() const override { return part_ && filtered(part_->axis); }
  [[nodiscard]] const void* findAbility(const std::type_info& ability) const override {
    return abilityAmong<FreeBoundaries>(ability, this);
  }
  [[nodiscard]] std::unique_ptr<Workload> periodic() const override;
  [[nodiscard]] Embedding embedding() const override;
  [[nodiscard]] std::array<std::int64_t, 3> outputOrigin() const override;

 private:
  [[nodiscard]] bool filtered(std::size_t axis) const { return axis == 0 || !lines_; }
  // Whether the extent changes along this axis.
  [[nodiscard]] bool freeAlong(std::size_t axis) const { return free_ && filtered(axis) && input_.extent[axis] > 1; }
  [[nodiscard]] std::int64_t outputExtent(std::size_t axis) const;
  [[nodiscard]] std::array<MagicAxis, 3> axes() const;
  [[nodiscard]] int last() const { return first_ + static_cast<int>(taps_.size()) - 1; }
  void sums(std::span<const ConstArrayView> inputs, const Box& box, std::span<double> values, bool magnitude,
            const Control& control) const;

  ArraySpec input_;
  std::vector<double> taps_;
  int first_ = 0;
  bool inverse_ = false, lines_ = false, transposed_ = false, free_ = false;
  std::int64_t order_ = 0;
  std::optional<PeriodicPart> part_;
  std::optional<Range> wanted_;  // wantedPlanes() of the array of a part
  std::string file_;             // file of taps, or kKineticTaps; empty: magic taps of the order
};

// The numbers of a file: a JSON array, or plain text with spaces, commas or line ends between them. Throws
// Error(NotFound), Error(Io), Error(BadData) when it holds anything else or the wrong number of taps.
[[nodiscard]] std::vector<double> readTaps(const std::string& path);

}  // namespace sscope
