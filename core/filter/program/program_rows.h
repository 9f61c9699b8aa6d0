#pragma once
// The rows of workload "program": those of workload "filter", each for the filters of a program that it can run.

#include "core/engine/variant.h"

namespace sscope {

// For one kind of engine, whose rows of "filter" and "formula" are in the table already.
void addProgramRows(VariantTable& variants, EngineKind kind);

}  // namespace sscope
