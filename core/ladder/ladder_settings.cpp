#include "core/ladder/ladder_settings.h"

#include <nlohmann/json.hpp>

#include "core/options/json_members.h"

namespace sscope {

namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

void writeWords(const Words& words, json& list) { list = words; }

void readWords(Words& words, const json& list) {
  if (!list.is_array()) json_members::bad("engines and rungs of \"ladder\" must be arrays of strings");
  for (const json& word : list) {
    if (!word.is_string()) json_members::bad("engines and rungs of \"ladder\" must be strings");
    words.push_back(word.get<std::string>());
  }
}

}  // namespace

const SettingsTable& LadderSettings::table() {
  using S = LadderSettings;
  static const SettingsTable made =
      SettingsOf<S>("ladder", "ladder", "ladders", "Ladders")
          .optional()
          .group("ladder")
          .text("workload", "ladder", &S::workload)
          .shown("", "Ladder")
          .group({})
          .other("engines", "devices", &S::engines, writeWords, readWords)
          .other("without", "rungs", &S::without, writeWords, readWords)
          .group("sweep")
          .truth("everyPoint", "points", &S::everyPoint)
          .titles({{"false", "a selection"}, {"true", "every point of the figures"}})
          .shown("Points", "Points of the sweep")
          .choice("size", "size", &S::size, {"small", "timed", "paper"})
          .shown("Size", "Size of the data")
          .truth("tuneFirst", "tuning", &S::tuneFirst)
          .shown("Tune first")
          .help(
              "The tuned rungs choose their tiles by a model. If checked, a short search times a few other tiles "
              "before such a rung first runs on a device, and uses the fastest whose output is correct. The choice is "
              "stored for the device, its driver and the kernel, so the next run starts at once.")
          .command([](const S& s, bool shown) -> std::string {
            // The room selects devices by itself.
            S untouched;
            untouched.engines = s.engines;
            if (s == untouched && !shown) return {};
            return "sscope bench " + s.workload + " --sweep";
          })
          .table();
  return made;
}

}  // namespace sscope
