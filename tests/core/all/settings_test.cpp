// Tables of settings: defaults, equality, assignment by name, JSON; and sessions of older programs and larger builds.

#include "core/options/settings.h"

#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/ladder/ladder_settings.h"
#include "core/lattice/job/lattice_settings.h"
#include "core/session/session.h"
#include "core/wavelet/job/wavelet_settings.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using nlohmann::json;

namespace {

// What a program of before the tables wrote, to the byte: a wavelet room, a lattice room and a ladders room that were
// used, in a session without data.
const std::string kOldSession = json::parse(R"({
  "bank": {"boundary": "nearest", "constant": 0.0, "filters": [], "output": "f32",
    "schema": "stencilscope.bank/1"},
  "data": {},
  "engine": "cpu:avx2",
  "ladder": {"engines": ["cpu:avx2", "opencl:0"], "everyPoint": true, "size": "timed", "tuneFirst": false,
    "without": ["naive"], "workload": "soup"},
  "lattice": {"configuration": {"beta": 5.5, "extents": [4, 4, 2, 6], "seed": 11, "start": "hot", "sweeps": 3},
    "flowTime": 0.07, "observable": "polyakov", "part": "phase", "slice": 3, "solve": {"color": 1,
    "kappa": 0.1125, "maxIterations": 321, "places": [{"engine": "cpu:avx2", "variant": "tuned"},
    {"engine": "cpu:avx2", "variant": "naive"}], "preconditioner": "none", "propagator": true, "seed": 5,
    "site": [1, 2, 0, 5], "solver": "gcr", "source": "hash", "spin": 2, "timeBoundary": 1, "tolerance": 1e-07}},
  "schema": "stencilscope.session/1",
  "threads": 2,
  "variant": "",
  "view": {"component": 0, "crosshair": [-1, -1, -1], "layout": "all", "resultWindow": null, "room": "ladders",
    "show": "result", "shownFilter": "", "sourceWindow": null, "waveletLayout": "volume",
    "waveletPyramid": false, "waveletShow": "difference"},
  "wavelet": {"automatic": false, "convention": "bigdft", "direction": "inverse", "levels": 5, "order": 6,
    "rule": "hard", "shrinkage": "bayes", "taps": "", "threshold": 12.5, "transform": "magic",
    "variant": "naive", "wavelet": "db7"}
})")
                                    .dump(2) +
                                "\n";

// The members of `document` that `old` has, too. Settings that are newer than `old` are written with their defaults.
json restrictedTo(const json& old, const json& document) {
  if (!old.is_object() || !document.is_object()) return document;
  json members = json::object();
  for (const auto& [key, value] : document.items())
    if (old.contains(key)) members[key] = restrictedTo(old.at(key), value);
  return members;
}

json sessionWith(const char* member, const json& value) {
  json document = json::parse(kOldSession);
  document[json::json_pointer(member)] = value;
  return document;
}

}  // namespace

TEST_CASE_METHOD(test::InFolder, "a session of an older program opens and is written back to the byte") {
  writeTextFile(folder / "old.json", kOldSession);
  const Session session = readSession((folder / "old.json").string());
  const auto wavelet = session.get<WaveletSettings>();
  CHECK(wavelet ==
        WaveletSettings{"magic", "db7", "bigdft", 5, "hard", false, "bayes", 12.5, "inverse", 6, "", "naive"});
  CHECK(session.get<WaveletView>() == WaveletView{"difference", "volume", false});
  const auto lattice = session.get<LatticeSettings>();
  CHECK(lattice.configuration == ConfigurationSource{"", {4, 4, 2, 6}, 5.5, true, 3, 11});
  CHECK(lattice.observable == "polyakov");
  CHECK(lattice.flowTime == 0.07);
  CHECK(lattice.solve.places.size() == 2);
  CHECK(lattice.solve.site == std::array<int, 4>{1, 2, 0, 5});
  CHECK(session.get<LadderSettings>() ==
        LadderSettings{"soup", {"cpu:avx2", "opencl:0"}, {"naive"}, "timed", true, false});
  CHECK(session.view.room == "ladders");
  CHECK(session.foreign.empty());
  writeSession((folder / "new.json").string(), session);
  const std::string text = readTextFile(folder / "new.json");
  CHECK(json::parse(text).dump(2) + "\n" == text);
  CHECK(restrictedTo(json::parse(kOldSession), json::parse(text)).dump(2) + "\n" == kOldSession);
}

TEST_CASE("a session without its rooms has their defaults, or leaves them as they are") {
  json document = json::parse(kOldSession);
  for (const char* part : {"wavelet", "lattice", "ladder", "view"}) document.erase(part);
  const Session session = sessionFromJson(document);
  CHECK(session.get<WaveletSettings>() == WaveletSettings());
  CHECK(session.get<WaveletView>() == WaveletView());
  CHECK(session.find<LatticeSettings>() == nullptr);
  CHECK(session.find<LadderSettings>() == nullptr);
  CHECK(toJson(session).at("lattice").is_null());
  CHECK(toJson(session).at("wavelet") == toJson(Session()).at("wavelet"));
  // Of before the rule could be chosen.
  document["wavelet"] = {{"levels", 2}};
  CHECK(sessionFromJson(document).get<WaveletSettings>().shrinkage == "visu");
}

TEST_CASE("what belongs to no room of this program is written back unchanged") {
  json document = json::parse(kOldSession);
  document["spectra"] = json::parse(R"({"window":"hann","bands":[1,null,{"a":0.1}],"none":null})");
  document["view"]["spectraZoom"] = 2.5;
  document["later"] = nullptr;
  const Session session = sessionFromJson(document);
  CHECK(session.foreign.size() == 2);
  const json again = toJson(session);
  CHECK(again.at("spectra") == document.at("spectra"));
  for (const auto& [key, value] : document.at("view").items()) CHECK(again.at("view").at(key) == value);
  CHECK(sessionFromJson(again) == session);
}

