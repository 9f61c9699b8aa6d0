// The wavelet transform: PyWavelets' results, perfect reconstruction, and what is refused.
#include <cmath>
#include <memory>
#include <numeric>
#include <string>

#include "core/base/error.h"
#include "core/cpu/run/cpu_engine.h"
#include "core/engine/engine.h"
#include "core/engine/variant.h"
#include "core/wavelet/workload/dwt_workload.h"
#include "core/workload/catalog.h"
#include "tests/support/catch.h"
#include "tests/support/largest.h"
#include "tests/support/processor.h"
#include "tests/support/support.h"
#include "tests/wavelet/pywt.h"

using namespace sscope;

namespace {

OptionValues valuesOf(const std::string& wavelet, std::int64_t levels, bool forward, std::int64_t dimensions = 0) {
  return completeOptions(DwtWorkload::options(), {{"wavelet", wavelet},
                                                  {"levels", levels},
                                                  {"direction", std::string(forward ? "forward" : "inverse")},
                                                  {"dimensions", dimensions}});
}

struct DwtMachine : test::Processor {
  Volume transformed(const Volume& in, const OptionValues& values, const char* variant = "") {
    const DwtWorkload workload(in.spec(), values);
    const ArraySpec spec = workload.outputs()[0];
    Volume out({spec.extent[0], spec.extent[1], spec.extent[2], 1}, spec.type);
    const auto plan = variants.prepare(engines.preferred(), workload, variant, {}, {});
    const ConstArrayView view = in.view();
    const ArrayView target = out.view();
    static_cast<void>(plan->run({{&view, 1}, 0}, {&target, 1}, {}));
    return out;
  }
};

std::vector<double> listOf(const Volume& volume) {
  const auto values = volume.elements<double>();
  return {values.begin(), values.end()};
}

// What PyWavelets makes of many volumes, in one go: coefficients in the layout of our pyramid, one after the other.
class SecondOpinion {
 public:
  // With our taps, or with those of PyWavelets' own table.
  void ask(const Volume& volume, const Wavelet& wavelet, int levels, bool ourTaps) {
    const VolumeShape& n = volume.shape();
    script_ += "data = numpy.array(" + test::pythonList(listOf(volume)) + ").reshape(" + std::to_string(n.nz) + ", " +
               std::to_string(n.ny) + ", " + std::to_string(n.nx) + ")\n";
    script_ += "data = data.reshape([s for s in data.shape if s > 1])\n";
    if (ourTaps) {
      script_ += "wavelet = pywt.Wavelet('ours', filter_bank=[";
      for (const auto* taps : {&wavelet.decLow, &wavelet.decHigh, &wavelet.recLow, &wavelet.recHigh})
        script_ += test::pythonList(*taps) + ", ";
      script_ += "])\n";
    } else {
      script_ += "wavelet = pywt.Wavelet('" + wavelet.name + "')\n";
    }
    script_ += "coeffs = pywt.wavedecn(data, wavelet, mode='periodization', level=" + std::to_string(levels) + ")\n";
    script_ += "for x in pywt.coeffs_to_array(coeffs)[0].ravel():\n    print(repr(float(x)))\n";
  }

  void run(const std::string& python) { numbers_ = test::numbersFrom(python, script_); }

  // The largest difference to the next answer.
  double differenceTo(const Volume& ours) {
    double largest = 0;
    for (const double value : ours.elements<double>())
      largest = test::larger(largest, std::abs(value - (next_ < numbers_.size() ? numbers_[next_] : INFINITY))),
      ++next_;
    return largest;
  }
  [[nodiscard]] bool finished() const { return next_ == numbers_.size(); }

 private:
  std::string script_ = "import numpy, pywt, warnings\nwarnings.simplefilter('ignore')\n";
  std::vector<double> numbers_;
  std::size_t next_ = 0;
};

}  // namespace

