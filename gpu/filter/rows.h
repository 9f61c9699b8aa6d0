#pragma once
// The rows of filters, formulas and their ladders for devices.

#include "core/engine/variant.h"

namespace sscope {

// The rows of workload "filter" for engines on devices.
void addFilterVariants(VariantTable& variants, EngineKind kind);

// The ways to compute a formula on devices of a kind.
void addFormulaVariants(VariantTable& variants, EngineKind kind);

// Workload "bank" as the paper describes it (A. Hast, "Efficient convolution on multi-dimensional data, part 2", 2012):
// naive-array, naive-vector, unrolled.
void addBankRungs(VariantTable& variants, EngineKind kind);

// Workload "conv2d" as the paper describes it (U. Dastgeer and C. Kessler, "A performance-portable generic component
// for 2D convolution computations on GPU-based systems"): naive, optimized, tiled-occupancy, tiled-tiling.
void addConv2dRungs(VariantTable& variants, EngineKind kind);

// Workload "soup" as the talk describes it (J. Stam, "Convolution Soup: a case study in CUDA optimization", GPU
// Technology Conference 2009): naive, texture, texture-4px, texture-shared, texture-float-shared, shared-shifted,
// shared-coalesced, shared-128bit, shared-128bit-banked, shared-128bit-unrolled; each followed by its memory-only twin,
// of the same name with "-memory".
void addSoupRungs(VariantTable& variants, EngineKind kind);

}  // namespace sscope
