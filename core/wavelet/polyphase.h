#pragma once
// The polyphase form of one level along an axis, which engines compute: pairs in, pairs out, with the same sum in both
// directions.

#include <cstdint>
#include <vector>

#include "core/wavelet/wavelet.h"

namespace sscope {

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
