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

// A row and the engine whose ceilings limit it.
struct LimitedRow {
  Engine* limit = nullptr;
  Measurement* measurement = nullptr;
};

class RowCeilings {
 public:
  // `options` must outlive this; `quiet` is the control of measurements.
  RowCeilings(const BenchOptions& options, Control quiet);

  // Sets Measurement::ceilings and ceilingsOf, unless only stored ceilings may be used and there are none. Throws
  // Canceled, Error(Device, Io).
  void find(const LimitedRow& row);

  // Measures ceilings again that an earlier process measured for the processor, perhaps beside other work, or that a
  // row surpassed. The higher of the two values is kept: the machine has reached it.
  void check(std::span<const LimitedRow> rows, const Control& control);

 private:
  void remember(const Engine& engine, const Ceilings& ceilings) const;

  const BenchOptions& options_;
  Control quiet_;
  std::map<const Engine*, std::optional<Ceilings>> found_;
};

}  // namespace sscope
