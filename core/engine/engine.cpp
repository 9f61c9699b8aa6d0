#include "core/engine/engine.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/engine/joined_engine.h"

namespace sscope {

std::string_view toString(EngineKind kind) {
  switch (kind) {
    case EngineKind::Cpu: return "cpu";
    case EngineKind::OpenCl: return "opencl";
    case EngineKind::Cuda: return "cuda";
    case EngineKind::Peer: break;
  }
  return "peer";
}

void throwOtherEngine(const Engine& engine, std::string_view engines) {
  throw Error(ErrorKind::Usage, engine.info().id + " is none of the " + std::string(engines),
              "choose one of the " + std::string(engines));
}

void EngineSet::add(std::unique_ptr<Engine> engine) {
  infos_.push_back(engine->info());
  engines_.push_back(std::move(engine));
}

void EngineSet::addAbsent(EngineInfo info) {
  infos_.push_back(std::move(info));
  engines_.push_back(nullptr);
}

std::vector<Engine*> EngineSet::available() const {
  std::vector<Engine*> result;
  for (const auto& engine : engines_)
    if (engine) result.push_back(engine.get());
  return result;
}

Engine& EngineSet::at(std::string_view id) const {
  if (namesJoined(id)) return joinedEngine(*this, id);
  std::string known;
  for (std::size_t i = 0; i < infos_.size(); ++i) {
    if (infos_[i].id == id) {
      if (engines_[i]) return *engines_[i];
      throw Error(ErrorKind::NotFound, "the engine " + std::string(id) + " is absent: " + infos_[i].absentReason,
                  "choose another; `sscope devices` lists them");
    }
    if (engines_[i]) known += (known.empty() ? "" : ", ") + infos_[i].id;
  }
  throw Error(ErrorKind::NotFound, "there is no engine " + std::string(id), "use one of " + known);
}

const EngineInfo* EngineSet::find(std::string_view id) const {
  if (namesJoined(id)) {
    try {
      return &joinedEngine(*this, id).info();
    } catch (const Error&) {
      return nullptr;
    }
  }
  const auto found = std::ranges::find(infos_, id, &EngineInfo::id);
  return found == infos_.end() ? nullptr : &*found;
}

Engine& EngineSet::preferred() const {
  Engine* best = nullptr;
  for (const auto& engine : engines_)
    if (engine && (best == nullptr || engine->info().hasThreads())) best = engine.get();
  if (best == nullptr) throw Error(ErrorKind::NotFound, "no engine is available", "see `sscope devices`");
  return *best;
}

}  // namespace sscope
