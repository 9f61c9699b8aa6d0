// Sums that single precision leaves in doubt, made again in double precision.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "core/cpu/filter/exact_rounding.h"
#include "core/cpu/filter/tile_space.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/volume/rounding.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using namespace sscope::cpu;
using namespace sscope::test;

namespace {

const CpuMachine& againMachine() {
  static const CpuMachine one;
  return one;
}

// Taps as wide as those of a gaussian, positive or of both signs.
Operator wideTaps(const std::array<std::int64_t, 3>& size, bool positive, double sum = 1) {
  SeparableTerm term;
  for (std::size_t a = 0; a < 3; ++a) {
    if (size[a] == 1) continue;
    AxisTaps& taps = term.axis[a];
    taps.weights.clear();
    double all = 0;
    for (std::int64_t i = 0; i < size[a]; ++i) {
      const double x = 4.0 * static_cast<double>(2 * i + 1 - size[a]) / static_cast<double>(size[a]);
      taps.weights.push_back(std::exp(-x * x / 2) * (positive || i % 5 != 0 ? 1 : -1));
      all += std::abs(taps.weights.back());
    }
    for (double& weight : taps.weights) weight *= sum / all;
    taps.anchor = size[a] / 3;
  }
  Stencil stencil;
  stencil.terms = {term};
  return {"wide", stencil};
}

// Bytes of the whole range.
Volume noise(const VolumeShape& shape, ElementType type, std::uint64_t seed) {
  Volume volume(shape, type);
  std::uint64_t state = 88172645463325252U + seed;
  for (std::size_t i = 0; i < static_cast<std::size_t>(volume.bytes()); ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    volume.data()[i] = static_cast<std::byte>(state >> 24);
  }
  return volume;
}

FilterWorkload againWorkload(const Operator& op, Boundary boundary, const Volume& input, ElementType output,
                             double constant = 0.75) {
  return {{op}, boundary, constant, input.spec(), output};
}

bool inDoubt(double sum, const RoundingError& error) {
  constexpr double kHalf = 0.5 + kTieBand;
  const double most = error.relative * std::abs(sum) + error.absolute;
  return std::floor(sum - most + kHalf) != std::floor(sum + most + kHalf);
}

}  // namespace

TEST_CASE("sums made again from the input are those of the reference, at faces, too") {
  const VolumeShape shapes[] = {{1, 1, 1, 1}, {40, 13, 9, 1}, {19, 12, 11, 3}, {9, 7, 1, 2}, {6, 5, 4, 6}};
  const Operator filters[] = {wideTaps({17, 9, 5}, true),
                              wideTaps({3, 11, 1}, false),
                              wideTaps({33, 2, 20}, true),
                              {"dense", denseFilter({5, 3, 3}, {2, 1, 1})}};
  for (const VolumeShape& shape : shapes)
    for (const Boundary boundary : kBoundaries)
      for (const ElementType type : {ElementType::u8, ElementType::i8})
        for (const Operator& op : filters) {
          const Volume input = noise(shape, type, 3);
          const FilterWorkload rounded = againWorkload(op, boundary, input, ElementType::u8);
          const FilterWorkload unrounded = againWorkload(op, boundary, input, ElementType::f64);
          const CpuRun truth = runOnCpu(againMachine(), "cpu:scalar", "auto", unrounded, input, 1);
          const ConstArrayView sums = truth.outputs[0].view();
          for (const Engine* engine : againMachine().engines.available())
            for (const AxisOrder& order : {AxisOrder{0, 1, 2}, AxisOrder{1, 2, 0}}) {
              const KernelTable& kernels = dynamic_cast<const CpuEngine&>(*engine).kernels();
              const SumAgain again(rounded, 0, order, kernels);
              double wrong = 0;
              for (std::int64_t c = 0; c < shape.components; ++c)
                for (std::int64_t z = 0; z < shape.nz; ++z)
                  for (std::int64_t y = 0; y < shape.ny; ++y)
                    for (std::int64_t x = 0; x < shape.nx; ++x) {
                      const std::array<std::int64_t, 3> at{x, y, z};
                      const double sum = again.fromInput(std::as_const(input).view(), c, permuted(at, order));
                      wrong = std::max(wrong, std::abs(sum - sums.as<double>()[sums.offset(x, y, z, c)]));
                    }
              INFO(engine->info().id << " " << shape.text() << " " << toString(boundary) << " " << toString(type));
              CHECK(wrong < 1e-10);
            }
        }
}

