#include "tests/agreement/coverage.h"

#include "tests/support/catch.h"
#include "tests/support/outcome.h"

namespace sscope::test {

namespace {

// The reason is one of what the engine has, and the engine says so itself.
bool isLacking(const EngineInfo& engine, const std::string& refusal) {
  if (engine.kind == EngineKind::Cpu) return false;
  return (!engine.fp64 && refusal.find("no double precision") != std::string::npos) ||
         (engine.largestImage == 0 && refusal.find("no images") != std::string::npos);
}

}  // namespace

std::vector<EngineInfo> infosOf(const std::vector<Engine*>& engines) {
  std::vector<EngineInfo> infos;
  for (const Engine* engine : engines) infos.push_back(engine->info());
  return infos;
}

Coverage::Coverage(const VariantTable& variants, const std::vector<EngineInfo>& engines, const std::string& workload,
                   const std::function<bool(const Variant&)>& wanted) {
  for (const EngineInfo& engine : engines)
    for (const Variant* row : variants.rows(workload, engine.kind))
      if (row->belongsTo(engine) && (!wanted || wanted(*row))) places_[{engine.id, row->name}].engine = engine;
}

bool Coverage::takes(const EngineInfo& engine, const Variant& row, const Workload& instance) {
  if (!row.belongsTo(engine)) return false;
  const std::string refusal = row.unsupported ? row.unsupported(engine, instance) : "";
  if (!refusal.empty()) places_.at({engine.id, row.name}).refusal = refusal;
  return refusal.empty();
}

void Coverage::compared(const EngineInfo& engine, const Variant& row) { ++places_.at({engine.id, row.name}).compared; }

std::vector<std::string> Coverage::unseen(bool lacking) const {
  std::vector<std::string> names;
  for (const auto& [key, place] : places_)
    if (place.compared == 0 && isLacking(place.engine, place.refusal) == lacking)
      names.push_back(key.second + " on " + key.first +
                      (place.refusal.empty() ? " was never tried" : " refuses everything: " + place.refusal));
  return names;
}

std::vector<std::string> Coverage::missing() const { return unseen(false); }
std::vector<std::string> Coverage::lacking() const { return unseen(true); }

void Coverage::requireAll() const {
  REQUIRE(!places_.empty());
  CHECK(missing() == std::vector<std::string>{});
  for (const std::string& row : lacking()) noteSkip(row);
}

}  // namespace sscope::test
