#pragma once
// What the values of a volume mean, for formats that have no place for it: a JSON text beside what they have.

#include <string>
#include <vector>

#include "core/volume/volume_io.h"

namespace sscope {

// The key, or the first part of it, by which files hold the text.
inline constexpr const char* kMeaningKey = "stencilscope.meaning";
inline constexpr std::size_t kLongestMeaning = 8192;

// What a format says itself; `seconds` lie between points in time.
struct SaidByFormat {
  bool frames = false, seconds = false, channels = false, valueUnit = false, labels = false, space = false;
};

// Points in time, names of channels, the unit of values, whether they are labels, that they lie in no known space: what
// of it is there and not said by the format, as one line of ASCII without < > and &; empty where there is nothing to
// say, or where it is too long.
[[nodiscard]] std::string meaningText(const Metadata& metadata, const SaidByFormat& said = {});
// Whether the text is not too long.
[[nodiscard]] bool fitsMeaning(const Metadata& metadata, const SaidByFormat& said = {});
// What meaningText() would say, in words: "the unit of values (HU)".
[[nodiscard]] std::vector<std::string> meaningWords(const Metadata& metadata, const SaidByFormat& said = {});
// Takes the text that a file holds, once its shape is known; what makes no sense there is left out, with a
// notice where that is all of it.
void takeMeaning(const std::string& text, VolumeInfo& info);

}  // namespace sscope