TEST_CASE("coefficients are PyWavelets' for every wavelet in one, two and three dimensions") {
  const std::string python = test::pythonWithPywt();
  if (python.empty()) SSCOPE_SKIP("no Python with pywt (Debian package python3-pywt)");
  DwtMachine machine;
  constexpr int kLevels = 3;
  for (const VolumeShape& shape : {VolumeShape{48, 1, 1, 1}, VolumeShape{32, 24, 1, 1}, VolumeShape{24, 16, 8, 1}}) {
    const Volume volume = test::randomVolume(shape, ElementType::f64, 3);
    SecondOpinion opinion;
    for (const Wavelet& wavelet : wavelets())
      for (const bool ourTaps : {true, false}) opinion.ask(volume, wavelet, kLevels, ourTaps);
    opinion.run(python);
    for (const Wavelet& wavelet : wavelets()) {
      INFO(wavelet.name << " on " << shape.text());
      const Volume ours = machine.transformed(volume, valuesOf(wavelet.name, kLevels, true));
      CHECK(opinion.differenceTo(ours) < 1e-12);
      // With its own table, whose symlets are less exact (docs/manual/wavelets.md).
      CHECK(opinion.differenceTo(ours) < (wavelet.name.starts_with("sym") ? 1e-10 : 1e-12));
    }
    CHECK(opinion.finished());
  }
}

TEST_CASE("odd extents are extended as PyWavelets does for one level") {
  const std::string python = test::pythonWithPywt();
  if (python.empty()) SSCOPE_SKIP("no Python with pywt (Debian package python3-pywt)");
  DwtMachine machine;
  const std::vector<VolumeShape> shapes{{7, 1, 1, 1}, {13, 9, 1, 1}, {9, 5, 3, 1}};
  const std::vector<std::string> names{"haar", "db2", "sym5", "db10"};
  SecondOpinion opinion;
  for (const VolumeShape& shape : shapes)
    for (const std::string& name : names)
      opinion.ask(test::randomVolume(shape, ElementType::f64, 4), waveletNamed(name), 1, true);
  opinion.run(python);
  for (const VolumeShape& shape : shapes)
    for (const std::string& name : names) {
      INFO(name << " on " << shape.text());
      const Volume volume = test::randomVolume(shape, ElementType::f64, 4);
      CHECK(opinion.differenceTo(machine.transformed(volume, valuesOf(name, 1, true))) < 1e-12);
    }
  CHECK(opinion.finished());
}

TEST_CASE("the inverse brings everything back") {
  DwtMachine machine;
  for (const char* variant : {"tuned", "simple"})
    for (const VolumeShape& shape :
         {VolumeShape{2, 1, 1, 1}, VolumeShape{31, 17, 1, 1}, VolumeShape{16, 15, 5, 1}, VolumeShape{40, 33, 21, 1}})
      for (const Wavelet& wavelet : wavelets())
        for (std::int64_t levels = 1; levels <= largestLevels({shape.nx, shape.ny, shape.nz},
                                                              transformedAxes({shape.nx, shape.ny, shape.nz}, 0));
             ++levels) {
          const Volume volume = test::randomVolume(shape, ElementType::f64, 9);
          const Volume there = machine.transformed(volume, valuesOf(wavelet.name, levels, true), variant);
          const Volume back = machine.transformed(there, valuesOf(wavelet.name, levels, false), variant);
          double largest = 0, energy = 0, kept = 0;
          for (std::int64_t z = 0; z < back.shape().nz; ++z)
            for (std::int64_t y = 0; y < back.shape().ny; ++y)
              for (std::int64_t x = 0; x < back.shape().nx; ++x) {
                const double wanted =
                    volume.value(std::min(x, shape.nx - 1), std::min(y, shape.ny - 1), std::min(z, shape.nz - 1));
                largest = test::larger(largest, std::abs(back.value(x, y, z) - wanted));
                energy += wanted * wanted;
                kept += std::pow(there.value(x, y, z), 2);
              }
          INFO(wavelet.name << " " << levels << " levels of " << shape.text() << " " << variant);
          REQUIRE(largest < 1e-12);
          REQUIRE(kept == Approx(energy).epsilon(1e-12));
        }
}

TEST_CASE("a constant has no details") {
  DwtMachine machine;
  Volume volume({32, 16, 8, 1}, ElementType::f64);
  for (double& value : volume.elements<double>()) value = 2;
  for (const Wavelet& wavelet : wavelets()) {
    const Volume there = machine.transformed(volume, valuesOf(wavelet.name, 2, true));
    const Pyramid pyramid = pyramidFor({32, 16, 8}, 0, 2);
    INFO(wavelet.name);
    for (const BandEnergy& one : bandEnergies(there.view(), pyramid))
      if (one.band.averages()) {
        CHECK(one.share == Approx(1));
        CHECK(there.value(0, 0, 0) == Approx(2 * std::pow(2.0, 3)));
      } else {
        CHECK(one.energy < 1e-20);
      }
  }
}

