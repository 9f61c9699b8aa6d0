#include "core/compare/contract.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/base/error.h"
#include "core/filter/job/filter_adjoint.h"
#include "tests/compare/race_scene.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using namespace sscope::compare;

namespace {

std::unique_ptr<Workload> identityOf(const ArraySpec& spec) {
  return std::make_unique<FilterWorkload>(identityWorkload(spec.extent[0], spec.extent[1], spec.extent[2]));
}

Adjoint tellsAdjoint(const Workload& workload, std::size_t output) {
  return filterAdjoint(dynamic_cast<const FilterWorkload&>(workload), output);
}

Contract contractOf(RaceScene& scene, const ArraySpec& whole) {
  return probed({scene.engines, scene.variants, scene.gate}, identityOf, tellsAdjoint, whole, scene.wish.contenders, 0,
                {});
}

const ProbeOutcome& outcome(const LaneContract& lane, const std::string& probe) {
  const auto found = std::ranges::find(lane.outcomes, probe, &ProbeOutcome::probe);
  REQUIRE(found != lane.outcomes.end());
  return *found;
}

}  // namespace

TEST_CASE("probes hold what they are named for") {
  for (const ElementType type : kElementTypes) {
    const ArraySpec spec{type, {9, 7, 5, 2}};
    const std::vector<Probe> probes = probesFor(type);
    CHECK(probes.size() == (isInteger(type) ? 7 : 10));
    for (const Probe& probe : probes) {
      INFO(probe.name << " " << toString(type));
      const Volume data = probeVolume(probe, spec);
      CHECK(data.spec() == spec);
      if (probe.name == "impulse") {
        CHECK(data.value(4, 3, 2) > 0);
        CHECK(data.value(4, 3, 2, 1) > 0);
        CHECK(data.value(3, 3, 2) == 0);
      }
      if (probe.name == "corner") CHECK((data.value(0, 0, 0) > 0 && data.value(8, 6, 4) == 0));
      if (probe.name == "last corner") CHECK((data.value(8, 6, 4) > 0 && data.value(0, 0, 0) == 0));
      if (probe.name == "checkerboard") CHECK(data.value(0, 0, 0) > data.value(1, 0, 0));
      if (probe.name == "ramp") CHECK(data.value(8, 6, 4) > data.value(0, 0, 0));
      if (probe.name == "NaN") CHECK((std::isnan(data.value(4, 3, 2)) && data.value(3, 3, 2) >= 0));
      if (probe.name == "large") CHECK(data.value(1, 1, 1) > 1e25);
    }
  }
}

TEST_CASE("contenders that compute what they should keep the contract, absent ones say why not") {
  RaceScene scene(Contenders{{"opencl:0", ""}, {"cuda:0", ""}});
  const Contract contract = contractOf(scene, {ElementType::f32, {100, 100, 100, 1}});
  CHECK(contract.spec.extent == std::array<std::int64_t, 4>{37, 31, 23, 1});
  REQUIRE(contract.lanes.size() == 2);
  CHECK(contract.lanes[0].lane == "opencl:0 copy");
  CHECK(contract.lanes[0].outcomes.size() == contract.probes.size() + 2);
  CHECK(contract.lanes[0].kept());
  CHECK_FALSE(contract.lanes[1].kept());
  CHECK_THAT(contract.lanes[1].outcomes.at(0).reason, ContainsSubstring("libcuda.so.1 not found"));
  CHECK_THAT(toText(contract), ContainsSubstring("37x31x23 f32"));
}

