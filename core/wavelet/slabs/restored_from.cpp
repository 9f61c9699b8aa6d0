#include "core/wavelet/slabs/restored_from.h"

#include <algorithm>
#include <vector>

#include "core/wavelet/wavelet.h"

namespace sscope {

namespace {

// Rounded down.
std::int64_t half(std::int64_t sample) { return (sample - (sample % 2 + 2) % 2) / 2; }

// The pairs of coefficients of the next level that these samples are put together from.
Range coefficientsOf(const Polyphase& inverse, const Range& samples) {
  return {half(samples.begin + inverse.phase) - inverse.offset,
          half(samples.end - 1 + inverse.phase) - inverse.offset + inverse.terms};
}

// The samples that these pairs of coefficients are sums over.
Range samplesOf(const Polyphase& forward, const Range& coefficients) {
  return {2 * (coefficients.begin - forward.offset) - forward.phase,
          2 * (coefficients.end - 1 - forward.offset + forward.terms - 1) - forward.phase + 2};
}

}  // namespace

Range restoredFrom(const Wavelet& wavelet, int levels, const Range& samples) {
  const Polyphase forward = polyphaseOf(wavelet, true), inverse = polyphaseOf(wavelet, false);
  std::vector<Range> needed{samples};  // of each level's averages, and details but for level 0
  for (int level = 0; level < levels; ++level) needed.push_back(coefficientsOf(inverse, needed.back()));
  for (std::size_t level = needed.size() - 1; level > 0; --level) {
    const Range below = samplesOf(forward, needed[level]);
    needed[level - 1] = {std::min(needed[level - 1].begin, below.begin), std::max(needed[level - 1].end, below.end)};
  }
  return needed.front();
}

}  // namespace sscope
