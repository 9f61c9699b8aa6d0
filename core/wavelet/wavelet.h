#pragma once
// The orthogonal wavelets by name: haar, db1..db10 and sym2..sym10, with PyWavelets' order and signs of taps.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sscope {

// All four filters have 2 * order taps.
struct Wavelet {
  std::string name;   // "sym8"
  std::string label;  // "Symlet 8"
  int order = 1;      // vanishing moments
  std::vector<double> decLow, decHigh, recLow, recHigh;

  [[nodiscard]] int taps() const { return static_cast<int>(recLow.size()); }
};

// In the order in which they are offered: haar, db1..db10, sym2..sym10. Computed once (docs/wavelets.md).
[[nodiscard]] std::span<const Wavelet> wavelets();
[[nodiscard]] std::vector<std::string> waveletNames();
// Throws Error(Usage) naming the known ones.
[[nodiscard]] const Wavelet& waveletNamed(std::string_view name);

}  // namespace sscope
