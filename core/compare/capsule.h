#pragma once
// A capsule: a comparison as one file, JSON of schema "stencilscope.capsule/1" or a page that holds the same
// (docs/manual/compare.md). It holds the machine, the versions, all samples, the verifications and the recipe of the
// case, so that others can read it and run the race again.

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/compare/comparison.h"

namespace sscope::compare {

class CheckedJson;

inline constexpr std::string_view kCapsuleSchema = "stencilscope.capsule/1";
inline constexpr std::size_t kLargestCapsule = std::size_t{16} << 20;  // bytes of the file

// Why another machine cannot make this case again, as half a sentence; empty if it can. (Taps that a workload of the
// catalog reads from a file are not in its values.)
[[nodiscard]] std::string notPortable(const CaseRecipe& recipe);

[[nodiscard]] nlohmann::json capsuleOf(const Comparison& comparison);
// Throws Error(BadData) that names the first wrong place, or Error(Unsupported) for a newer schema.
[[nodiscard]] Comparison fromCapsule(const nlohmann::json& document);

// Whether the text of a file is a capsule or a page that holds one, even a damaged one.
[[nodiscard]] bool isCapsule(std::string_view text);
// Throws as fromCapsule, and Error(BadData) in one sentence for a text without JSON or without a capsule. `name` is for
// messages.
[[nodiscard]] Comparison parseCapsule(const std::string& text, const std::string& name);
// Throws Error(NotFound, Io) as readTextFile, too, and Error(BadData) for files larger than kLargestCapsule.
[[nodiscard]] Comparison readCapsule(const std::filesystem::path& path);

// Lanes as members of a capsule. laneFrom throws Error(BadData).
[[nodiscard]] nlohmann::json toJson(const Lane& lane);
[[nodiscard]] Lane laneFrom(const CheckedJson& json);

// The capsule as an element of a page, which browsers do not execute and isCapsule() finds.
[[nodiscard]] std::string capsuleElement(const Comparison& comparison);

}  // namespace sscope::compare
