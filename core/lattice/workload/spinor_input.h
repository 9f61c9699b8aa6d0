#pragma once
// What the lattice workloads share: spinor fields as arrays, and the options that define the lattice.

#include <memory>
#include <span>
#include <vector>

#include "core/lattice/fields.h"
#include "core/lattice/wilson.h"
#include "core/options/option.h"
#include "core/volume/array_view.h"

namespace sscope {

// A spinor field as an array: x and y of the lattice, z + Lz t as the third axis, and 24 components (re and im of the
// twelve elements): in memory the same as lattice::SpinorField.
inline constexpr std::int64_t kSpinorComponents = 2 * lattice::kSpinorElements;
[[nodiscard]] ArraySpec spinorSpec(const lattice::Lattice& lattice);

// The lattice of such an array, given its time extent. Throws Error(Usage) when the two do not fit together.
[[nodiscard]] lattice::Lattice latticeOf(const ArraySpec& input, std::int64_t time);

// links, kappa, time, time_boundary, seed.
[[nodiscard]] std::vector<Option> wilsonOptions();
// Generated links (random or unit) on the input's lattice, whose time extent is an option. Throws Error(Usage) when
// input and values do not fit together.
[[nodiscard]] std::shared_ptr<const lattice::GaugeField> linksFor(const ArraySpec& input, const OptionValues& values);
[[nodiscard]] lattice::WilsonParameters wilsonFrom(const OptionValues& values);
// Throws Error(Usage) for parameters out of range.
void requireValid(const lattice::WilsonParameters& parameters);

// The elements of a spinor field in contiguous memory; copied if necessary.
class WholeSpinor {
 public:
  explicit WholeSpinor(const ConstArrayView& view);
  WholeSpinor(const WholeSpinor&) = delete;
  WholeSpinor& operator=(const WholeSpinor&) = delete;
  [[nodiscard]] std::span<const lattice::Complex> elements() const { return elements_; }

 private:
  std::vector<lattice::Complex> copy_;
  std::span<const lattice::Complex> elements_;
};

// Contiguous memory for the elements of a spinor field: that of the view, or memory from which finish() fills it.
class SpinorTarget {
 public:
  explicit SpinorTarget(const ArrayView& view);
  SpinorTarget(const SpinorTarget&) = delete;
  SpinorTarget& operator=(const SpinorTarget&) = delete;
  [[nodiscard]] lattice::Complex* elements() const { return elements_; }
  void finish() const;

 private:
  ArrayView view_;
  std::vector<lattice::Complex> scattered_;
  lattice::Complex* elements_;
};

}  // namespace sscope
