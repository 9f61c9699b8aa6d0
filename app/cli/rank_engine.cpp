#include "app/cli/rank_engine.h"

#include <vector>

#include "app/cli/program.h"
#include "core/base/error.h"

namespace sscope::cli {

Engine& rankEngine(const EngineSet& engines, const std::string& choice, const reach::Communicator& ranks) {
  if (choice.empty()) return engines.preferred();
  std::vector<Engine*> ofKind;
  for (Engine* engine : engines.available())
    if (engine->info().isDevice() && toString(engine->info().kind) == choice) ofKind.push_back(engine);
  if (!ofKind.empty()) return *ofKind[static_cast<std::size_t>(ranks.localRank()) % ofKind.size()];
  for (const EngineInfo& info : engines.infos())
    if (info.isDevice() && toString(info.kind) == choice && info.id != choice)
      return engines.at(info.id);  // absent, with the reason
  if (engines.find(choice) == nullptr) requireKnownEngine(engines, choice);
  return engines.at(choice);
}

// The ranks of a machine take its devices in turn: the first ones have one that nobody has before them.
int devicesOfRanks(const EngineSet& engines, const std::string& choice, reach::Communicator& ranks,
                   const Control& control) {
  const Engine& own = rankEngine(engines, choice, ranks);
  int offered = 0;
  for (const Engine* engine : engines.available()) {
    const EngineInfo& info = engine->info();
    offered += info.isDevice() && (info.id == choice || toString(info.kind) == choice) ? 1 : 0;
  }
  const double first = own.info().isDevice() && ranks.localRank() < offered ? 1 : 0;
  double devices = 0;
  for (const double each : ranks.gather({&first, 1}, control)) devices += each;
  return static_cast<int>(devices);
}

}  // namespace sscope::cli
