// Wilson's operator over ranks: the same bits as one engine gives, for every rung of every engine.

#include <cstring>
#include <limits>
#include <set>

#include "core/base/error.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/ranks/joined_lattice.h"
#include "core/lattice/ranks/lattice_part.h"
#include "core/lattice/ranks/rank_dirac.h"
#include "core/parts/thread_ranks.h"
#include "tests/agreement/lattice/cr_runs.h"
#include "tests/agreement/machine.h"
#include "tests/agreement/turns.h"

namespace sscope {

namespace {

using namespace lattice;
using Catch::Matchers::ContainsSubstring;
using test::applied;
using test::sameBits;
using test::TestMachine;

struct Case {
  std::array<int, 4> extents;
  int ranks;
  WilsonParameters parameters;
};

// Equal parts and unequal ones, of one slice, along t and along z and t; two ranks are each other's neighbors twice.
const Case kCases[] = {{{4, 4, 4, 4}, 2, {0.12, -1, false}}, {{1, 3, 2, 5}, 3, {0.17, 1, false}},
                       {{3, 1, 5, 4}, 4, {-0.1, -1, true}},  {{2, 3, 5, 3}, 6, {0.12, -1, false}},
                       {{3, 2, 4, 1}, 2, {0.12, -1, true}},  {{2, 2, 2, 2}, 1, {0.12, -1, false}},
                       {{3, 3, 3, 2}, 2, {0.12, 1, true}}};

}  // namespace

TEST_CASE("Wilson's operator over ranks gives the bits of one engine, for every rung") {
  const TestMachine machine;
  const std::vector<Engine*> engines = machine.chosen();
  if (engines.empty()) SSCOPE_SKIP("no engine that SSCOPE_TEST_ENGINES names");
  std::set<const Variant*> compared;
  const test::Turns turns(engines, 1, "ranks of dirac");
  for (std::size_t c = 0; c < std::size(kCases); ++c) {
    const Case& one = kCases[c];
    const auto field = std::make_shared<GaugeField>(hotStart(Lattice(one.extents), 7));
    const DiracWorkload workload(field, one.parameters);
    const SpinorField psi = hashSource(field->lattice(), 3);
    for (Engine* engine : engines) {
      std::size_t turn = 0, number = c;
      for (const Variant* row : machine.variants.rows("dirac", engine->info().kind)) {
        if (!row->belongsTo(engine->info()) || !row->unsupported(engine->info(), workload).empty()) continue;
        if (!turns.takes(*engine, number++, *row)) continue;
        // Devices compile for every part anew: there rows take turns with the cases.
        if (engine->info().isDevice() && !test::inShare(turn++ + c, std::size(kCases), turns.sampling())) continue;
        INFO(engine->info().id << " " << row->name << " " << field->lattice().text() << " on " << one.ranks << ", "
                               << test::Sampling::howToRepeat());
        const auto alone = machine.variants.prepare(*engine, workload, row->name, {}, {});
        const std::vector<Engine*> members(static_cast<std::size_t>(one.ranks), engine);
        const auto joined = prepareJoinedDirac(members, machine.variants, row->name, workload, {}, {}, {});
        test::forgetBuffers(*engine);
        const SpinorField expected = applied(*alone, field->lattice(), psi);
        CHECK(sameBits(applied(*joined, field->lattice(), psi), expected));
        // A second time, with other numbers in the halo.
        const SpinorField twice = applied(*alone, field->lattice(), expected);
        CHECK(sameBits(applied(*joined, field->lattice(), expected), twice));
        compared.insert(row);
      }
    }
  }
  for (Engine* engine : engines)
    for (const Variant* row : machine.variants.rows("dirac", engine->info().kind))
      if (row->belongsTo(engine->info()))
        CHECK((compared.contains(row) ? "" : engine->info().id + " " + row->name + " was not compared") == "");
}

TEST_CASE("ranks decide together whether links need their third rows") {
  const TestMachine machine;
  GaugeField field = hotStart(Lattice({2, 2, 2, 4}), 7);
  field.link(5, 1)(2, 0) += 0.25;  // on the first rank only
  const DiracWorkload workload(std::make_shared<GaugeField>(field), {0.12, -1, false});
  const SpinorField psi = hashSource(field.lattice(), 3);
  for (Engine* engine : machine.chosen()) {
    INFO(engine->info().id);
    const auto alone = machine.variants.prepare(*engine, workload, "tuned", {}, {});
    Engine* const members[] = {engine, engine};
    const auto joined = prepareJoinedDirac(members, machine.variants, "tuned", workload, {}, {}, {});
    CHECK(sameBits(applied(*joined, field.lattice(), psi), applied(*alone, field.lattice(), psi)));
  }
}

TEST_CASE("different engines share a lattice in proportion to weights") {
  const TestMachine machine;
  const std::vector<Engine*> engines = machine.chosen();
  if (engines.empty()) SSCOPE_SKIP("no engine that SSCOPE_TEST_ENGINES names");
  const auto field = std::make_shared<GaugeField>(hotStart(Lattice({4, 2, 3, 9}), 7));
  const DiracWorkload workload(field, {0.12, -1, false});
  const std::vector<Engine*> members{engines.back(), engines.front()};
  const double weights[] = {3.2, 1};
  const auto joined = prepareJoinedDirac(members, machine.variants, "", workload, weights, {}, {});
  CHECK_THAT(joined->description(), ContainsSubstring("4x2x3x7") && ContainsSubstring("4x2x3x2"));
  const SpinorField psi = hashSource(field->lattice(), 3);
  const SpinorField out = applied(*joined, field->lattice(), psi);
  const auto alone = machine.variants.prepare(*engines.front(), workload, "", {}, {});
  CHECK(test::distance(out, applied(*alone, field->lattice(), psi)) < 1e-14);
}

TEST_CASE("the operator of ranks and its adjoint are each other's adjoint") {
  const TestMachine machine;
  Engine& engine = machine.engines.preferred();
  const Lattice whole({3, 2, 4, 5});
  const GaugeField field = hotStart(whole, 7);
  const SpinorField a = hashSource(whole, 1), b = hashSource(whole, 2);
  const std::vector<LatticePart> parts = latticeParts(whole, 10);
  SpinorField image(a.size()), back(a.size());
  reach::ThreadRanks ranks(10);
  ranks.run({}, [&](reach::Communicator& c, const Control& control) {
    const LatticePart& part = parts[static_cast<std::size_t>(c.rank())];
    PrepareOptions options;
    options.threads = 1;
    RankDirac dirac(c, part, linksOf(field, part, control), {0.13, -1, false}, engine, machine.variants, "", options,
                    control);
    SpinorField out(static_cast<std::size_t>(part.own.volume() * kSpinorElements));
    dirac.apply(c, false, takePart(a, part), out, control);
    putPart(out, part, image);
    dirac.apply(c, true, takePart(b, part), out, control);
    putPart(out, part, back);
  });
  Complex forth = 0, adjoint = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    forth += std::conj(b[k]) * image[k];
    adjoint += std::conj(back[k]) * a[k];
  }
  CHECK(std::abs(forth - adjoint) < 1e-12 * std::abs(forth));
}