TEST_CASE("views with strides are transformed in place of copies") {
  DwtMachine machine;
  const Volume volume = test::randomVolume({12, 10, 6, 2}, ElementType::f32, 2);
  const DwtWorkload workload({ElementType::f32, {12, 10, 6, 1}}, valuesOf("db3", 1, true));
  const auto* data = reinterpret_cast<const float*>(volume.data());
  Volume plain({12, 10, 6, 1}, ElementType::f32);
  for (std::size_t i = 0; i < plain.elements<float>().size(); ++i) plain.elements<float>()[i] = data[2 * i + 1];
  const Volume wanted = machine.transformed(plain, valuesOf("db3", 1, true));
  for (Engine* engine : machine.engines.available())
    for (const char* variant : {"tuned", "simple"}) {
      Volume out({12, 10, 6, 3}, ElementType::f32);
      for (float& value : out.elements<float>()) value = -7;
      ConstArrayView in = volume.view();
      in.data += sizeof(float);
      in.extent[3] = 1;
      ArrayView target = out.view();
      target.data += 2 * sizeof(float);
      target.extent[3] = 1;
      const auto plan = machine.variants.prepare(*engine, workload, variant, {}, {});
      static_cast<void>(plan->run({{&in, 1}, 0}, {&target, 1}, {}));
      INFO(engine->info().id << " " << variant);
      double largest = 0;
      for (std::size_t i = 0; i < plain.elements<float>().size(); ++i) {
        largest =
            test::larger(largest, std::abs(double(out.elements<float>()[3 * i + 2]) - wanted.elements<float>()[i]));
        REQUIRE(out.elements<float>()[3 * i] == -7);
      }
      CHECK(largest < 1e-5);
    }
}

TEST_CASE("what does not fit is refused in a sentence") {
  const ArraySpec image{ElementType::f32, {100, 60, 1, 1}};
  CHECK_THROWS_WITH(DwtWorkload(image, valuesOf("sym8", 7, true)), Catch::Matchers::ContainsSubstring("levels is 6"));
  CHECK_NOTHROW(DwtWorkload(image, valuesOf("sym8", 7, true, 1)));
  CHECK_THROWS_WITH(DwtWorkload(image, valuesOf("sym8", 3, false)),
                    Catch::Matchers::ContainsSubstring("multiples of 8"));
  CHECK_THROWS_WITH(DwtWorkload({ElementType::u8, {8, 8, 1, 1}}, valuesOf("haar", 1, true)),
                    Catch::Matchers::ContainsSubstring("u8"));
  CHECK_THROWS_AS(DwtWorkload({ElementType::f32, {8, 8, 1, 3}}, valuesOf("haar", 1, true)), Error);
  CHECK(DwtWorkload(image, valuesOf("sym8", 3, true)).outputs()[0].extent ==
        std::array<std::int64_t, 4>{104, 64, 1, 1});
}

TEST_CASE("the reference's expected time counts every band anew, as it computes them") {
  const ArraySpec spec{ElementType::f64, {64, 64, 64, 1}};
  const auto seconds = [&](const char* direction, std::int64_t levels) {
    return DwtWorkload(spec, completeOptions(DwtWorkload::options(),
                                             {{"direction", std::string(direction)}, {"levels", levels}}))
        .referenceSeconds();
  };
  // sym8: 16 taps over a half, a quarter and an eighth of the data, for each of the eight bands; values and magnitudes.
  CHECK(seconds("forward", 1) * 32e6 == Approx(2 * 8 * 16 * 0.875 * 64 * 64 * 64));
  CHECK(seconds("forward", 3) == Approx(3 * seconds("forward", 1)));
  CHECK(seconds("inverse", 1) * 24e6 == Approx(2 * 3 * 16 * 64 * 64 * 64));
  CHECK(seconds("inverse", 3) == Approx((1 + 1.0 / 8 + 1.0 / 64) * seconds("inverse", 1)));
}
