#pragma once
// What searches among a variant's candidates have found (core/measure/tune.h), kept between runs in the cache
// directory.

#include <optional>
#include <string>

#include "core/engine/variant.h"

namespace sscope {

struct TunedTiles {
  OptionValues values;  // one of the variant's candidates; {}: its own choice
  std::string date;     // ISO 8601
};

// What was found for this variant and workload - its parameters, shapes and types - on such an engine with this driver
// by this version of the program and with the same kernels. Nothing when no search was made, when what was found is no
// longer a candidate, or when the file is damaged. From any thread.
[[nodiscard]] std::optional<TunedTiles> rememberedTiles(const Variant& variant, const EngineInfo& engine,
                                                        const Workload& workload);
// Replaces what was known. From any thread. Throws Error(Io) when the cache cannot be written.
void rememberTiles(const Variant& variant, const EngineInfo& engine, const Workload& workload, const TunedTiles& tiles);

}  // namespace sscope
