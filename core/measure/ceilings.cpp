#include "core/measure/ceilings.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/measure/bench.h"
#include "core/measure/machine.h"
#include "core/measure/measurement.h"

namespace sscope {

using nlohmann::json;

namespace {

const CacheFile& ceilingFile() {
  static const CacheFile file{"ceilings.json", "stencilscope.ceilings/2", 256};
  return file;
}

// An entry is valid for one host, one driver and one number of threads.
json keyOf(const EngineInfo& engine, int threads) {
  const Machine machine = thisMachine();
  const int used = engine.hasThreads() ? (threads > 0 ? threads : machine.threads) : 0;
  return {{"host", machine.host}, {"cpu", machine.cpu},      {"engine", engine.id},
          {"name", engine.name},  {"driver", engine.driver}, {"threads", used}};
}

// Older entries do not have these.
constexpr std::array<std::pair<const char*, double Ceilings::*>, 4> kBeside{{{"gflops_loaded", &Ceilings::gflopsLoaded},
                                                                             {"gops_integer", &Ceilings::gopsInteger},
                                                                             {"gbs_cache", &Ceilings::gbsCache},
                                                                             {"gbs_local", &Ceilings::gbsLocal}}};

std::optional<Ceilings> ceilingsFrom(const json& entry) {
  if (!entry.is_object()) return std::nullopt;
  const json values = entry.value("ceilings", json());
  for (const char* name : {"gflops_f32", "gflops_f64", "gbs", "threads"})
    if (!values.contains(name) || !values[name].is_number()) return std::nullopt;
  Ceilings ceilings;
  ceilings.gflopsF32 = values["gflops_f32"];
  ceilings.gflopsF64 = values["gflops_f64"];
  ceilings.gbs = values["gbs"];
  ceilings.threads = values["threads"];
  ceilings.date = values.value("date", "");
  for (const auto& [name, member] : kBeside)
    if (values.contains(name) && values[name].is_number()) ceilings.*member = values[name];
  return ceilings;
}

}  // namespace

std::optional<Ceilings> storedCeilings(const EngineInfo& engine, int threads) {
  return ceilingsFrom(cacheEntry(ceilingFile(), keyOf(engine, threads)));
}

void storeCeilings(const EngineInfo& engine, int threads, const Ceilings& ceilings) {
  json values{{"gflops_f32", ceilings.gflopsF32},
              {"gflops_f64", ceilings.gflopsF64},
              {"gbs", ceilings.gbs},
              {"threads", ceilings.threads},
              {"date", ceilings.date}};
  for (const auto& [name, member] : kBeside) values[name] = ceilings.*member;
  storeCacheEntry(ceilingFile(), keyOf(engine, threads), {{"ceilings", std::move(values)}});
}

Ceilings ceilingsOf(Engine& engine, int threads, const Control& control) {
  if (const auto stored = storedCeilings(engine.info(), threads)) return *stored;
  const Ceilings ceilings = engine.measureCeilings(threads, control);
  try {
    storeCeilings(engine.info(), threads, ceilings);
  } catch (const Error&) {
    // A cache that cannot be written costs a second next time, not this result.
  }
  return ceilings;
}

double utilization(const Ceilings& ceilings, Precision precision, double operations, double bytes, double seconds) {
  const double peak = ceilings.gflops(precision) * 1e9;
  if (seconds <= 0 || operations <= 0) return 0;
  // If the bandwidth is unknown or there is no traffic, arithmetic alone is the limit.
  const double byMemory = bytes > 0 && ceilings.gbs > 0 ? operations / bytes * ceilings.gbs * 1e9 : peak;
  const double limit = peak > 0 ? std::min(peak, byMemory) : byMemory;
  return limit > 0 ? operations / seconds / limit : 0;
}

namespace {

// The approximate start of this process, in the form of Ceilings::date.
const std::string& processDate() {
  static const std::string date = isoTime();
  return date;
}

bool surpasses(const Measurement& m) {
  if (m.samples.empty()) return false;
  const double fastest = *std::min_element(m.samples.begin(), m.samples.end());
  return utilization(*m.ceilings, m.precision, m.leastOperations(), m.bytes, fastest) > 1;
}

Ceilings higher(Ceilings a, const Ceilings& b) {
  for (const auto rate : {&Ceilings::gflopsF32, &Ceilings::gflopsF64, &Ceilings::gbs, &Ceilings::gflopsLoaded,
                          &Ceilings::gopsInteger, &Ceilings::gbsCache, &Ceilings::gbsLocal})
    a.*rate = std::max(a.*rate, b.*rate);
  return a;
}

}  // namespace

RowCeilings::RowCeilings(const BenchOptions& options, Control quiet) : options_(options), quiet_(std::move(quiet)) {
  static_cast<void>(processDate());  // before anything is measured
}

void RowCeilings::find(const LimitedRow& row) {
  Engine& engine = *row.limit;
  if (engine.info().id != row.measurement->engine) row.measurement->ceilingsOf = engine.info().id;
  auto known = found_.find(&engine);
  if (known == found_.end()) {
    std::optional<Ceilings> ceilings;
    if (!options_.measureCeilings) {
      ceilings = storedCeilings(engine.info(), options_.threads);
    } else if (options_.remeasureCeilings) {
      ceilings = engine.measureCeilings(options_.threads, quiet_);
      storeCeilings(engine.info(), options_.threads, *ceilings);
    } else {
      ceilings = ceilingsOf(engine, options_.threads, quiet_);
    }
    known = found_.emplace(&engine, ceilings).first;
  }
  row.measurement->ceilings = known->second;
}

void RowCeilings::check(std::span<const LimitedRow> rows, const Control& control) {
  if (!options_.measureCeilings) return;
  std::set<const Engine*> checked;
  for (const LimitedRow& row : rows) {
    Engine& engine = *row.limit;
    if (!row.measurement->ceilings || !checked.insert(&engine).second) continue;
    const Ceilings known = *row.measurement->ceilings;
    const bool old = engine.info().hasThreads() && known.date < processDate();
    const auto ofEngine = [&](const LimitedRow& other) {
      return other.limit == &engine && other.measurement->ceilings.has_value();
    };
    const bool surpassed = std::any_of(rows.begin(), rows.end(), [&](const LimitedRow& other) {
      return ofEngine(other) && surpasses(*other.measurement);
    });
    if (!old && !surpassed) continue;
    control.report(1, "measuring ceilings again");
    const Ceilings now = higher(engine.measureCeilings(options_.threads, quiet_), known);
    remember(engine, now);
    for (const LimitedRow& other : rows)
      if (ofEngine(other)) other.measurement->ceilings = now;
  }
}

void RowCeilings::remember(const Engine& engine, const Ceilings& ceilings) const {
  try {
    storeCeilings(engine.info(), options_.threads, ceilings);
  } catch (const Error&) {
    // A cache that cannot be written costs a second next time, not this result.
  }
}

}  // namespace sscope
