#include "core/wavelet/workload/dwt_workload.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/words.h"
#include "core/wavelet/workload/wavelet_reference.h"
#include "core/workload/catalog.h"

namespace sscope {

const std::vector<Option>& DwtWorkload::options() {
  static const std::vector<Option> options = [] {
    std::vector<Option> list{
        choiceOption("wavelet", "Wavelet", waveletNames(), "which one"),
        integerOption("levels", "Levels", 1, 1, kMaximumLevels, "how many times the averages are split"),
        choiceOption("convention", "Convention", {"pywavelets", "bigdft"},
                     "whose taps a name means: bigdft's are the mirror image, which the magic filter goes with"),
        choiceOption("boundary", "Boundary", {"periodic", "free"},
                     "the data again outside; or zeros, one level, and inverse grows the array, forward shrinks it"),
        choiceOption("direction", "Direction", {"forward", "inverse"}, "data to coefficients or back"),
        integerOption("dimensions", "Dimensions", 0, 0, 3,
                      "transform along x, along x and y, or along all; 0 for every axis longer than one"),
        choiceOption("input", "Input", {"f32", "f64"}, "element type of the noise it is timed on"),
        integerOption("seed", "Seed", 1, 0, INT64_MAX, "of the noise"),
    };
    list[0].fallback = std::string("sym8");
    list[1].sliderMaximum = 8;
    return list;
  }();
  return options;
}

DwtWorkload::DwtWorkload(const ArraySpec& input, const OptionValues& values)
    : input_(input),
      convention_(*parseWaveletConvention(textOf(values, "convention"))),
      boundary_(textOf(values, "boundary") == toString(DataBoundary::Free) ? DataBoundary::Free
                                                                           : DataBoundary::Periodic),
      wavelet_(&waveletNamed(textOf(values, "wavelet"), convention_)),
      pyramid_(pyramidFor({input.extent[0], input.extent[1], input.extent[2]},
                          static_cast<int>(integerOf(values, "dimensions")),
                          static_cast<int>(integerOf(values, "levels")))),
      forward_(textOf(values, "direction") == "forward") {
  if (input.type != ElementType::f32 && input.type != ElementType::f64)
    throw Error(ErrorKind::Usage, "dwt works on f32 or f64, not on " + std::string(toString(input.type)),
                "convert the data first");
  if (input.extent[3] != 1)
    throw Error(ErrorKind::Usage, "dwt works on data of one component", "split the components first");
  if (boundary_ == DataBoundary::Free) {
    requireFreeExtents();
    for (std::size_t a = 0; a < 3 && forward_; ++a) pyramid_.extent[a] -= grown(a);
    pyramid_.original = pyramid_.extent;
    return;
  }
  for (std::size_t a = 0; a < 3 && !forward_; ++a)
    if (pyramid_.extent[a] != input.extent[a])
      throw Error(ErrorKind::Usage,
                  "coefficients of " + counted(pyramid_.levels, "level") + " have extents that are multiples of " +
                      std::to_string(1 << pyramid_.levels) + ", not " + std::to_string(input.extent[a]),
                  "give the number of levels they were made with");
}

void DwtWorkload::requireFreeExtents() const {
  if (pyramid_.levels != 1)
    throw Error(ErrorKind::Usage, "free boundaries allow one level only",
                "give --levels 1, and transform again for more");
  const std::int64_t least = forward_ ? std::max(wavelet_->taps(), 2) : 2;
  for (std::size_t a = 0; a < 3; ++a)
    if (pyramid_.axes[a] && (input_.extent[a] % 2 != 0 || input_.extent[a] < least))
      throw Error(
          ErrorKind::Usage,
          "free boundaries cannot take " + std::to_string(input_.extent[a]) + (forward_ ? " samples" : " coefficients"),
          "give an even number of at least " + std::to_string(least) + " along each axis");
}

nlohmann::json DwtWorkload::parameters() const {
  nlohmann::json parameters{{"wavelet", wavelet_->name},
                            {"levels", pyramid_.levels},
                            {"direction", forward_ ? "forward" : "inverse"},
                            {"dimensions", pyramid_.dimensions()}};
  if (convention_ != WaveletConvention::PyWavelets) parameters["convention"] = toString(convention_);
  if (boundary_ == DataBoundary::Free) parameters["boundary"] = toString(boundary_);
  return parameters;
}

std::vector<ArraySpec> DwtWorkload::outputs() const {
  ArraySpec output{input_.type, {pyramid_.extent[0], pyramid_.extent[1], pyramid_.extent[2], 1}};
  for (std::size_t a = 0; a < 3 && !forward_; ++a) output.extent[a] += grown(a);
  if (part_) output.extent[part_->axis] = part_->count();
  return {output};
}

Work DwtWorkload::work() const {
  Work work;
  for (int level = 0; level < pyramid_.levels; ++level) {
    const auto extent = pyramid_.extentAt(level);
    work.operations +=
        2.0 * wavelet_->taps() * pyramid_.dimensions() * static_cast<double>(extent[0] * extent[1] * extent[2]);
  }
  if (part_) work.operations *= static_cast<double>(part_->count()) / static_cast<double>(part_->whole);
  work.bytes = static_cast<double>(input_.bytes() + outputs()[0].bytes());
  return work;
}

// The forward reference computes every band separately from the data; the inverse one executes the counted operations.
// Every term needs three remainders for its index: measured on one core, 32 million per second forward and 24 million
// back.
double DwtWorkload::referenceSeconds() const {
  const double termsPerSecond = forward_ ? 32e6 : 24e6;
  double terms = work().operations / 2;
  if (forward_) {
    terms = 0;
    double before = 0;  // down to the averages of a level
    for (int level = 1; level <= pyramid_.levels; ++level) {
      const auto extent = pyramid_.extentAt(level - 1);
      double elements = static_cast<double>(extent[0] * extent[1] * extent[2]);
      for (int axis = 0; axis < pyramid_.dimensions(); ++axis) before += wavelet_->taps() * (elements /= 2);
      const int bands = (1 << pyramid_.dimensions()) - (level < pyramid_.levels ? 1 : 0);
      terms += bands * before;
    }
  }
  return 2 * terms / termsPerSecond;
}

Precision DwtWorkload::precision() const { return input_.type == ElementType::f64 ? Precision::f64 : Precision::f32; }

std::int64_t DwtWorkload::termsPerOutput() const {
  std::int64_t terms = pyramid_.levels;
  for (int axis = 0; axis < pyramid_.dimensions(); ++axis) terms *= wavelet_->taps();
  return terms;
}

void DwtWorkload::reference(std::span<const ConstArrayView> inputs, std::size_t, const Box& box,
                            std::span<double> values, const Control& control) const {
  (forward_ ? dwtForwardReference : dwtInverseReference)(*wavelet_, pyramid_, boundary_, inputs[0], inWhole(part_, box),
                                                         false, values, control);
}

void DwtWorkload::referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t, const Box& box,
                                     std::span<double> values, const Control& control) const {
  (forward_ ? dwtForwardReference : dwtInverseReference)(*wavelet_, pyramid_, boundary_, inputs[0], inWhole(part_, box),
                                                         true, values, control);
}

