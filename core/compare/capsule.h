#pragma once
// A capsule: a comparison as one file, JSON of schema "stencilscope.capsule/1" or a page that holds the same
// (docs/manual/compare.md). It has the machine, the versions, all samples, what was verified and the recipe of the
// input, so that others can look at it and run it again.

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/compare/comparison.h"

namespace sscope::compare {

class CheckedJson;

inline constexpr std::string_view kCapsuleSchema = "stencilscope.capsule/1";
inline constexpr std::size_t kLargestCapsule = std::size_t{16} << 20;  // bytes of the file

// Why the recipe means nothing on another machine, as half a sentence; empty if it does. (Taps that are read from a
// file by a workload of the catalog are not in its values.)
[[nodiscard]] std::string notPortable(const CaseRecipe& recipe);

[[nodiscard]] nlohmann::json capsuleOf(const Comparison& comparison);
// Throws Error(BadData) that names the first place that is wrong, or Error(Unsupported) for a newer schema.
[[nodiscard]] Comparison fromCapsule(const nlohmann::json& document);

// Whether the text of a file is a capsule, or a page that holds one, however damaged.
[[nodiscard]] bool isCapsule(std::string_view text);
// Throws as fromCapsule, and in one sentence for what is no JSON or has no capsule. `name` is for messages.
[[nodiscard]] Comparison parseCapsule(const std::string& text, const std::string& name);
// Throws Error(NotFound, Io) as readTextFile, too, and Error(BadData) for files larger than kLargestCapsule.
[[nodiscard]] Comparison readCapsule(const std::filesystem::path& path);

// Lanes as members of a capsule. laneFrom throws Error(BadData).
[[nodiscard]] nlohmann::json toJson(const Lane& lane);
[[nodiscard]] Lane laneFrom(const CheckedJson& json);

// The capsule as an element of a page, which nothing executes and which isCapsule() finds.
[[nodiscard]] std::string capsuleElement(const Comparison& comparison);

}  // namespace sscope::compare
