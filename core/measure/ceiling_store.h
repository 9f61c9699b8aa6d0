#pragma once
// Measured ceilings, stored in the cache directory with date, driver and host.

#include <optional>
#include <string>

#include "core/engine/engine.h"

namespace sscope {

// The stored ceilings of this engine on this host with this driver and thread count (0: all), if any.
[[nodiscard]] std::optional<Ceilings> storedCeilings(const EngineInfo& engine, int threads);
void storeCeilings(const EngineInfo& engine, int threads, const Ceilings& ceilings);
// The stored ceilings, else measures and stores them.
[[nodiscard]] Ceilings ceilingsOf(Engine& engine, int threads, const Control& control);

// Share of the machine's limit: achieved / min(peak, intensity * bandwidth), 0..1 (docs/manual/measurement.md).
[[nodiscard]] double utilization(const Ceilings& ceilings, Precision precision, double operations, double bytes,
                                 double seconds);

}  // namespace sscope