std::unique_ptr<Workload> DwtWorkload::cutTo(const Box& region) const {
  bool several = false;
  const auto axis = cutAxis(outputs()[0].extent, region, several);
  if (boundary_ == DataBoundary::Free || several || (axis && (pyramid_.axes[*axis] || (part_ && part_->axis != *axis))))
    return nullptr;
  auto part = std::make_unique<DwtWorkload>(*this);
  if (!axis) return part;
  const std::int64_t before = part_ ? part_->begin : 0;
  part->part_ = {*axis, before + region.begin[*axis], before + region.end[*axis], input_.extent[*axis], 0, 1};
  return part;
}

std::unique_ptr<Workload> DwtWorkload::periodic() const {
  if (part_) {
    auto smaller = std::make_unique<DwtWorkload>(*this);
    smaller->part_.reset();
    smaller->input_.extent[part_->axis] = part_->count();
    smaller->pyramid_.extent[part_->axis] = smaller->pyramid_.original[part_->axis] = part_->count();
    return smaller;
  }
  if (boundary_ == DataBoundary::Periodic) return nullptr;
  auto larger = std::make_unique<DwtWorkload>(*this);
  larger->boundary_ = DataBoundary::Periodic;
  for (std::size_t a = 0; a < 3; ++a) larger->pyramid_.extent[a] += grown(a);
  larger->pyramid_.original = larger->pyramid_.extent;
  for (std::size_t a = 0; a < 3; ++a) larger->input_.extent[a] = larger->pyramid_.extent[a];
  return larger;
}

// The periodic sums begin taps / 2 - 1 samples before their place, those of free boundaries at it; and either half of
// the coefficients has zeros behind it.
Embedding DwtWorkload::embedding() const {
  if (part_) {
    Embedding embedding;
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::int64_t i = 0; i < input_.extent[a]; ++i) embedding.input[a].push_back(i);
      for (std::int64_t i = 0; i < pyramid_.extent[a]; ++i) embedding.output[a].push_back(i);
    }
    embedding.input[part_->axis] = part_->input();
    embedding.output[part_->axis] = part_->output();
    return embedding;
  }
  std::array<AxisMap, 3> samples, coefficients;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t count = pyramid_.extent[a], period = count + grown(a);
    const std::int64_t shift = grown(a) / 2;
    for (std::int64_t i = 0; i < period; ++i) samples[a].push_back((i + period - shift) % period);
    for (std::int64_t i = 0; i < count; ++i)
      coefficients[a].push_back(pyramid_.axes[a] && i >= count / 2 ? period / 2 + i - count / 2 : i);
  }
  if (forward_) return {std::move(samples), std::move(coefficients)};
  return {std::move(coefficients), std::move(samples)};
}

}  // namespace sscope
