#include "core/compare/capsule.h"

#include <algorithm>
#include <charconv>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/base/words.h"
#include "core/compare/checked_json.h"

namespace sscope::compare {

namespace {

using nlohmann::json;

constexpr std::string_view kSchemaStem = "stencilscope.capsule/";
constexpr std::string_view kElementBegin = "<script type='application/json' id='capsule'>", kElementEnd = "</script>";
constexpr std::size_t kMostLanes = 256, kMostEngines = 256, kMostNotes = 256, kMostValues = 64;
constexpr std::int64_t kMostVoxels = std::int64_t{1} << 48;

std::string_view nameOf(DataRecipe::From from) {
  return from == DataRecipe::From::Noise ? "noise" : from == DataRecipe::From::Sample ? "sample" : "file";
}

json dataJson(const DataRecipe& data) {
  json object{{"from", nameOf(data.from)},
              {"type", toString(data.spec.type)},
              {"extent", data.spec.extent},
              {"spacing", data.spacing},
              {"fingerprint", data.fingerprint}};
  if (data.from != DataRecipe::From::File) object["seed"] = data.seed;
  if (data.from != DataRecipe::From::Noise) object["name"] = data.name;
  if (data.size > 0) object["size"] = data.size;
  return object;
}

DataRecipe dataFrom(const CheckedJson& value) {
  DataRecipe data;
  const std::string from = value.at("from").text();
  for (const DataRecipe::From each : {DataRecipe::From::Noise, DataRecipe::From::Sample, DataRecipe::From::File})
    if (from == nameOf(each)) data.from = each;
  if (from != nameOf(data.from)) value.at("from").refuse("must be noise, sample or file");
  const auto type = parseElementType(value.at("type").text());
  if (!type) value.at("type").refuse("is no type of elements");
  data.spec.type = *type;
  const std::vector<CheckedJson> extent = value.at("extent").list(4);
  if (extent.size() != 4) value.at("extent").refuse("must have four numbers");
  double elements = 1;
  for (std::size_t axis = 0; axis < 4; ++axis) {
    data.spec.extent[axis] = extent[axis].whole(1, axis < 3 ? kMostVoxels : 65536);
    elements *= static_cast<double>(data.spec.extent[axis]);
  }
  if (elements > static_cast<double>(kMostVoxels)) value.at("extent").refuse("is more than any machine holds");
  const std::vector<double> spacing = value.at("spacing").numbers(1e-30, 1e30, 3);
  if (spacing.size() != 3) value.at("spacing").refuse("must have three numbers");
  std::ranges::copy(spacing, data.spacing.begin());
  data.fingerprint = value.at("fingerprint").text(16);
  if (const auto seed = value.find("seed")) {
    if (!value.object().at("seed").is_number_unsigned()) seed->refuse("must be a whole number");
    data.seed = value.object().at("seed").get<std::uint64_t>();
  }
  data.name = value.text("name", "");
  data.size = value.whole("size", 0, 1 << 24, 0);
  return data;
}

json recipeJson(const CaseRecipe& recipe) {
  return {{"computes", recipe.computes},
          {"parameters", recipe.parameters},
          {"data", dataJson(recipe.data)},
          {"workload", recipe.workload},
          {"made", recipe.made}};
}

CaseRecipe recipeFrom(const CheckedJson& value) {
  CaseRecipe recipe;
  recipe.computes = value.at("computes").text(64);
  if (const auto parameters = value.find("parameters")) recipe.parameters = parameters->object();
  recipe.data = dataFrom(value.at("data"));
  recipe.workload = value.at("workload").text(64);
  recipe.made = value.at("made").object();
  return recipe;
}

json contenderJson(const BenchRow& contender) {
  json object{{"engine", contender.engine}, {"variant", contender.variant}};
  for (const auto& [name, value] : contender.values) object["values"][name] = optionToJson(value);
  return object;
}

// The types of the variant's options are unknown here, so the JSON type decides.
OptionValue valueFrom(const CheckedJson& holder, const json& value, const std::string& name) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  holder.refuse("has no value for " + name);
}

BenchRow contenderFrom(const CheckedJson& value) {
  BenchRow contender{value.at("engine").text(256), value.at("variant").text(256), {}};
  if (const auto values = value.find("values")) {
    if (values->object().size() > kMostValues) values->refuse("has too many values");
    for (const auto& [name, each] : values->object().items()) contender.values[name] = valueFrom(*values, each, name);
  }
  return contender;
}

Machine machineFrom(const CheckedJson& value) {
  Machine machine;
  machine.host = value.text("host", "");
  machine.cpu = value.text("cpu", "");
  machine.threads = static_cast<int>(value.whole("threads", 1, 1 << 20, 1));
  machine.os = value.text("os", "");
  machine.memoryBytes = value.whole("memory_bytes", 0, INT64_MAX, 0);
  machine.lastCacheBytes = value.whole("last_cache_bytes", 0, INT64_MAX, 0);
  return machine;
}

json engineJson(const EngineInfo& info) {
  return {{"id", info.id},         {"kind", toString(info.kind)},   {"name", info.name},
          {"driver", info.driver}, {"available", info.available()}, {"reason", info.absentReason}};
}

EngineInfo engineFrom(const CheckedJson& value) {
  EngineInfo info;
  info.id = value.at("id").text(256);
  info.name = value.text("name", "");
  info.driver = value.text("driver", "");
  info.absentReason = value.text("reason", "");
  const std::string kind = value.text("kind", "");
  for (const EngineKind each : {EngineKind::Cpu, EngineKind::OpenCl, EngineKind::Cuda, EngineKind::Peer})
    if (kind == toString(each)) info.kind = each;
  return info;
}

RaceOptions optionsFrom(const CheckedJson& value) {
  RaceOptions how;
  how.repetitions = static_cast<int>(value.whole("repetitions", 1, 1000000, kMinimumRepetitions));
  how.seconds = value.number("seconds", 0, 3600, how.seconds);
  how.threads = static_cast<int>(value.whole("threads", 0, 4096, 0));
  how.firstResults = value.truth("first_results", true);
  how.slabs = static_cast<int>(value.whole("slabs", 1, 4096, how.slabs));
  how.emptyCaches = value.truth("empty_caches", true);
  return how;
}

// The number after the schema's stem, if there is one.
std::optional<int> schemaNumber(const std::string& schema) {
  if (!schema.starts_with(kSchemaStem)) return {};
  int number = 0;
  const char* begin = schema.data() + kSchemaStem.size();
  const auto [end, code] = std::from_chars(begin, schema.data() + schema.size(), number);
  if (code != std::errc() || end != schema.data() + schema.size()) return {};
  return number;
}

Comparison comparisonFrom(const CheckedJson& document) {
  Comparison result;
  result.version = document.at("version").text(64);
  result.date = document.at("date").text(64);
  const CheckedJson machine = document.at("machine");
  result.machine = machineFrom(machine);
  for (const CheckedJson& engine : machine.at("devices").list(kMostEngines))
    result.engines.push_back(engineFrom(engine));
  result.recipe = recipeFrom(document.at("recipe"));
  static_cast<void>(titleOf(result.recipe));  // throws for parameters that mean nothing
  result.how = optionsFrom(document.at("how"));
  for (const CheckedJson& contender : document.at("contenders").list(kMostLanes))
    result.contenders.push_back(contenderFrom(contender));
  for (const CheckedJson& lane : document.at("lanes").list(kMostLanes)) result.lanes.push_back(laneFrom(lane));
  if (result.lanes.empty()) document.at("lanes").refuse("must not be empty");
  if (result.lanes.size() != result.contenders.size()) document.at("lanes").refuse("must be as many as the contenders");
  for (std::size_t i = 0; i < result.lanes.size(); ++i)
    if (result.lanes[i].measurement.engine != result.contenders[i].engine)
      document.at("lanes").refuse("must be of the contenders' engines");
  if (const auto notes = document.find("notes"))
    for (const CheckedJson& note : notes->list(kMostNotes)) result.notes.push_back(note.text());
  return result;
}

// The JSON document in a file: the whole text, or the element of a page.
std::string_view documentIn(std::string_view text) {
  const std::size_t at = text.find(kElementBegin);
  if (at == std::string_view::npos) return text;
  const std::size_t begin = at + kElementBegin.size(), end = text.find(kElementEnd, begin);
  return text.substr(begin, end == std::string_view::npos ? end : end - begin);
}

}  // namespace

