#include "core/wavelet/wavelet.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/wavelet/spectral_factor.h"

namespace sscope {

namespace {

// The high pass is the mirrored low pass with alternating signs; analysis filters are synthesis filters reversed.
Wavelet fromLowPass(std::string name, std::string label, const std::vector<Quad>& lowPass) {
  Wavelet wavelet;
  wavelet.name = std::move(name);
  wavelet.label = std::move(label);
  wavelet.order = static_cast<int>(lowPass.size() / 2);
  for (const Quad tap : lowPass) wavelet.recLow.push_back(static_cast<double>(tap));
  wavelet.decLow.assign(wavelet.recLow.rbegin(), wavelet.recLow.rend());
  for (std::size_t k = 0; k < wavelet.decLow.size(); ++k)
    wavelet.recHigh.push_back(k % 2 == 0 ? wavelet.decLow[k] : -wavelet.decLow[k]);
  wavelet.decHigh.assign(wavelet.recHigh.rbegin(), wavelet.recHigh.rend());
  return wavelet;
}

// With BigDFT's sign: high(j) = (-1)^j low(1 - j), where tap k is at the position j = k - order + 1.
Wavelet mirrored(Wavelet wavelet) {
  wavelet.recLow.swap(wavelet.decLow);
  for (std::size_t k = 0; k < wavelet.decLow.size(); ++k) {
    const bool odd = (k + static_cast<std::size_t>(wavelet.order) + 1) % 2 == 1;
    wavelet.recHigh[k] = odd ? -wavelet.decLow[k] : wavelet.decLow[k];
  }
  wavelet.decHigh.assign(wavelet.recHigh.rbegin(), wavelet.recHigh.rend());
  return wavelet;
}

std::span<const Wavelet> mirroredWavelets() {
  static const std::vector<Wavelet> list = [] {
    std::vector<Wavelet> images;
    for (const Wavelet& wavelet : wavelets()) images.push_back(mirrored(wavelet));
    return images;
  }();
  return list;
}

std::vector<Wavelet> makeWavelets() {
  std::vector<Wavelet> list;
  list.push_back(fromLowPass("haar", "Haar", orthogonalLowPass(1, PhaseChoice::Minimum)));
  for (int order = 1; order <= kMaximumOrder; ++order)
    list.push_back(fromLowPass("db" + std::to_string(order), "Daubechies " + std::to_string(order),
                               orthogonalLowPass(order, PhaseChoice::Minimum)));
  for (int order = 2; order <= kMaximumOrder; ++order)
    list.push_back(fromLowPass("sym" + std::to_string(order), "Symlet " + std::to_string(order),
                               orthogonalLowPass(order, PhaseChoice::LeastAsymmetric)));
  return list;
}

}  // namespace

std::span<const Wavelet> wavelets() {
  static const std::vector<Wavelet> list = makeWavelets();
  return list;
}

std::vector<std::string> waveletNames() {
  // Without taps, which take more than 10 ms: every start of a program needs the names only.
  std::vector<std::string> names{"haar"};
  for (int order = 1; order <= kMaximumOrder; ++order) names.push_back("db" + std::to_string(order));
  for (int order = 2; order <= kMaximumOrder; ++order) names.push_back("sym" + std::to_string(order));
  return names;
}

std::string_view toString(WaveletConvention convention) {
  return convention == WaveletConvention::BigDft ? "bigdft" : "pywavelets";
}

std::optional<WaveletConvention> parseWaveletConvention(std::string_view text) {
  for (const WaveletConvention convention : {WaveletConvention::PyWavelets, WaveletConvention::BigDft})
    if (toString(convention) == text) return convention;
  return {};
}

const Wavelet& waveletNamed(std::string_view name, WaveletConvention convention) {
  const auto list = convention == WaveletConvention::BigDft ? mirroredWavelets() : wavelets();
  const auto found = std::find_if(list.begin(), list.end(), [&](const Wavelet& w) { return w.name == name; });
  if (found != list.end()) return *found;
  throw Error(
      ErrorKind::Usage, "there is no wavelet " + std::string(name),
      "use haar, db1 to db" + std::to_string(kMaximumOrder) + " or sym2 to sym" + std::to_string(kMaximumOrder));
}

// With s = taps / 2 - 1 = 2 t + phase: low(p) = sum_k h[k] x(2p + k - s); k = 2j is P(p + j - t), k = 2j + 1 is
// Q(p + j - t). The transpose has the same taps with pairs counted backwards.
Polyphase polyphaseOf(const Wavelet& wavelet, bool forward) {
  const auto taps = static_cast<std::size_t>(wavelet.taps());
  const std::int64_t shift = wavelet.taps() / 2 - 1;
  Polyphase result;
  result.forward = forward;
  result.terms = wavelet.taps() / 2;
  result.phase = shift % 2;
  if (forward) {
    result.offset = shift / 2;
    result.u = wavelet.recLow;
    result.v = wavelet.recHigh;
    return result;
  }
  result.offset = result.terms - 1 - shift / 2;
  for (std::size_t j = taps; j > 0; j -= 2) {
    result.u.push_back(wavelet.recLow[j - 2]);
    result.u.push_back(wavelet.recHigh[j - 2]);
    result.v.push_back(wavelet.recLow[j - 1]);
    result.v.push_back(wavelet.recHigh[j - 1]);
  }
  return result;
}

}  // namespace sscope