TEST_CASE("a wrong member of a room's settings is named with its place") {
  const struct {
    const char* member;
    json value;
    const char* words;
  } rows[] = {{"/wavelet/levels", 63, "wavelet.levels=63 is not valid; give a whole number from 1 to 62"},
              {"/wavelet/levels", 2.5, "wavelet.levels=2.5"},
              {"/wavelet/levels", 18446744073709551615ULL, "wavelet.levels=18446744073709551615"},
              {"/wavelet/automatic", 3, "wavelet.automatic=3 is not valid; give true or false"},
              {"/wavelet/rule", "firm", "wavelet.rule=firm is not valid; give one of soft hard"},
              {"/wavelet/taps", 7, "wavelet.taps=7 is not valid; give text"},
              {"/view/waveletShow", "all", "view.waveletShow=all"},
              {"/lattice/solve/kappa", 11, "lattice.solve.kappa=11 is not valid; give a number from -10 to 10"},
              {"/lattice/solve/timeBoundary", 0, "lattice.solve.timeBoundary=0 is not valid; give -1 or 1"},
              {"/lattice/solve/timeBoundary", 18446744073709551615ULL, "lattice.solve.timeBoundary"},
              {"/lattice/solve/site", {1, 2, 3}, "\"site\""},
              {"/lattice/solve", 3, "lattice.solve must be an object"},
              {"/lattice/configuration", 3, "\"configuration\" must be an object"},
              {"/ladder/engines", "cpu", "\"ladder\""},
              {"/ladder", 3, "\"ladder\" must be an object"},
              {"/compare/contenders", "cpu", "\"compare\""},
              {"/compare/parameters", {1}, "\"compare\""},
              {"/compare/data", "large", "compare.data=large is not valid; give one of small paper open"}};
  for (const auto& row : rows) {
    INFO(row.member);
    CHECK_THROWS_WITH(sessionFromJson(sessionWith(row.member, row.value)),
                      ContainsSubstring("the session is not valid") && ContainsSubstring(row.words));
  }
}

TEST_CASE("settings are assigned by name, and nothing wrong gets in") {
  Settings settings = LatticeSettings();
  settings.set("solve.kappa", 0.13);
  settings.set("solve.timeBoundary", std::int64_t{1});
  settings.set("observable", std::string("energy"));
  CHECK(settings.as<LatticeSettings>().solve.kappa == 0.13);
  CHECK(settings.as<LatticeSettings>().solve.timeBoundary == 1);
  CHECK(settings.at("observable") == OptionValue(std::string("energy")));
  const Settings before = settings;
  CHECK_THROWS_WITH(settings.set("kappa", 0.1),
                    ContainsSubstring("there is no setting kappa") && ContainsSubstring("solve.kappa"));
  CHECK_THROWS_WITH(settings.set("solve.places", std::string()), ContainsSubstring("more than one value"));
  CHECK_THROWS_WITH(settings.set("solve.kappa", std::string("a")), ContainsSubstring("kappa=a is not valid"));
  CHECK_THROWS_WITH(settings.set("solve.kappa", 11.0), ContainsSubstring("from -10 to 10"));
  CHECK_THROWS_WITH(settings.set("solve.timeBoundary", std::int64_t{0}), ContainsSubstring("give -1 or 1"));
  CHECK_THROWS_AS(settings.set("observable", std::string("mass")), Error);
  CHECK(settings == before);
  CHECK_FALSE(settings == Settings(LatticeSettings::table()));
  CHECK_FALSE(Settings(LatticeSettings::table()) == Settings(LadderSettings::table()));
}

TEST_CASE("of two settings of one table those members are taken that are asked for") {
  LatticeSettings one, other;
  other.flowTime = 2;
  other.slice = 5;
  other.solve.kappa = 0.2;
  other.solve.places = {{"cpu:scalar", ""}};
  Settings settings = one;
  const std::vector<std::size_t> rows = settings.differences(other);
  std::vector<std::string> names;
  for (const std::size_t row : rows) names.push_back(settings.table().rows[row].name);
  CHECK(names == std::vector<std::string>{"flowTime", "slice", "solve.kappa", "solve.places"});
  settings.take(other, std::vector<std::size_t>{rows[2], rows[3]});
  one.solve.kappa = 0.2;
  one.solve.places = other.solve.places;
  CHECK(settings.as<LatticeSettings>() == one);
  settings.take(other, rows);
  CHECK(settings == Settings(other));
}

TEST_CASE("every table is sound: names once, defaults within their ranges and those of the struct") {
  std::set<std::string> keys;
  for (const SettingsTable* table : sessionParts()) {
    INFO(table->key);
    CHECK(keys.insert(table->key).second);
    CHECK_FALSE(table->rows.empty());
    const Settings initial(*table);
    std::set<std::string> names;
    for (const SettingRow& row : table->rows) {
      INFO(row.name);
      CHECK(names.insert(row.name).second);
      CHECK_FALSE(row.label.empty());
      if (!row.option) continue;
      CHECK(row.get(initial.value()) == row.option->fallback);
      CHECK_NOTHROW(checkOption(*row.option, row.option->fallback));
      Settings same = initial;
      same.set(row.name, row.option->fallback);
      CHECK(same == initial);
    }
    json object = json::object();
    initial.write(object);
    CHECK(Settings::read(*table, object) == initial);
  }
}
