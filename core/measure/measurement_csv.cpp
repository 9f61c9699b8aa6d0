#include <nlohmann/json.hpp>

#include "core/measure/measurement.h"
#include "core/measure/table.h"

namespace sscope {

using nlohmann::json;

namespace {

// The fields of a row of the JSON document, in the order of the columns; phases and counters are flattened.
constexpr const char* kColumns[] = {
    "workload",    "variant",      "ran",          "engine",      "engine_name",  "threads",
    "shape",       "params",       "input",        "precision",   "reps",         "median_s",
    "min_s",       "q1_s",         "q3_s",         "max_s",       "samples_s",    "compile_s",
    "upload_s",    "kernel_s",     "download_s",   "total_s",     "flops",        "executed_flops",
    "bytes",       "gflops",       "gbs",          "caches",      "stolen_share", "peak_gflops",
    "peak_gbs",    "peak_date",    "peak_engine",  "utilization", "rel_l2",       "max_ulp",
    "compared",    "coverage",     "verified",     "approximate", "skipped",      "failed",
    "cycles",      "instructions", "l1d_accesses", "l1d_misses",  "l2_misses",    "counters_unavailable",
    "predicted_s", "overlap_s",    "first_mhz",    "last_mhz",    "lowest_mhz",   "memory_mhz",
    "batch"};

std::string joined(const json& list, char separator) {
  std::string text;
  for (const json& element : list) text += (text.empty() ? "" : std::string(1, separator)) + element.dump();
  return text;
}

std::string cell(const json& row, const std::string& column) {
  const json* value = nullptr;
  if (row.contains(column)) {
    value = &row[column];
  } else if (row.contains("phases") && row["phases"].contains(column)) {
    value = &row["phases"][column];
  } else if (row.contains("clock") && row["clock"].contains(column)) {
    value = &row["clock"][column];
  } else if (row.contains("counters") && row["counters"].contains(column)) {
    value = &row["counters"][column];
  }
  if (value == nullptr || value->is_null()) return {};
  if (column == "shape") return joined(*value, 'x');
  if (column == "samples_s") return joined(*value, ';');
  return value->is_string() ? value->get<std::string>() : value->dump();
}

}  // namespace

std::string toCsv(const BenchReport& report) {
  TextRows rows{{std::begin(kColumns), std::end(kColumns)}};
  for (const Measurement& measurement : report.results) {
    const json row = toJson(measurement);
    std::vector<std::string>& cells = rows.emplace_back();
    for (const char* column : kColumns) cells.push_back(cell(row, column));
  }
  return csvTable(rows) + (report.stopped.empty() ? "" : "# " + report.stopped + '\n');
}

}  // namespace sscope