TEST_CASE("the voxel that breaks the contract is named") {
  RaceScene scene;
  scene.add(
      "crooked", [](const std::string&) { return 0.1; },
      [](const Box&, std::span<const ArrayView> outputs) {
        float& last = outputs[0].as<float>()[outputs[0].offset(36, 30, 22)];
        last = last == 1 ? 0.5F : last;  // of corners, constants and checkerboards
      });
  scene.wish.contenders = {{"opencl:0", "crooked"}};
  const Contract contract = contractOf(scene, {ElementType::f32, {64, 64, 64, 1}});
  const LaneContract& lane = contract.lanes.at(0);
  CHECK(outcome(lane, "impulse").failure.empty());
  CHECK(outcome(lane, "repeat").failure.empty());
  for (const char* name : {"last corner", "constant"}) {
    const ProbeOutcome& wrong = outcome(lane, name);
    CHECK_FALSE(wrong.failure.empty());
    REQUIRE(wrong.worst);
    CHECK(wrong.worst->voxel == std::array<std::int64_t, 3>{36, 30, 22});
    CHECK(wrong.worst->first == 0.5);
    CHECK(wrong.worst->second == 1);
  }
  CHECK_THAT(toText(contract), ContainsSubstring("(36, 30, 22): 0.5 for 1"));
  CHECK_THAT(toHtml(contract), ContainsSubstring("(36, 30, 22): 0.5 for 1"));
  CHECK(toJson(contract).at("lanes").at(0).at("kept") == false);
}

TEST_CASE("an engine that gives other bits when it runs again is found") {
  RaceScene scene;
  const auto runs = std::make_shared<std::atomic<int>>(0);
  scene.add(
      "fickle", [](const std::string&) { return 0.1; },
      [runs](const Box&, std::span<const ArrayView> outputs) {
        float& one = outputs[0].as<float>()[outputs[0].offset(2, 2, 2)];
        if (++*runs % 2 == 0) one = std::nextafter(one, 2.0F);  // rounding explains that
      });
  scene.wish.contenders = {{"opencl:0", "fickle"}};
  const Contract contract = contractOf(scene, {ElementType::f32, {20, 20, 20, 1}});
  const ProbeOutcome& again = outcome(contract.lanes.at(0), "repeat");
  CHECK(again.failure == "two runs differ");
  REQUIRE(again.worst);
  CHECK(again.worst->voxel == std::array<std::int64_t, 3>{2, 2, 2});
}

namespace {

double inner(const Volume& a, const Volume& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.elements<double>().size(); ++i)
    sum += a.elements<double>()[i] * b.elements<double>()[i];
  return sum;
}

Volume applied(const Workload& workload, const Volume& input) {
  const ConstArrayView view = input.view();
  return referenceResult(workload, {&view, 1}, 0, {});
}

// Taps that are even along no axis, or along all of them.
Stencil taps(bool even) {
  Stencil stencil;
  stencil.dense.size = {3, 5, 1};
  stencil.dense.anchor = even ? std::array<std::int64_t, 3>{1, 2, 0} : std::array<std::int64_t, 3>{0, 1, 0};
  stencil.dense.weights.clear();
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 3; ++x)
      stencil.dense.weights.push_back(even ? 1.0 / (1 + std::abs(x - 1) + 2 * std::abs(y - 2)) : 0.3 * x - 0.7 * y + 1);
  return stencil;
}

FilterWorkload filterOf(const Stencil& stencil, Boundary boundary, double constant = 0) {
  return {{stencil}, boundary, constant, {ElementType::f64, {6, 4, 3, 1}}, ElementType::f64};
}

}  // namespace

TEST_CASE("the adjoint of a filter moves it to the other side of every inner product") {
  const Volume x = randomVolume({6, 4, 3, 1}, ElementType::f64, 1), y = randomVolume({6, 4, 3, 1}, ElementType::f64, 2);
  for (const bool even : {false, true})
    for (const Boundary boundary : kBoundaries) {
      INFO((even ? "even " : "uneven ") << toString(boundary));
      const FilterWorkload filter = filterOf(taps(even), boundary);
      const Adjoint adjoint = filterAdjoint(filter, 0);
      const bool there =
          boundary == Boundary::wrap || boundary == Boundary::constant || (even && boundary == Boundary::reflect);
      CHECK((adjoint.workload != nullptr) == there);
      CHECK(adjoint.reason.empty() == there);
      const Workload& back =
          there ? *adjoint.workload : static_cast<const Workload&>(filterOf(flipped(taps(even)), boundary));
      const double left = inner(applied(filter, x), y), right = inner(x, applied(back, y));
      // Where it is refused, mirrored taps are none indeed.
      if (there)
        CHECK(left == Approx(right).epsilon(1e-12));
      else
        CHECK(std::abs(left - right) > 1e-6);
    }
  CHECK_THAT(filterAdjoint(filterOf(taps(true), Boundary::constant, 1), 0).reason, ContainsSubstring("affine"));
  RankWindow median;
  CHECK_THAT(
      filterAdjoint(FilterWorkload({median}, Boundary::wrap, 0, {ElementType::f32, {6, 4, 3, 1}}, ElementType::f32), 0)
          .reason,
      ContainsSubstring("not linear"));
  CHECK_THAT(filterAdjoint(
                 FilterWorkload({taps(true)}, Boundary::wrap, 0, {ElementType::u8, {6, 4, 3, 1}}, ElementType::f32), 0)
                 .reason,
             ContainsSubstring("integers"));
}