std::string notPortable(const CaseRecipe& recipe) {
  for (const Option& option : optionsOf(recipe)) {
    const auto value = recipe.parameters.find(option.name);
    const bool text = option.type == OptionType::Choice && option.choices.empty();
    std::error_code code;
    if (text && value != recipe.parameters.end() && value->is_string() &&
        std::filesystem::is_regular_file(value->get<std::string>(), code))
      return "its " + option.name + " are those of a file, " + value->get<std::string>();
  }
  return {};
}

json capsuleOf(const Comparison& comparison) {
  json machine = sscope::toJson(comparison.machine);
  machine["devices"] = json::array();
  for (const EngineInfo& info : comparison.engines) machine["devices"].push_back(engineJson(info));
  const RaceOptions& how = comparison.how;
  json document{{"schema", kCapsuleSchema},
                {"version", comparison.version},
                {"date", comparison.date},
                {"title", titleOf(comparison.recipe)},
                {"machine", std::move(machine)},
                {"recipe", recipeJson(comparison.recipe)},
                {"how",
                 {{"repetitions", how.repetitions},
                  {"seconds", how.seconds},
                  {"threads", how.threads},
                  {"first_results", how.firstResults},
                  {"slabs", how.slabs},
                  {"empty_caches", how.emptyCaches}}},
                {"contenders", json::array()},
                {"lanes", json::array()},
                {"notes", comparison.notes}};
  for (const BenchRow& contender : comparison.contenders) document["contenders"].push_back(contenderJson(contender));
  for (const Lane& lane : comparison.lanes) document["lanes"].push_back(toJson(lane));
  return document;
}

