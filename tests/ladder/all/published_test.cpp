#include "core/measure/published.h"

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/workload/catalog.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

double valueOf(const std::string& variant, const std::string& hardware, const std::string& quantity,
               const nlohmann::json& params) {
  for (const PublishedValue& one : publishedValues())
    if (one.variant == variant && one.hardware.find(hardware) != std::string::npos && one.quantity == quantity &&
        one.params == params)
      return one.value;
  FAIL(variant << " " << quantity << " is not there");
  return 0;
}

}  // namespace

TEST_CASE("the papers' numbers are there, with hardware, source and unit") {
  const std::set<std::string> quantities{
      "kernel_s",   "memory_s",    "filter_s",        "gflops",       "tiling",       "occupancy",
      "relative",   "utilization", "peak_gmacs",      "cycles",       "instructions", "l1d_accesses",
      "l1d_misses", "l2_misses",   "speedup_threads", "kernel_share", "program_s",    "program_speedup",
      "fp64_units", "clock_mhz",   "peak_gflops",     "memory_mb",    "memory_mhz",   "gflops_per_device"};
  std::set<std::string> workloads;
  for (const PublishedValue& one : publishedValues()) {
    INFO(one.workload << " " << one.variant << " " << one.quantity);
    workloads.insert(one.workload);
    CHECK(findWorkloadKind(one.workload) != nullptr);
    CHECK(quantities.contains(one.quantity));
    CHECK(!one.hardware.empty());
    CHECK(!one.source.empty());
    CHECK(one.value > 0);
    CHECK((one.unit == "s") == one.quantity.ends_with("_s"));
  }
  CHECK(workloads.size() == 6);
  CHECK(valueOf("v1.5", "7970", "speedup_threads", {{"iterations", 143}}) == 36);
  CHECK(valueOf("naive-array", "6970", "filter_s", {{"filters", 32}, {"size", 7}}) == 0.022);
  CHECK(valueOf("tiled-tiling", "C2050", "tiling", nlohmann::json::object()) == 14.33);
  CHECK(valueOf("naive", "8800", "kernel_s", nlohmann::json::object()) == 0.148);
  CHECK(valueOf("sse-t", "X5550", "gflops", {{"passes", "3d"}}) == 6.52);
  CHECK(valueOf("shared-coalesced", "8800", "memory_s", {{"block", "19x13"}}) == 0.0024);
}

TEST_CASE("damaged published values are refused") {
  CHECK_THROWS_AS(parsePublished("{"), Error);
  CHECK_THROWS_AS(parsePublished(R"({"schema":"stencilscope.published/2","values":[]})"), Error);
  CHECK_THROWS_AS(parsePublished(R"({"schema":"stencilscope.published/1","values":[{"workload":"bank"}]})"), Error);
  CHECK(parsePublished(R"({"schema":"stencilscope.published/1","values":[]})").empty());
}