TEST_CASE("parts of a lattice cover it once") {
  for (const int ranks : {1, 2, 3, 4, 5, 6, 8, 10, 15}) {
    const Lattice whole({2, 1, 3, 5});
    SpinorField marks(static_cast<std::size_t>(whole.volume() * kSpinorElements));
    for (const LatticePart& part : latticeParts(whole, ranks)) {
      SpinorField own = takePart(marks, part);
      for (Complex& z : own) z += 1;
      putPart(own, part, marks);
      CHECK(part.extended.extent(3) == part.own.extent(3) + (part.cut[3] ? 2 : 0));
    }
    CHECK(std::count(marks.begin(), marks.end(), Complex(1)) == std::ssize(marks));
  }
}

TEST_CASE("more ranks than planes are told") {
  const Lattice whole({4, 4, 2, 3});
  CHECK(latticeParts(whole, 6).size() == 6);
  CHECK_THROWS_WITH(latticeParts(whole, 7),
                    "a lattice of 4x4x2x3 has too few planes along z and t for 7 ranks; take 6");
  CHECK_THROWS_AS(latticeParts(whole, 5), Error);
  CHECK_THROWS_AS(latticeParts(whole, std::vector<double>{1, 1, 1, 1}), Error);
}

TEST_CASE("ranks stop when a run is canceled, and run again") {
  const TestMachine machine;
  Engine& engine = machine.engines.preferred();
  const auto field = std::make_shared<GaugeField>(hotStart(Lattice({4, 4, 4, 8}), 7));
  const DiracWorkload workload(field, {0.12, -1, false});
  Engine* const members[] = {&engine, &engine, &engine};
  const auto joined = prepareJoinedDirac(members, machine.variants, "", workload, {}, {}, {});
  const SpinorField psi = hashSource(field->lattice(), 3);
  SpinorField out(psi.size());
  const ConstArrayView from = test::viewOf(field->lattice(), psi);
  const ArrayView to = test::viewOf(field->lattice(), out);
  std::stop_source stop;
  // In the middle of the first rank's work, while the others' halos are on their way.
  const Control control{stop.get_token(), [&](double, std::string_view) { stop.request_stop(); }};
  CHECK_THROWS_AS(joined->run({{&from, 1}, 0}, {&to, 1}, control), Canceled);
  const auto alone = machine.variants.prepare(engine, workload, "", {}, {});
  CHECK(sameBits(applied(*joined, field->lattice(), psi), applied(*alone, field->lattice(), psi)));
}

}  // namespace sscope
