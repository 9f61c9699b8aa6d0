#pragma once
// Measured ceilings, stored in the cache directory with date, driver and host, and those of the rows of a benchmark
// (docs/manual/measurement.md).

#include <map>
#include <optional>
#include <span>
#include <string>

#include "core/base/control.h"
#include "core/engine/engine.h"

namespace sscope {

struct BenchOptions;  // core/measure/bench.h
struct Measurement;   // core/measure/measurement.h

// The stored ceilings of this engine on this host with this driver and thread count (0: all), if any.
[[nodiscard]] std::optional<Ceilings> storedCeilings(const EngineInfo& engine, int threads);
void storeCeilings(const EngineInfo& engine, int threads, const Ceilings& ceilings);
// The stored ceilings, else measures and stores them.
[[nodiscard]] Ceilings ceilingsOf(Engine& engine, int threads, const Control& control);

// Share of the machine's limit: achieved / min(peak, intensity * bandwidth), 0..1 (docs/manual/measurement.md).
[[nodiscard]] double utilization(const Ceilings& ceilings, Precision precision, double operations, double bytes,
                                 double seconds);

// The ceilings that the rows of a benchmark are told against (docs/manual/measurement.md): stored ones, or measured
// beside them.

// A row and the engine whose limits it has.
struct LimitedRow {
  Engine* limit = nullptr;
  Measurement* measurement = nullptr;
};

class RowCeilings {
 public:
  // `options` outlives this; `quiet` is for what is measured.
  RowCeilings(const BenchOptions& options, Control quiet);

  // Measurement::ceilings and ceilingsOf; none where there are only stored ones to be used, and there are none. Throws
  // Canceled, Error(Device, Io).
  void find(const LimitedRow& row);

  // A processor's ceilings that an earlier process measured, perhaps beside other work, and any that a row surpassed
  // are measured again next to the race. Both were really measured; the better one is what the machine can do.
  void check(std::span<const LimitedRow> rows, const Control& control);

 private:
  void remember(const Engine& engine, const Ceilings& ceilings) const;

  const BenchOptions& options_;
  Control quiet_;
  std::map<const Engine*, std::optional<Ceilings>> found_;
};

}  // namespace sscope
