#include "core/volume/meaning.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/base/words.h"
#include "core/volume/selection.h"

namespace sscope {

namespace {

// The text without the limit of its length.
std::string wholeText(const Metadata& metadata, const SaidByFormat& said) {
  nlohmann::json object = nlohmann::json::object();
  const bool seconds = metadata.frameSeconds > 0 && !said.seconds;
  if (metadata.frames > 1 && (!said.frames || seconds)) {
    object["frames"] = metadata.frames;
    if (seconds) object["frame_seconds"] = metadata.frameSeconds;
  }
  if (!metadata.channels.empty() && !said.channels) object["channels"] = metadata.channels;
  if (!metadata.valueUnit.empty() && !said.valueUnit) object["value_unit"] = metadata.valueUnit;
  if (metadata.labels && !said.labels) object["labels"] = true;
  if (!metadata.inSpace && !said.space) object["in_space"] = false;
  return object.empty() ? std::string() : plainJson(object);
}

}  // namespace

std::string meaningText(const Metadata& metadata, const SaidByFormat& said) {
  std::string text = wholeText(metadata, said);
  return text.size() <= kLongestMeaning ? text : std::string();
}

bool fitsMeaning(const Metadata& metadata, const SaidByFormat& said) {
  return wholeText(metadata, said).size() <= kLongestMeaning;
}

std::vector<std::string> meaningWords(const Metadata& metadata, const SaidByFormat& said) {
  std::vector<std::string> words;
  if (metadata.frames > 1 && !said.frames) {
    words.push_back("the " + std::to_string(metadata.frames) + " points in time");
  } else if (metadata.frames > 1 && metadata.frameSeconds > 0 && !said.seconds) {
    words.emplace_back("the time between points in time");
  }
  if (!metadata.channels.empty() && !said.channels)
    words.emplace_back(metadata.channels.size() == 1 ? "the name of its channel" : "the names of channels");
  if (!metadata.valueUnit.empty() && !said.valueUnit)
    words.push_back("the unit of values (" + inOneLine(metadata.valueUnit) + ")");
  if (metadata.labels && !said.labels) words.emplace_back("the mark that values are labels");
  if (!metadata.inSpace && !said.space) words.emplace_back("the mark that the data lie in no known space");
  return words;
}

void takeMeaning(const std::string& text, VolumeInfo& info) {
  if (text.empty()) return;
  nlohmann::json object;
  if (text.size() <= kLongestMeaning) object = nlohmann::json::parse(text, nullptr, false);
  if (!object.is_object()) {
    info.notices.emplace_back("the file's record of the meaning of its values is damaged and left out");
    return;
  }
  Metadata& metadata = info.metadata;
  const auto number = [&](const char* key) {
    const auto at = object.find(key);
    return at != object.end() && at->is_number() ? at->get<double>() : 0.0;
  };
  const double frames = number("frames"), seconds = number("frame_seconds");
  if (metadata.frames == 1 && frames > 1 && frames <= info.shape.components && frames == std::floor(frames) &&
      info.shape.components % static_cast<int>(frames) == 0) {
    metadata.frames = static_cast<int>(frames);
    info.notices.push_back(heldAsComponents("the " + std::to_string(metadata.frames) + " frames"));
  }
  if (metadata.frames > 1 && frames == metadata.frames && metadata.frameSeconds == 0 && std::isfinite(seconds) &&
      seconds > 0)
    metadata.frameSeconds = seconds;
  std::vector<std::string> channels;
  if (const auto at = object.find("channels"); at != object.end() && at->is_array())
    for (const nlohmann::json& each : *at)
      channels.push_back(each.is_string() ? each.get<std::string>() : std::string());
  if (static_cast<int>(channels.size()) == info.shape.components / metadata.frames)
    metadata.channels = std::move(channels);
  if (const auto at = object.find("value_unit"); at != object.end() && at->is_string())
    metadata.valueUnit = at->get<std::string>();
  if (const auto at = object.find("in_space"); at != object.end() && at->is_boolean() && !at->get<bool>())
    metadata.inSpace = false;
  if (const auto at = object.find("labels"); at != object.end() && at->is_boolean()) metadata.labels = at->get<bool>();
}

}  // namespace sscope
