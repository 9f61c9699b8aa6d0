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

// Which of two equivalent mirror images a name denotes. The magic filter of an order belongs to BigDFT's symlet
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

// The polyphase form of one level along an axis, which engines compute: pairs in, pairs out, with the same sum in both
// directions.

// An axis of n samples (n even) is n / 2 pairs. Forward takes pairs of neighboring samples (P, Q) to pairs (low, high);
// inverse takes pairs (low, high) to pairs of neighbors. With all pair numbers modulo n / 2:
//   U(p) = sum over j < terms of u[2j] P(p + j - offset) + u[2j+1] Q(p + j - offset)
//   V(p) the same with v
// Neighbors are the samples 2p - phase and 2p - phase + 1 (modulo n), so that both directions need at most `terms`
// pairs.
struct Polyphase {
  bool forward = true;
  std::int64_t terms = 1;   // taps / 2
  std::int64_t offset = 0;  // 0 <= offset < terms
  std::int64_t phase = 0;   // 0 or 1
  std::vector<double> u, v;

  // The position on the axis of member 0 (P, U) or 1 (Q, V) of pair p, 0 <= p < n / 2.
  [[nodiscard]] std::int64_t source(std::int64_t p, std::int64_t member, std::int64_t n) const {
    return forward ? neighbor(p, member, n) : p + member * (n / 2);
  }
  [[nodiscard]] std::int64_t target(std::int64_t p, std::int64_t member, std::int64_t n) const {
    return forward ? p + member * (n / 2) : neighbor(p, member, n);
  }

 private:
  [[nodiscard]] std::int64_t neighbor(std::int64_t p, std::int64_t member, std::int64_t n) const {
    const std::int64_t sample = 2 * p - phase + member;
    return sample < 0 ? sample + n : sample;
  }
};

[[nodiscard]] Polyphase polyphaseOf(const Wavelet& wavelet, bool forward);

}  // namespace sscope