TEST_CASE("sums made again from kept sums are as close to the true ones as is said") {
  const Volume input = noise({70, 30, 30, 1}, ElementType::u8, 4);
  const std::int64_t width = 70, height = 30, planes = 11, columns = 17;
  for (const bool positive : {true, false}) {
    const Operator op = wideTaps({columns, height, planes}, positive);
    const FilterWorkload workload = againWorkload(op, Boundary::nearest, input, ElementType::u8);
    const SeparableTerm& term = op.stencil()->terms[0];
    std::vector<float> kept;  // one row of sums along y for each plane
    std::vector<double> exact;
    for (std::int64_t z = 0; z < planes; ++z)
      for (std::int64_t x = 0; x < width; ++x) {
        float sum = 0;
        double all = 0;
        for (std::int64_t y = 0; y < height; ++y) {
          const double weight = term.axis[1].weights[static_cast<std::size_t>(y)];
          const auto value = static_cast<double>(
              input.elements<std::uint8_t>()[static_cast<std::size_t>((z * height + y) * width + x)]);
          sum += static_cast<float>(weight) * static_cast<float>(value);
          all += weight * value;
        }
        kept.push_back(sum);
        exact.push_back(all);
      }
    for (const Engine* engine : againMachine().engines.available()) {
      const SumAgain again(workload, 0, {0, 1, 2}, dynamic_cast<const CpuEngine&>(*engine).kernels());
      REQUIRE(again.keptError());
      double greatest = 0, least = 1;  // error beside what it may be
      for (std::int64_t x = 0; x + columns <= width; ++x) {
        double sum = 0;
        for (std::int64_t z = 0; z < planes; ++z)
          for (std::int64_t i = 0; i < columns; ++i)
            sum += term.axis[2].weights[static_cast<std::size_t>(z)] *
                   term.axis[0].weights[static_cast<std::size_t>(i)] *
                   exact[static_cast<std::size_t>(z * width + x + i)];
        const double found = again.fromKept(kept.data() + x, width, 1);
        const double allowed = again.keptError()->relative * std::abs(found) + again.keptError()->absolute;
        greatest = std::max(greatest, std::abs(found - sum) / allowed);
        least = std::min(least, allowed);
      }
      INFO(engine->info().id << " " << positive);
      CHECK(greatest < 1);
      CHECK(greatest > 1e-3);  // and the bound is not idle
      CHECK(least < 1e-3);
    }
  }
  // Sums of several terms are not looked at.
  Stencil two = *wideTaps({9, 9, 9}, true).stencil();
  two.terms.push_back(two.terms[0]);
  const FilterWorkload several = againWorkload({"two", two}, Boundary::nearest, input, ElementType::u8);
  CHECK_FALSE(passError(several, several.stencil(0), 1));
}

TEST_CASE("integers of bytes under wide taps are those of double precision, where first sums decide and where not") {
  const VolumeShape shapes[] = {{64, 50, 40, 1}, {50, 40, 20, 3}, {300, 200, 1, 1}};
  const Operator filters[] = {wideTaps({17, 17, 17}, true), wideTaps({25, 21, 23}, true),
                              wideTaps({15, 9, 13}, false, 1.3)};
  std::int64_t again = 0, fromInput = 0;
  for (const VolumeShape& shape : shapes)
    for (const Boundary boundary : {Boundary::nearest, Boundary::constant, Boundary::mirror})
      for (const ElementType type : {ElementType::u8, ElementType::i8})
        for (const Operator& op : filters) {
          const Volume input = noise(shape, type, 7);
          const FilterWorkload workload = againWorkload(op, boundary, input, ElementType::i16, 0.3);
          const CpuRun truth = runOnCpu(againMachine(), "cpu:scalar", "separable", workload, input);
          for (const Engine* engine : againMachine().engines.available()) {
            const CpuRun run = runOnCpu(againMachine(), engine->info().id, "separable", workload, input);
            INFO(engine->info().id << " " << shape.text() << " " << toString(boundary) << " " << toString(type));
            CHECK(std::memcmp(truth.outputs[0].data(), run.outputs[0].data(), run.outputs[0].bytes()) == 0);
            CHECK(truth.report.saturated == run.report.saturated);
          }
          // Both ways are taken somewhere.
          const CpuRun sums = runOnCpu(againMachine(), "cpu:scalar", "separable",
                                       againWorkload(op, boundary, input, ElementType::f64, 0.3), input);
          const RoundingError all = roundingError(workload, 0, MethodKind::Separable);
          const std::size_t first = separableOrder(workload, 0)[1];
          const RoundingError kept = passError(workload, workload.stencil(0), first).value();
          CHECK(kept.relative <= all.relative);
          CHECK(kept.absolute <= all.absolute);
          for (const double sum : sums.outputs[0].elements<double>()) {
            again += inDoubt(sum, all) && !inDoubt(sum, kept) ? 1 : 0;
            fromInput += inDoubt(sum, kept) ? 1 : 0;
          }
        }
  CHECK(again > 100);
  CHECK(fromInput > 100);
}
