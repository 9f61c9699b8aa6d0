#include "core/measure/surpassed.h"

#include <algorithm>

#include "core/measure/table.h"

namespace sscope {

namespace {

std::string rate(double value, const char* unit) { return shortNumber(value) + " " + unit; }

// `known` is the ceiling that may explain what was achieved, 0 if it was not measured.
std::string explained(double achieved, double known, const char* unit, const std::string& what,
                      const std::string& beyond) {
  if (known <= 0) return "the ceiling of " + what + " is missing";
  if (achieved <= known) return what + " reach " + rate(known, unit);
  return what + " reach " + rate(known, unit) + ", and the ceiling of " + beyond + " is missing";
}

}  // namespace

std::string surpassedText(const Measurement& m) {
  const auto share = m.share();
  if (!share || *share <= 1) return {};
  const Ceilings& ceilings = *m.ceilings;
  const double peak = ceilings.gflops(m.precision), seconds = m.spread().median;
  const double operations = m.leastOperations() / seconds * 1e-9;
  const std::string row = m.engine + " " + labelOf(m) + " surpasses ";
  const bool memory =
      m.bytes > 0 && ceilings.gbs > 0 && (peak <= 0 || m.leastOperations() / m.bytes * ceilings.gbs < peak);
  if (memory && m.coldCaches())
    return row + "the copy's " + rate(ceilings.gbs, "GB/s") + " with " + rate(m.gbs(), "GB/s") +
           ", though no cache holds its data: the ceiling was measured too low" +
           (m.beside.count > 0 ? ", as the row was, beside other programs" : "") +
           "; measure it again with --remeasure while nothing else runs";
  if (memory)
    return row + "the copy's " + rate(ceilings.gbs, "GB/s") + " with " + rate(m.gbs(), "GB/s") +
           ": its data do not come from memory; " +
           explained(m.gbs(), ceilings.gbsCache, "GB/s", "second-level caches", "caches nearer to the cores");
  const std::string text =
      row + rate(peak, "GFLOP/s") + " of multiply-adds in registers with " + rate(operations, "GFLOP/s") + ": ";
  if (!m.ofIntegers()) return text + "it executes fewer operations than it counts, whose number is missing";
  return text + explained(operations, ceilings.gopsInteger, "GOP/s", "multiply-adds of integers", "narrower integers");
}

}  // namespace sscope