Comparison fromCapsule(const json& value) {
  const CheckedJson document(value);
  const std::string schema = document.at("schema").text(256);
  if (schema != kCapsuleSchema) {
    const auto number = schemaNumber(schema);
    if (number && *number > 1)
      throw Error(ErrorKind::Unsupported,
                  "it was written by a newer version of Stencilscope" +
                      (value.contains("version") && value["version"].is_string()
                           ? ", " + inOneLine(shortened(value["version"].get<std::string>(), 64))
                           : std::string()),
                  "update this one");
    document.at("schema").refuse("must be " + std::string(kCapsuleSchema));
  }
  return comparisonFrom(document);
}

bool isCapsule(std::string_view text) {
  const std::string_view document = documentIn(text);
  const std::size_t begin = document.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && document[begin] == '{' &&
         document.find(kSchemaStem) != std::string_view::npos;
}

Comparison parseCapsule(const std::string& text, const std::string& name) {
  const std::string failed = "cannot read the capsule " + name + ": ";
  try {
    return fromCapsule(parseJson(std::string(documentIn(text))));
  } catch (const json::exception&) {
    throw Error(ErrorKind::BadData, failed + "it is damaged, no JSON or a number in it is too large",
                "ask for it again");
  } catch (const Error& error) {
    throw Error(error.kind(), failed + error.what());
  }
}

Comparison readCapsule(const std::filesystem::path& path) {
  return parseCapsule(readTextFile(path, kLargestCapsule), path.string());
}

std::string capsuleElement(const Comparison& comparison) {
  const std::string document = capsuleOf(comparison).dump(-1, ' ', false, json::error_handler_t::replace);
  std::string text;
  for (const char each : document) {  // so that no text in it ends the element
    if (each == '<') {
      text += "\\u003c";
    } else {
      text += each;
    }
  }
  return std::string(kElementBegin) + text + std::string(kElementEnd) + "\n";
}

}  // namespace sscope::compare
