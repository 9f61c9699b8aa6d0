#pragma once
// The meaning of a volume's values as a JSON text, for formats that cannot store it.

#include <string>
#include <vector>

#include "core/volume/volume_io.h"

namespace sscope {

// The key of the text in files, or its first part.
inline constexpr const char* kMeaningKey = "stencilscope.meaning";
inline constexpr std::size_t kLongestMeaning = 8192;

// The properties that a format stores itself; `seconds`: the time between frames.
struct SaidByFormat {
  bool frames = false, seconds = false, channels = false, valueUnit = false, labels = false, space = false;
};

// The properties that the metadata has and the format does not store: frames, names of channels, the unit of values,
// labels, no known space. One line of ASCII without < > and &; empty if there are none, or if it is too long.
[[nodiscard]] std::string meaningText(const Metadata& metadata, const SaidByFormat& said = {});
// Whether the text is not too long.
[[nodiscard]] bool fitsMeaning(const Metadata& metadata, const SaidByFormat& said = {});
// The properties in meaningText(), in words: "the unit of values (HU)".
[[nodiscard]] std::vector<std::string> meaningWords(const Metadata& metadata, const SaidByFormat& said = {});
// Adds the properties of a file's text to `info`, whose shape is known. Invalid ones are left out, with a notice if all
// are invalid.
void takeMeaning(const std::string& text, VolumeInfo& info);

}  // namespace sscope
