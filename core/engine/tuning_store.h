#pragma once
// Stores the fastest of a variant's candidates (core/measure/tune.h) between runs, in the cache directory.

#include <optional>
#include <string>

#include "core/engine/variant.h"

namespace sscope {

struct TunedTiles {
  OptionValues values;  // one of the variant's candidates; {}: the variant's own choice
  std::string date;     // ISO 8601
};

// The result of a search for this variant and a workload of the same parameters, shapes and types, on this model of
// engine with this driver, this version of the program and the same kernels. Empty if there was no search, the values
// are no longer a candidate, or the file is damaged. Thread-safe.
[[nodiscard]] std::optional<TunedTiles> rememberedTiles(const Variant& variant, const EngineInfo& engine,
                                                        const Workload& workload);
// Replaces an earlier result. Thread-safe. Throws Error(Io) if the cache cannot be written.
void rememberTiles(const Variant& variant, const EngineInfo& engine, const Workload& workload, const TunedTiles& tiles);

}  // namespace sscope
