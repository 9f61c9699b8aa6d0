#include "core/engine/joined_engine.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "core/base/error.h"
#include "core/engine/joined_parts.h"

namespace sscope {

namespace {

constexpr std::string_view kAll = ":all";

// The text that the engines have in common, or the texts of all.
std::string listed(const std::vector<Engine*>& parts, std::string EngineInfo::*text) {
  std::string words;
  for (const Engine* part : parts)
    if (const std::string& one = part->info().*text; !one.empty()) words += (words.empty() ? "" : " + ") + one;
  return words;
}

EngineInfo infoOf(const std::vector<Engine*>& parts) {
  EngineInfo info;
  info.kind = parts.front()->info().kind;
  info.computeUnits = 0;
  for (const Engine* part : parts) {
    const EngineInfo& one = part->info();
    info.id += (info.id.empty() ? "" : "+") + one.id;
    if (one.hasThreads()) info.kind = one.kind;
    info.fp64 = info.fp64 && one.fp64;
    info.computeUnits += one.computeUnits;
    info.memoryBytes += one.memoryBytes;
    info.isProcessor = info.isProcessor || one.isProcessor;
  }
  info.name = listed(parts, &EngineInfo::name);
  info.driver = listed(parts, &EngineInfo::driver);
  info.searchRefused = "engines that share the work are tuned one by one";
  return info;
}

// The ids of "cuda:all", in order.
std::vector<std::string> allOf(const EngineSet& engines, std::string_view id) {
  const std::string kind(id.substr(0, id.size() - kAll.size()));
  std::vector<std::string> ids;
  const EngineInfo* absent = nullptr;
  bool threads = false;
  for (const EngineInfo& info : engines.infos()) {
    if (toString(info.kind) != kind) continue;
    threads = threads || info.hasThreads();
    if (info.available()) ids.push_back(info.id);
    if (!info.available()) absent = &info;
  }
  if (threads)
    throw Error(ErrorKind::Usage, std::string(id) + " names the same processor several times",
                "name one level of the processor, such as " + engines.preferred().info().id);
  if (ids.empty() && absent != nullptr) ids.push_back(absent->id);  // at() reports why it is absent
  if (ids.empty()) ids.emplace_back(id);                            // at() lists the known ids
  return ids;
}

std::vector<Engine*> partsOf(const EngineSet& engines, std::string_view id) {
  std::vector<Engine*> parts;
  for (std::size_t begin = 0; begin <= id.size();) {
    const std::size_t end = std::min(id.find('+', begin), id.size());
    const std::string_view one = id.substr(begin, end - begin);
    begin = end + 1;
    if (one.empty())
      throw Error(ErrorKind::Usage, "an engine is missing next to a + in " + std::string(id),
                  "write them as in opencl:0+opencl:1");
    const std::vector<std::string> named =
        one.ends_with(kAll) ? allOf(engines, one) : std::vector<std::string>{std::string(one)};
    for (const std::string& each : named) {
      // Checked first: at() would call this function again.
      if (namesJoined(each))
        throw Error(ErrorKind::NotFound, "there are no engines " + each,
                    "see `sscope devices` for the engines of this machine");
      parts.push_back(&engines.at(each));
    }
  }
  return parts;
}

}  // namespace

JoinedEngine::JoinedEngine(std::vector<Engine*> parts) : parts_(std::move(parts)), info_(infoOf(parts_)) {
  for (const Engine* part : parts_)
    if (part->info().isPeer())
      throw Error(ErrorKind::Usage, part->info().id + " is another library and cannot share work",
                  "join engines of the kinds cpu, opencl and cuda");
}

std::vector<Engine*> JoinedEngine::distinct() const {
  std::vector<Engine*> once;
  for (Engine* part : parts_)
    if (std::ranges::find(once, part) == once.end()) once.push_back(part);
  return once;
}

Ceilings JoinedEngine::measureCeilings(int threads, const Control& control) {
  Ceilings all;
  all.threads = 0;
  const std::vector<PrepareOptions> shares = threadSharesOf(parts_, {.threads = threads});
  std::vector<const Engine*> measured;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    // A device that occurs twice has its rates once.
    const bool again = std::ranges::find(measured, parts_[k]) != measured.end();
    if (again && !parts_[k]->info().hasThreads()) continue;
    measured.push_back(parts_[k]);
    const Ceilings one = parts_[k]->measureCeilings(shares[k].threads, control);
    for (const auto rate : {&Ceilings::gflopsF32, &Ceilings::gflopsF64, &Ceilings::gbs, &Ceilings::gflopsLoaded,
                            &Ceilings::gopsInteger, &Ceilings::gbsCache, &Ceilings::gbsLocal})
      all.*rate += one.*rate;
    if (parts_[k]->info().hasThreads()) all.threads += one.threads;
    all.date = one.date;
  }
  all.threads = std::max(all.threads, 1);
  return all;
}

void JoinedEngine::poison(std::uint8_t byte, const Control& control) {
  for (Engine* part : distinct()) part->poison(byte, control);
}

HeldMemory JoinedEngine::heldMemory() const {
  HeldMemory all;
  for (const Engine* part : distinct()) {
    const HeldMemory one = part->heldMemory();
    all.results += one.results;
    all.buffers += one.buffers;
    all.budget += one.budget;
  }
  return all;
}

void JoinedEngine::giveBack(const Control& control) {
  for (Engine* part : distinct()) part->giveBack(control);
}

bool namesJoined(std::string_view id) { return id.find('+') != std::string_view::npos || id.ends_with(kAll); }

Engine& joinedEngine(const EngineSet& engines, std::string_view id) {
  std::vector<Engine*> parts = partsOf(engines, id);
  if (parts.size() == 1) return *parts.front();
  auto made = std::make_unique<JoinedEngine>(std::move(parts));
  // One for each set of parts; engines whose parts no longer exist are never requested.
  static std::mutex mutex;
  static std::vector<std::unique_ptr<JoinedEngine>> known;
  const std::lock_guard lock(mutex);
  for (const auto& one : known)
    if (one->parts() == made->parts() && one->info().id == made->info().id && one->info().name == made->info().name)
      return *one;
  known.push_back(std::move(made));
  return *known.back();
}

std::vector<std::string> offeredJoins(const EngineSet& engines) {
  std::map<EngineKind, std::vector<std::string>> devices;
  const Engine* first = nullptr;
  for (const Engine* engine : engines.available()) {
    const EngineInfo& info = engine->info();
    if (!info.isDevice()) continue;
    devices[info.kind].push_back(info.id);
    if (first == nullptr && !info.isProcessor) first = engine;
  }
  std::vector<std::string> offered;
  for (const auto& [kind, ids] : devices) {
    if (ids.size() < 2) continue;
    offered.push_back(ids.front());
    for (std::size_t k = 1; k < ids.size(); ++k) offered.back() += "+" + ids[k];
  }
  const Engine* processor = engines.available().empty() ? nullptr : &engines.preferred();
  if (first != nullptr && processor != nullptr && processor->info().hasThreads())
    offered.push_back(processor->info().id + "+" + first->info().id);
  return offered;
}

}  // namespace sscope
