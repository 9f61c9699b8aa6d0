#include "core/engine/tuning_store.h"

#include <nlohmann/json.hpp>

#include "core/base/json.h"

namespace sscope {

using nlohmann::json;

namespace {

const CacheFile& tuningFile() {
  static const CacheFile file{"tuning.json", "stencilscope.tuning/1", 500};
  return file;
}

json toJson(const ArraySpec& array) { return {{"type", toString(array.type)}, {"extent", array.extent}}; }

json toJson(const OptionValues& values) {
  json object = json::object();
  for (const auto& [name, value] : values) object[name] = optionToJson(value);
  return object;
}

json keyOf(const Variant& variant, const EngineInfo& engine, const Workload& workload) {
  json inputs = json::array(), outputs = json::array();
  for (const ArraySpec& one : workload.inputs()) inputs.push_back(toJson(one));
  for (const ArraySpec& one : workload.outputs()) outputs.push_back(toJson(one));
  return {{"engine", engine.name},
          {"driver", engine.driver},
          {"version", SSCOPE_VERSION},
          {"code", variant.code},
          {"workload", workload.name()},
          {"variant", variant.name},
          {"kind", toString(variant.kind)},
          {"precision", toString(workload.precision())},
          {"parameters", workload.parameters()},
          {"inputs", inputs},
          {"outputs", outputs}};
}

}  // namespace

std::optional<TunedTiles> rememberedTiles(const Variant& variant, const EngineInfo& engine, const Workload& workload) {
  if (!variant.candidates) return std::nullopt;
  const json entry = cacheEntry(tuningFile(), keyOf(variant, engine, workload));
  if (!entry.is_object() || !entry.contains("values") || !entry.contains("date") || !entry["date"].is_string())
    return std::nullopt;
  for (const OptionValues& values : variant.candidates(engine, workload))
    if (toJson(values) == entry["values"]) return TunedTiles{values, entry["date"].get<std::string>()};
  return std::nullopt;
}

void rememberTiles(const Variant& variant, const EngineInfo& engine, const Workload& workload,
                   const TunedTiles& tiles) {
  storeCacheEntry(tuningFile(), keyOf(variant, engine, workload),
                  {{"values", toJson(tiles.values)}, {"date", tiles.date}});
}

}  // namespace sscope
