// The watch over the agreement tests: a row that refuses everything, or that a loop leaves out, is noticed.

#include "tests/agreement/coverage.h"
#include "core/filter/families/recipe_text.h"

#include "core/filter/families/family.h"
#include "core/filter/workload/filter_workload.h"
#include "tests/agreement/machine.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;

namespace {

std::vector<EngineInfo> someEngines() {
  EngineInfo cpu, card;
  cpu.id = "cpu:scalar";
  card.id = "opencl:0";
  card.kind = EngineKind::OpenCl;
  return {cpu, card};
}

VariantTable tableOf(const std::string& refusal) {
  VariantTable table;
  for (const EngineKind kind : {EngineKind::Cpu, EngineKind::OpenCl})
    for (const char* name : {"good", "shy"}) {
      Variant row;
      row.workload = "filter";
      row.name = name;
      row.kind = kind;
      if (row.name == "shy") row.unsupported = [refusal](const EngineInfo&, const Workload&) { return refusal; };
      table.add(std::move(row));
    }
  return table;
}

FilterWorkload anyWorkload() {
  return {{makeStencil(parseFilterSpec("laplacian"), {3, {1, 1, 1}})},
          Boundary::nearest,
          0,
          {ElementType::f32, {5, 5, 5, 1}},
          ElementType::f32};
}

// As the agreement tests do, comparing nothing.
Coverage seen(const VariantTable& table, const std::vector<EngineInfo>& engines) {
  Coverage coverage(table, engines, "filter");
  const FilterWorkload workload = anyWorkload();
  for (const EngineInfo& engine : engines)
    for (const Variant* row : table.rows("filter", engine.kind))
      if (coverage.takes(engine, *row, workload)) coverage.compared(engine, *row);
  return coverage;
}

}  // namespace

TEST_CASE("a row that refuses everything is missing") {
  CHECK(seen(tableOf(""), someEngines()).missing().empty());
  const auto missing = seen(tableOf("it is too late"), someEngines()).missing();
  CHECK(missing == std::vector<std::string>{"shy on cpu:scalar refuses everything: it is too late",
                                            "shy on opencl:0 refuses everything: it is too late"});
}

TEST_CASE("a row is lacking only where the engine itself says so") {
  std::vector<EngineInfo> engines = someEngines();
  const VariantTable table = tableOf("this device has no images");
  for (EngineInfo& engine : engines) engine.largestImage = 1024;
  CHECK(seen(table, engines).missing().size() == 2);
  for (EngineInfo& engine : engines) engine.largestImage = 0;
  CHECK(seen(table, engines).missing().size() == 1);  // the processor's
  CHECK(seen(table, engines).lacking().size() == 1);
  for (EngineInfo& engine : engines) engine.fp64 = false;
  CHECK(seen(tableOf("it is too late"), engines).missing().size() == 2);
}

TEST_CASE("a row that no loop reaches is missing, and one for another engine is not") {
  VariantTable table = tableOf("");
  Coverage coverage(table, someEngines(), "filter");
  for (const Variant* row : table.rows("filter", EngineKind::Cpu)) coverage.compared(someEngines()[0], *row);
  CHECK(coverage.missing() ==
        std::vector<std::string>{"good on opencl:0 was never tried", "shy on opencl:0 was never tried"});
  Variant elsewhere;
  elsewhere.workload = "filter";
  elsewhere.name = "special";
  elsewhere.onlyOn = "cpu:sse4";
  table.add(elsewhere);
  CHECK(seen(table, someEngines()).missing().empty());
}

// Every real row on this machine's engines with refusals planted in it.
TEST_CASE_METHOD(TestMachine, "no row of the table can refuse everything unnoticed") {
  VariantTable planted;
  for (Variant row : variants.rows()) {
    row.unsupported = [](const EngineInfo&, const Workload&) { return std::string("it is not Tuesday"); };
    planted.add(std::move(row));
  }
  const std::vector<EngineInfo> present = infosOf(engines.available());
  std::size_t rows = 0;
  for (const EngineInfo& engine : present)
    for (const Variant* row : planted.rows("filter", engine.kind)) rows += row->belongsTo(engine) ? 1 : 0;
  CHECK(rows > 0);
  CHECK(seen(planted, present).missing().size() == rows);
}
