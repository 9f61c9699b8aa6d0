#include "core/wavelet/polyphase.h"

namespace sscope {

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
