#include "core/session/ladder_settings.h"

#include "core/session/json_members.h"

namespace sscope {

namespace {

using nlohmann::json;

std::vector<std::string> wordsFrom(const json& object, const char* key) {
  std::vector<std::string> words;
  if (const json* list = json_members::member(object, key, &json::is_array, "an array of texts"))
    for (const json& word : *list) {
      if (!word.is_string()) json_members::bad("\"" + std::string(key) + "\" must hold texts");
      words.push_back(word.get<std::string>());
    }
  return words;
}

}  // namespace

json toJson(const LadderSettings& settings) {
  return {{"workload", settings.workload}, {"engines", settings.engines},       {"without", settings.without},
          {"size", settings.size},         {"everyPoint", settings.everyPoint}, {"tuneFirst", settings.tuneFirst}};
}

LadderSettings ladderSettingsFrom(const json& object) {
  LadderSettings settings;
  settings.workload = json_members::text(object, "workload", settings.workload);
  settings.engines = wordsFrom(object, "engines");
  settings.without = wordsFrom(object, "without");
  settings.size = json_members::oneOf(object, "size", settings.size, {"small", "timed", "paper"});
  settings.everyPoint = json_members::truth(object, "everyPoint", settings.everyPoint);
  settings.tuneFirst = json_members::truth(object, "tuneFirst", settings.tuneFirst);
  return settings;
}

}  // namespace sscope
