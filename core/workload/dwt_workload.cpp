#include "core/workload/dwt_workload.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/reference/dwt_reference.h"
#include "core/workload/ladder_options.h"

namespace sscope {

const std::vector<Option>& DwtWorkload::options() {
  static const std::vector<Option> options = [] {
    std::vector<Option> list{
        choiceOption("wavelet", "Wavelet", waveletNames(), "which one"),
        integerOption("levels", "Levels", 1, 1, kMaximumLevels, "how often the averages are split again"),
        choiceOption("convention", "Convention", {"pywavelets", "bigdft"},
                     "whose taps a name means: bigdft's are the mirror image, which the magic filter goes with"),
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
      wavelet_(&waveletNamed(textOf(values, "wavelet"), convention_)),
      pyramid_(pyramidFor({input.extent[0], input.extent[1], input.extent[2]},
                          static_cast<int>(integerOf(values, "dimensions")),
                          static_cast<int>(integerOf(values, "levels")))),
      forward_(textOf(values, "direction") == "forward") {
  if (input.type != ElementType::f32 && input.type != ElementType::f64)
    throw Error(ErrorKind::Usage, "dwt works on f32 or f64, not on " + std::string(toString(input.type)),
                "convert the data first");
  if (input.extent[3] != 1)
    throw Error(ErrorKind::Usage, "dwt works on data of one component", "take the components apart first");
  for (std::size_t a = 0; a < 3 && !forward_; ++a)
    if (pyramid_.extent[a] != input.extent[a])
      throw Error(ErrorKind::Usage,
                  "coefficients of " + std::to_string(pyramid_.levels) + " levels have extents that are multiples of " +
                      std::to_string(1 << pyramid_.levels) + ", not " + std::to_string(input.extent[a]),
                  "give the number of levels they were made with");
}

nlohmann::json DwtWorkload::parameters() const {
  nlohmann::json parameters{{"wavelet", wavelet_->name},
                            {"levels", pyramid_.levels},
                            {"direction", forward_ ? "forward" : "inverse"},
                            {"dimensions", pyramid_.dimensions()}};
  if (convention_ != WaveletConvention::PyWavelets) parameters["convention"] = toString(convention_);
  return parameters;
}

std::vector<ArraySpec> DwtWorkload::outputs() const {
  return {{input_.type, {pyramid_.extent[0], pyramid_.extent[1], pyramid_.extent[2], 1}}};
}

Work DwtWorkload::work() const {
  Work work;
  for (int level = 0; level < pyramid_.levels; ++level) {
    const auto extent = pyramid_.extentAt(level);
    work.operations +=
        2.0 * wavelet_->taps() * pyramid_.dimensions() * static_cast<double>(extent[0] * extent[1] * extent[2]);
  }
  work.bytes = static_cast<double>(input_.bytes() + outputs()[0].bytes());
  return work;
}

Precision DwtWorkload::precision() const { return input_.type == ElementType::f64 ? Precision::f64 : Precision::f32; }

std::int64_t DwtWorkload::termsPerOutput() const {
  std::int64_t terms = pyramid_.levels;
  for (int axis = 0; axis < pyramid_.dimensions(); ++axis) terms *= wavelet_->taps();
  return terms;
}

void DwtWorkload::reference(std::span<const ConstArrayView> inputs, std::size_t, const Box& box,
                            std::span<double> values, const Control& control) const {
  (forward_ ? dwtForwardReference : dwtInverseReference)(*wavelet_, pyramid_, inputs[0], box, false, values, control);
}

void DwtWorkload::referenceMagnitude(std::span<const ConstArrayView> inputs, std::size_t, const Box& box,
                                     std::span<double> values, const Control& control) const {
  (forward_ ? dwtForwardReference : dwtInverseReference)(*wavelet_, pyramid_, inputs[0], box, true, values, control);
}

}  // namespace sscope
