// The extras of lower precision on the lattice: never taken unless they are asked for, and judged by bounds that can
// fail.

#include <cmath>
#include <cstring>

#include "core/lattice/heat_bath.h"
#include "core/lattice/job/lattice_solver.h"
#include "core/lattice/random.h"
#include "core/lattice/workload/dirac_workload.h"
#include "core/lattice/workload/lattice_precision.h"
#include "core/measure/bench.h"
#include "core/measure/verify.h"
#include "tests/agreement/machine.h"
#include "tests/agreement/turns.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope {

namespace {

using namespace lattice;

// Wilson's operator on a small lattice, a source and the truth.
struct LowerCase {
  DiracWorkload workload{std::make_shared<GaugeField>(hotStart(Lattice({4, 4, 2, 4}), 7)), {0.12, -1, false}};
  SpinorField source = hashSource(workload.field().lattice(), 3), truth;
  LowerCase() {
    const ConstArrayView in = viewOf(source);
    truth.resize(source.size());
    const auto& extent = in.extent;
    workload.reference({&in, 1}, 0, {{0, 0, 0}, {extent[0], extent[1], extent[2]}},
                       {reinterpret_cast<double*>(truth.data()), 2 * truth.size()}, {});
  }
  [[nodiscard]] ConstArrayView viewOf(const SpinorField& psi) const {
    return denseView(workload.inputs()[0], reinterpret_cast<const std::byte*>(psi.data()));
  }
  [[nodiscard]] Verification judge(const LowerPrecision& lower, const SpinorField& result) const {
    const ConstArrayView in = viewOf(source), out = viewOf(result);
    return lower.judge(workload, {&in, 1}, {&out, 1}, {1e9, 1}, {});
  }
  // The truth with every number changed by the same share of it.
  template <class Change>
  [[nodiscard]] SpinorField changed(Change&& change) const {
    SpinorField result = truth;
    auto* numbers = reinterpret_cast<double*>(result.data());
    for (std::size_t k = 0; k < 2 * result.size(); ++k) numbers[k] = change(numbers[k], k);
    return result;
  }
};

double toBits(double value, int bits) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::round(std::ldexp(mantissa, bits)), exponent - bits);
}

}  // namespace

TEST_CASE("no engine takes an extra of lower precision by itself") {
  const test::TestMachine machine;
  int extras = 0;
  for (const Variant& row : machine.variants.rows()) {
    CHECK_FALSE(machine.variants.at(row.workload, row.kind, "").lower);
    extras += row.lower ? 1 : 0;
    // What is an extra says so where people choose.
    if (row.lower) CHECK(row.explanation.find("An extra of lower precision") == 0);
    if (row.name.ends_with("-f32") || row.name.ends_with("-mixed")) CHECK(row.lower.has_value());
  }
  CHECK(extras > 0);
  // Not even when it comes first.
  VariantTable table;
  Variant row;
  row.workload = "dirac";
  row.name = "quick";
  row.lower = diracComputedInF32();
  table.add(row);
  CHECK_THROWS_AS(table.at("dirac", EngineKind::Cpu, ""), Error);
  CHECK(table.at("dirac", EngineKind::Cpu, "quick").lower);
  row.name = "exact";
  row.lower.reset();
  table.add(row);
  CHECK(table.at("dirac", EngineKind::Cpu, "").name == "exact");
}

TEST_CASE("what nobody chose runs in double precision") {
  const test::TestMachine machine;
  const auto field = std::make_shared<GaugeField>(hotStart(Lattice({2, 2, 2, 2}), 7));
  const test::Turns turns(machine.chosen(), 2, "solvers nobody chose");
  for (const Solver solver : {Solver::Auto, Solver::Cr})
    for (Engine* engine : machine.chosen()) {
      // Devices compile for each solver: one of them in each run.
      if (engine->info().isDevice() && !turns.takes(*engine, solver == Solver::Cr ? 1 : 0)) continue;
      INFO(engine->info().id << " " << toString(solver) << ", " << test::Sampling::howToRepeat());
      SolverOptions options;
      options.solver = solver;
      LatticeSolver lattice(*engine, machine.variants, "", field, {0.1, -1, false}, options, {}, {});
      const SolverResult result = lattice.solve(hashSource(field->lattice(), 3), {});
      CHECK(lattice.report().variant == "tuned");
      CHECK(result.converged);
      CHECK(lattice.dirac().verified({}).relativeL2 < 1e-14);
    }
}

