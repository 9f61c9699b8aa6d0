#include "core/measure/row_ceilings.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/measure/ceiling_store.h"
#include "core/measure/machine.h"

namespace sscope {

namespace {

// About when this process began to measure, as Ceilings::date.
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
