#pragma once
// Lanes and rows of measurements, to and from JSON (capsule.h).

#include <nlohmann/json.hpp>

#include "core/compare/checked_json.h"
#include "core/compare/lane.h"

namespace sscope::compare {

[[nodiscard]] nlohmann::json toJson(const Lane& lane);
// Throws Error(BadData).
[[nodiscard]] Lane laneFrom(const CheckedJson& json);

}  // namespace sscope::compare
