#include "core/volume/meaning.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/json_text.h"
#include "core/volume/selection.h"

namespace sscope {

std::string meaningText(const Metadata& metadata, const SaidByFormat& said) {
  nlohmann::json object = nlohmann::json::object();
  if (metadata.frames > 1 && !said.frames) {
    object["frames"] = metadata.frames;
    if (metadata.frameSeconds > 0) object["frame_seconds"] = metadata.frameSeconds;
  }
  if (!metadata.channels.empty() && !said.channels) object["channels"] = metadata.channels;
  if (!metadata.valueUnit.empty() && !said.valueUnit) object["value_unit"] = metadata.valueUnit;
  if (metadata.labels && !said.labels) object["labels"] = true;
  if (!metadata.inSpace && !said.space) object["in_space"] = false;
  if (object.empty()) return {};
  const std::string text = plainJson(object);
  return text.size() <= kLongestMeaning ? text : std::string();
}

void takeMeaning(const std::string& text, VolumeInfo& info) {
  if (text.empty() || text.size() > kLongestMeaning) return;
  const nlohmann::json object = nlohmann::json::parse(text, nullptr, false);
  if (!object.is_object()) return;
  Metadata& metadata = info.metadata;
  const auto number = [&](const char* key) {
    const auto at = object.find(key);
    return at != object.end() && at->is_number() ? at->get<double>() : 0.0;
  };
  const double frames = number("frames"), seconds = number("frame_seconds");
  if (metadata.frames == 1 && frames > 1 && frames <= info.shape.components && frames == std::floor(frames) &&
      info.shape.components % static_cast<int>(frames) == 0) {
    metadata.frames = static_cast<int>(frames);
    if (std::isfinite(seconds) && seconds > 0) metadata.frameSeconds = seconds;
    info.notices.push_back(heldAsComponents("the " + std::to_string(metadata.frames) + " frames"));
  }
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
