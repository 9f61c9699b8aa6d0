// BigDFT's mirror image of a symlet and the magic filter of its order are a pair.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/error.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/wavelet/job/transform_job.h"
#include "core/wavelet/wavelet.h"
#include "core/wavelet/workload/dwt_workload.h"
#include "core/wavelet/workload/magic_workload.h"
#include "tests/support/catch.h"
#include "tests/support/processor.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

struct ConventionMachine : test::Processor {
  Volume magic(const Volume& in, const std::string& direction, int order, const EngineChoice& where) {
    const MagicWorkload workload(
        in.spec(), completeOptions(MagicWorkload::options(),
                                   {{"direction", direction}, {"order", static_cast<std::int64_t>(order)}}));
    return runTransform(engines, variants, workload, in, where, {}).output;
  }

  // How far the samples that come out of magic inverse, dwt, magic forward are from every second one.
  double pairError(int order, WaveletConvention convention, const EngineChoice& where, const VolumeShape& shape) {
    Volume fine(shape, ElementType::f64);
    const auto value = [&](std::int64_t x, std::int64_t y) {
      const double a = 2 * std::numbers::pi * static_cast<double>(x) / static_cast<double>(shape.nx);
      const double b = 2 * std::numbers::pi * static_cast<double>(y) / static_cast<double>(shape.ny);
      return std::sin(a) * (shape.ny > 1 ? std::cos(b + 0.3) : 1.0);
    };
    for (std::int64_t y = 0; y < shape.ny; ++y)
      for (std::int64_t x = 0; x < shape.nx; ++x)
        fine.elements<double>()[static_cast<std::size_t>(y * shape.nx + x)] = value(x, y);
    DwtJob job;
    job.wavelet = "sym" + std::to_string(order);
    job.convention = convention;
    job.where = where;
    const Volume coefficients = dwtForward(engines, variants, job, magic(fine, "inverse", order, where), {}).volume;
    const bool plane = shape.ny > 1;
    Volume low = cropped(coefficients, {shape.nx / 2, plane ? shape.ny / 2 : 1, 1}, {});
    for (double& one : low.elements<double>()) one /= plane ? 2 : std::sqrt(2.0);
    const Volume coarse = magic(low, "forward", order, where);
    double worst = 0;
    for (std::int64_t y = 0; y < coarse.shape().ny; ++y)
      for (std::int64_t x = 0; x < coarse.shape().nx; ++x)
        worst = std::max(worst, std::abs(coarse.value(x, y, 0) - value(2 * x, 2 * y)));
    return worst;
  }
};

// What the order's quadrature leaves of a wave of one period over n samples, and rounding.
double bound(int order, double n) { return 1e-14 + 100 * std::pow(2 * std::numbers::pi / n, 2 * order); }

}  // namespace

TEST_CASE("magic inverse, the low half of BigDFT's dwt, magic forward: every second sample, for all orders") {
  ConventionMachine machine;
  for (int order = 2; order <= 10; ++order) {
    INFO("order " << order);
    CHECK(machine.pairError(order, WaveletConvention::BigDft, {}, {256, 1, 1}) < bound(order, 256));
    // PyWavelets' are those of the mirror image.
    CHECK(machine.pairError(order, WaveletConvention::PyWavelets, {}, {256, 1, 1}) > 1e-3);
  }
  CHECK(machine.pairError(8, WaveletConvention::PyWavelets, {}, {256, 1, 1}) == Approx(0.0166725).epsilon(1e-4));
}

TEST_CASE("the pair holds on every processor engine, in planes as well") {
  ConventionMachine machine;
  for (const EngineInfo& info : machine.engines.infos()) {
    if (!info.available()) continue;
    INFO(info.id);
    EngineChoice there;
    there.engine = info.id;
    for (const int order : {3, 8})
      CHECK(machine.pairError(order, WaveletConvention::BigDft, there, {128, 64, 1}) < bound(order, 64));
  }
}

TEST_CASE("BigDFT's taps are PyWavelets' reversed, and their transform is orthogonal") {
  ConventionMachine machine;
  for (const Wavelet& plain : wavelets()) {
    INFO(plain.name);
    const Wavelet& mirror = waveletNamed(plain.name, WaveletConvention::BigDft);
    CHECK(mirror.recLow == plain.decLow);
    CHECK(mirror.decLow == plain.recLow);
    // cg(j) = (-1)^j ch(1 - j), ch at the positions -m+1..m.
    for (int j = 1 - plain.order; j <= plain.order; ++j) {
      const auto at = [&](int position) { return static_cast<std::size_t>(position + plain.order - 1); };
      CHECK(mirror.recHigh[at(j)] == (j % 2 == 0 ? 1 : -1) * mirror.recLow[at(1 - j)]);
    }
    DwtJob job;
    job.wavelet = plain.name;
    job.levels = 2;
    job.convention = WaveletConvention::BigDft;
    job.where.verify = true;
    const Volume data = test::randomVolume({24, 20, 12, 1}, ElementType::f64, 3);
    const DwtResult there = dwtForward(machine.engines, machine.variants, job, data, {});
    REQUIRE(there.verification);
    CHECK(there.verification->verified);
    const Volume back =
        dwtInverse(machine.engines, machine.variants, job, there.volume, std::array<std::int64_t, 3>{24, 20, 12}, {})
            .volume;
    for (std::int64_t z = 0; z < 12; z += 5)
      for (std::int64_t y = 0; y < 20; ++y)
        for (std::int64_t x = 0; x < 24; ++x) REQUIRE(back.value(x, y, z) == Approx(data.value(x, y, z)).margin(1e-12));
  }
  CHECK(waveletNamed("sym8", WaveletConvention::BigDft).recLow.front() == Approx(-0.0033824159510050026).margin(1e-13));
  CHECK(waveletNamed("sym8", WaveletConvention::BigDft).recHigh.front() ==
        Approx(-0.0018899503327676892).margin(1e-13));
  CHECK_FALSE(parseWaveletConvention("matlab"));
}
