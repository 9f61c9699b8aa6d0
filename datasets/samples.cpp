#include "datasets/samples.h"

#include <array>

#include "core/base/error.h"
#include "datasets/generators.h"

namespace sscope {

namespace {

std::array<Sample, 8> makeTable() {
  return {{
      {"foam", "Textured foam",
       "An open foam of random cells with grainy struts, thin films and noise, in slices 1.5 times as thick as the "
       "pixels are wide (cells after Worley, 1996).",
       3, 128, generate::foam},
      {"marschner-lobb", "Marschner-Lobb",
       "Ripples whose frequency ends just below what 40 samples per axis can hold: shows what a reconstruction or "
       "smoothing filter loses (Marschner and Lobb, 1994).",
       3, 128, generate::marschnerLobb},
      {"shepp-logan", "Shepp-Logan head",
       "The tomography phantom in three dimensions with raised contrast (Shepp and Logan, 1974; Toft, 1996) and "
       "noise of 60 on steps of 200.",
       3, 128, generate::sheppLogan},
      {"gyroid", "Gyroid",
       "Three periods of Schoen's triply periodic minimal surface; the zero level separates two equal labyrinths "
       "(Schoen, 1970).",
       3, 128, generate::gyroid},
      {"hydrogen", "Hydrogen 3d orbital",
       "Probability density of the hydrogen state n = 3, l = 2, m = 0, relative to its peak; spans many decades.", 3,
       128, generate::hydrogen},
      {"calibration", "Point, line and edge",
       "An impulse, a line and a step of height 1000 on zero: a filter's response to them is its point, line and edge "
       "spread function.",
       3, 64, generate::calibration},
      {"zone-plate", "Zone plate",
       "Rings from zero frequency in the center to Nyquist's limit at the border: shows a filter's frequency response "
       "as an image.",
       2, 512, generate::zonePlate},
      {"siemens-star", "Siemens star",
       "36 pairs of spokes: shows in which direction and down to which width detail survives.", 2, 512,
       generate::siemensStar},
  }};
}

}  // namespace

std::span<const Sample> samples() {
  static const std::array<Sample, 8> table = makeTable();
  return table;
}

const Sample& sample(std::string_view name) {
  std::string known;
  for (const Sample& s : samples()) {
    if (s.name == name) return s;
    known += (known.empty() ? "" : ", ") + s.name;
  }
  throw Error(ErrorKind::NotFound, "there is no sample named '" + std::string(name) + "'", "choose one of " + known);
}

Volume makeSample(std::string_view name, std::int64_t size, std::uint64_t seed, const Control& control) {
  const Sample& chosen = sample(name);
  const std::int64_t largest = chosen.dimensions == 3 ? 2048 : kLargestSample;
  if (size == 0) size = chosen.defaultSize;
  if (size < 1 || size > largest)
    throw Error(ErrorKind::Usage, "the sample " + chosen.name + " cannot be made with size " + std::to_string(size),
                "choose 1 to " + std::to_string(largest) + " voxels along each edge");
  return chosen.make(size, seed, control);
}

}  // namespace sscope
