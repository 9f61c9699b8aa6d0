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

// links, kappa, time, time_boundary, seed.
[[nodiscard]] std::vector<Option> wilsonOptions();
// Generated links (random or unit) on the input's lattice, whose time extent is an option. Throws Error(Usage) when
// input and values do not fit together.
[[nodiscard]] std::shared_ptr<const lattice::GaugeField> linksFor(const ArraySpec& input, const OptionValues& values);
[[nodiscard]] lattice::WilsonParameters wilsonFrom(const OptionValues& values);
// Throws Error(Usage) for parameters out of range.
void requireValid(const lattice::WilsonParameters& parameters);

// Whether the elements of a spinor field are contiguous in memory.
[[nodiscard]] bool isWholeSpinor(const ConstArrayView& view);
// `values` are contiguous.
void scatterSpinor(std::span<const double> values, const ArrayView& view);

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

}  // namespace sscope