TEST_CASE("a contender that shifts its result breaks the probe of the adjoint") {
  RaceScene scene;
  scene.addCopy();
  scene.add(
      "shifted", [](const std::string&) { return 0.1; },
      [](const Box&, std::span<const ArrayView> outputs) {
        float* data = outputs[0].as<float>();
        std::rotate(data, data + 1, data + outputs[0].elements());
      });
  scene.wish.contenders = {{"opencl:0", "copy"}, {"opencl:0", "shifted"}};
  const auto make = [](const ArraySpec& spec) -> std::unique_ptr<Workload> {
    return std::make_unique<FilterWorkload>(std::vector<Operator>{Stencil()}, Boundary::wrap, 0, spec, spec.type);
  };
  const Contract contract = probed({scene.engines, scene.variants, scene.gate}, make, tellsAdjoint,
                                   {ElementType::f32, {20, 20, 20, 1}}, scene.wish.contenders, 0, {});
  CHECK(outcome(contract.lanes.at(0), "adjoint").failure.empty());
  CHECK(outcome(contract.lanes.at(0), "adjoint").without.empty());
  CHECK(contract.lanes.at(0).kept());
  const ProbeOutcome& wrong = outcome(contract.lanes.at(1), "adjoint");
  CHECK_THAT(wrong.failure, ContainsSubstring("<A x, y> is") && ContainsSubstring("rounding explains"));
  CHECK_THAT(toText(contract), ContainsSubstring("opencl:0 shifted, adjoint: <A x, y> is"));
}

TEST_CASE("where a probe means nothing, the contract is kept and the reason is told") {
  RaceScene scene(Contenders{{"opencl:0", ""}, {"opencl:1", ""}});
  const Contract contract = contractOf(scene, {ElementType::f32, {20, 20, 20, 1}});
  const LaneContract& lane = contract.lanes.at(0);
  CHECK_THAT(outcome(lane, "adjoint").without, ContainsSubstring("repeated edges"));
  CHECK(lane.kept());
  const std::string text = toText(contract);
  const std::size_t told = text.find("adjoint means nothing here");
  REQUIRE(told != std::string::npos);
  CHECK(text.find("adjoint means nothing here", told + 1) == std::string::npos);  // once for all contenders
  CHECK_THAT(toCsv(contract),
             ContainsSubstring("opencl:0 copy,adjoint,-,") && ContainsSubstring("opencl:0 copy,impulse,ok,"));
  CHECK(toJson(contract).at("lanes").at(0).at("probes").at(contract.probes.size()).contains("without"));
}

TEST_CASE("probes take extents that the computation takes") {
  const auto even = [](const ArraySpec& spec) -> std::unique_ptr<Workload> {
    if (spec.extent[0] % 4 != 0) throw Error(ErrorKind::Usage, "x must be a multiple of 4");
    return identityOf(spec);
  };
  CHECK(probeSpec(even, {ElementType::f32, {128, 128, 12, 1}}).extent == std::array<std::int64_t, 4>{32, 16, 12, 1});
  CHECK(probeSpec(even, {ElementType::f32, {12, 5, 1, 1}}).extent == std::array<std::int64_t, 4>{12, 5, 1, 1});
}
