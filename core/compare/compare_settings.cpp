#include "core/compare/compare_settings.h"

#include <nlohmann/json.hpp>

#include "core/options/json_members.h"

namespace sscope {

namespace {

using nlohmann::json;
using Words = std::vector<std::string>;
using Values = std::map<std::string, std::string>;

void writeWords(const Words& words, json& list) { list = words; }

void readWords(Words& words, const json& list) {
  if (!list.is_array()) json_members::bad("contenders of \"compare\" must be an array of strings");
  for (const json& word : list) {
    if (!word.is_string()) json_members::bad("contenders of \"compare\" must be strings");
    words.push_back(word.get<std::string>());
  }
}

void writeValues(const Values& values, json& object) { object = values; }

void readValues(Values& values, const json& object) {
  if (!object.is_object()) json_members::bad("parameters of \"compare\" must be an object of strings");
  for (const auto& [name, value] : object.items()) {
    if (!value.is_string()) json_members::bad("parameters of \"compare\" must be strings");
    values[name] = value.get<std::string>();
  }
}

}  // namespace

const SettingsTable& CompareSettings::table() {
  using S = CompareSettings;
  static const SettingsTable made = SettingsOf<S>("compare", "compare", "compare", "Compare")
                                        .group("job")
                                        .text("job", "job", &S::job)
                                        .shown("", "What the engines are compared at")
                                        .choice("data", "data", &S::data, {"small", "paper", "open"})
                                        .shown("Data", "Data of the workload")
                                        .group({})
                                        .other("parameters", "parameters", &S::parameters, writeValues, readValues)
                                        .other("contenders", "contenders", &S::contenders, writeWords, readWords)
                                        .group("again")
                                        .truth("again", "repeating", &S::again)
                                        .shown("Again on every change")
                                        .help("Races again whenever the data, the job or the contenders are others")
                                        .table();
  return made;
}

}  // namespace sscope
