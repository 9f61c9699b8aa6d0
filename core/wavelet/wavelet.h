#pragma once
// The orthogonal wavelets by name: haar, db1..db10 and sym2..sym10, with PyWavelets' order and signs of taps, or
// BigDFT's mirror images of them.

#include <cstdint>
#include <optional>
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

// Which of two equivalent mirror images a name means. The magic filter of an order belongs to BigDFT's symlet
// (docs/manual/wavelets.md).
enum class WaveletConvention : std::uint8_t {
  PyWavelets,
  BigDft  // every filter reversed; high pass taps at odd positions (k - taps / 2 + 1) with the other sign
};
[[nodiscard]] std::string_view toString(WaveletConvention convention);  // "pywavelets", "bigdft"
[[nodiscard]] std::optional<WaveletConvention> parseWaveletConvention(std::string_view text);

// In the order in which they are offered: haar, db1..db10, sym2..sym10. Computed once (docs/manual/wavelets.md).
[[nodiscard]] std::span<const Wavelet> wavelets();
[[nodiscard]] std::vector<std::string> waveletNames();
// Throws Error(Usage) naming the known ones.
[[nodiscard]] const Wavelet& waveletNamed(std::string_view name,
                                          WaveletConvention convention = WaveletConvention::PyWavelets);

}  // namespace sscope
