#pragma once
// The first input of a run, whole, in the slot Input of the engine's workspace.

#include "core/base/control.h"
#include "core/engine/plan.h"
#include "gpu/run/device_engine.h"

namespace sscope {

// Copies it there unless an earlier run left it (Inputs::identity). The engine is locked and the slot large enough.
// Returns the seconds it took. Throws Canceled, Error(Device); the slot then holds nothing of use.
double uploadWholeInput(DeviceEngine& engine, const Inputs& inputs, const ArraySpec& spec, const Control& control);

}  // namespace sscope