TEST_CASE("the bounds of lower precision fail what rounds more") {
  const LowerCase one;
  const auto random = [](std::size_t k) { return static_cast<double>(mix(k) >> 11) * 0x1p-52 - 1; };
  const LowerPrecision stored = diracStoredInF32(), computed = diracComputedInF32();
  for (const LowerPrecision* lower : {&stored, &computed}) {
    CHECK(one.judge(*lower, one.truth).verified);
    CHECK(one.judge(*lower, one.changed([](double value, std::size_t) { return toBits(value, 24); })).verified);
    CHECK_FALSE(one.judge(*lower, one.changed([](double value, std::size_t) { return toBits(value, 11); })).verified);
    CHECK_FALSE(one.judge(*lower, one.changed([](double value, std::size_t) { return value * (1 + 1e-4); })).verified);
    CHECK_FALSE(
        one.judge(*lower, one.changed([](double value, std::size_t k) { return k == 77 ? std::nan("") : value; }))
            .verified);
    CHECK_FALSE(
        one.judge(*lower, one.changed([](double value, std::size_t k) { return k == 77 ? 2 : value; })).verified);
  }
  // Between the two bounds.
  const auto between = one.changed([&](double value, std::size_t k) { return value + 4e-6 * random(k); });
  CHECK(one.judge(computed, between).verified);
  CHECK_FALSE(one.judge(stored, between).verified);
}

TEST_CASE("lower precision does not pass for double precision") {
  const test::TestMachine machine;
  const LowerCase one;
  const ConstArrayView in = one.viewOf(one.source);
  for (Engine* engine : machine.chosen())
    for (const Variant* row : machine.variants.rows("dirac", engine->info().kind)) {
      if (!row->lower) continue;
      INFO(engine->info().id << " " << row->name);
      SpinorField result(one.source.size());
      const ArrayView to = denseView(one.workload.inputs()[0], reinterpret_cast<std::byte*>(result.data()));
      const RunReport report = row->prepare(*engine, one.workload, {}, {})->run({{&in, 1}, 0}, {&to, 1}, {});
      const ConstArrayView out = to;
      const Verification own = verify(*row, one.workload, {&in, 1}, {&out, 1}, {1e9, 1}, {});
      CHECK(own.verified);
      CHECK(own.relativeL2 > 1e-8);
      CHECK(own.maximumUlp < 20);  // of float32
      const Verification strict = verify(one.workload, {&in, 1}, {&out, 1}, {1e9, 1}, {});
      CHECK_FALSE(strict.verified);
      CHECK(strict.failure.find("exceeds 1e-13") != std::string::npos);
      CHECK(report.bytes == one.workload.work().bytes / 2);
      CHECK(report.operations == one.workload.work().operations);
    }
}

TEST_CASE("a benchmark labels what is of lower precision, and counts its own bytes and peak") {
  const test::TestMachine machine;
  const LowerCase one;
  const ConstArrayView in = one.viewOf(one.source);
  BenchOptions quick;
  quick.seconds = 0;
  quick.measureCeilings = false;
  for (Engine* engine : test::Turns(machine.chosen(), 2, "benchmark of lower precision").of(0)) {
    std::vector<BenchRow> rows;
    for (const Variant* row : machine.variants.rows("dirac", engine->info().kind))
      if (row->lower || row->name == "tuned") rows.push_back({engine->info().id, row->name, {}});
    for (const Measurement& m : runBench(machine.engines, machine.variants, one.workload, {&in, 1}, rows, quick, {})) {
      INFO(m.engine << " " << m.variant << " " << m.failed << m.skipped << ", " << test::Sampling::howToRepeat());
      REQUIRE(m.hasFigures());
      const bool extra = m.variant != "tuned";
      CHECK(m.lowerPrecision.empty() != extra);
      CHECK(m.precision == (m.variant == "tuned-f32" ? Precision::f32 : Precision::f64));
      CHECK(m.bytes == (extra ? 480 : 960) * 128.0);
      CHECK(toJson(m).contains("lower_precision") == extra);
      CHECK((toTable({m}).find("[" + m.lowerPrecision + "]") != std::string::npos) == extra);
    }
  }
}

}  // namespace sscope
