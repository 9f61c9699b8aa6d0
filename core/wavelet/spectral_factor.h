#pragma once
// Taps of the orthogonal wavelets with the most vanishing moments, by spectral factorization (I. Daubechies, Ten
// Lectures on Wavelets, 1992, sections 6.1, 6.4 and 8.1). The derivation is in docs/manual/wavelets.md.

#include <vector>

#include "core/wavelet/quad.h"

namespace sscope {

enum class PhaseChoice {
  Minimum,         // Daubechies: every zero inside the unit circle
  LeastAsymmetric  // symlets: from each group of zeros the one that makes the phase most nearly linear
};

inline constexpr int kMaximumOrder = 10;

// The 2 * order taps of the synthesis low pass (PyWavelets' rec_lo), in its order and to more than double precision:
// sum sqrt(2), orthonormal to its even shifts, `order` vanishing moments. order 1..kMaximumOrder.
[[nodiscard]] std::vector<Quad> orthogonalLowPass(int order, PhaseChoice choice);

}  // namespace sscope
