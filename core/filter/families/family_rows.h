#pragma once
// The rows of the table of families (family.h), defined in the files that make their filters; lists are in display
// order.

#include <vector>

#include "core/filter/families/family.h"

namespace sscope {

// Designed axis by axis: polynomial fits, passes in frequency, Hilbert.
[[nodiscard]] std::vector<FilterFamily> axisFamilies();
// Taps that turn with a direction, such as Gabor and motion.
[[nodiscard]] std::vector<FilterFamily> directedFamilies();
// Designed in frequency.
[[nodiscard]] std::vector<FilterFamily> frequencyFamilies();
// Derivatives of gaussians at any angle, and gaussians as long ellipsoids.
[[nodiscard]] std::vector<FilterFamily> steerableFamilies();

// Order statistics: medians, percentiles, minima and maxima.
[[nodiscard]] std::vector<FilterFamily> rankFamilies();
// Mathematical morphology of gray values by flat windows (J. Serra, Image Analysis and Mathematical Morphology, 1982).
[[nodiscard]] std::vector<FilterFamily> morphologyFamilies();
// Means, variances and contrast of the voxels around each.
[[nodiscard]] std::vector<FilterFamily> localStatisticsFamilies();
// Weights that fall with the difference of values: bilateral and nlmeans (core/filter/range_window.h).
[[nodiscard]] std::vector<FilterFamily> rangeFamilies();
// The guided filter: smooth where another image is even.
[[nodiscard]] FilterFamily guidedFamily();

// From derivatives of gaussians: gradient, hessian, vessels, structure tensor, edges.
[[nodiscard]] std::vector<FilterFamily> derivedFamilies();
// Edges where the slope is largest along its own direction.
[[nodiscard]] FilterFamily edgesFamily();

// Steps that are repeated: diffusion that stops at edges, curvature flow, total variation.
[[nodiscard]] std::vector<FilterFamily> iteratedFamilies();
// Diffusion along lines and surfaces.
[[nodiscard]] FilterFamily coherenceFamily();
[[nodiscard]] FilterFamily totalVariationFamily();

// daubechies, symlet: one step of the transform without downsampling, out(i) = sum_k taps[k] in(i + k - s) with s =
// taps / 2 - 1 on every axis; divided by sqrt(2) an axis so that the low pass keeps constants. magic: see
// core/wavelet/magic_taps.h.
[[nodiscard]] std::vector<FilterFamily> waveletFamilies();
// Removes small wavelet coefficients of the undecimated transform, so that results move with the data.
[[nodiscard]] FilterFamily waveletDenoiseFamily();

inline constexpr const char* kFormulaFamily = "formula";
inline constexpr const char* kFormulaText = "e";  // the option that holds the expression
// A formula; its constants are options of their own.
[[nodiscard]] FilterFamily formulaFamily();

}  // namespace sscope
