#pragma once
// The ceilings that the rows of a benchmark are told against (docs/manual/measurement.md): stored ones, or measured
// beside them.

#include <map>
#include <optional>
#include <span>

#include "core/base/control.h"
#include "core/engine/engine.h"
#include "core/measure/bench.h"
#include "core/measure/measurement.h"

namespace sscope {

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
