// Options of sscope dwt and sscope magic whose results are known otherwise: conventions, other taps, the denoiser's.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>

#include "core/base/paths.h"
#include "core/wavelet/magic_taps.h"
#include "core/wavelet/wavelet.h"
#include "tests/cli/known_ceilings.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/largest.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

namespace {

constexpr std::int64_t kLength = 64;

void done(const Arguments& arguments) {
  const Outcome outcome = run(arguments);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
}

Volume line(std::int64_t n, unsigned seed) { return randomVolume({n, 1, 1, 1}, ElementType::f32, seed); }

std::vector<double> valuesOf(const Volume& volume) {
  std::vector<double> values;
  for (std::int64_t x = 0; x < volume.shape().nx; ++x) values.push_back(volume.value(x, 0, 0));
  return values;
}

double largest(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return INFINITY;
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = larger(worst, std::abs(a[i] - b[i]));
  return worst;
}

// Waves with noise of standard deviation 5 on them.
struct Noisy {
  Volume clean{{96, 80, 1, 1}, ElementType::f32}, noisy{{96, 80, 1, 1}, ElementType::f32};
  Noisy() {
    std::mt19937 random(3);
    std::normal_distribution<float> noise(0, 5);
    for (std::int64_t i = 0; i < 96 * 80; ++i) {
      const float x = static_cast<float>(i % 96), y = static_cast<float>(i / 96);
      const auto at = static_cast<std::size_t>(i);
      clean.elements<float>()[at] = 100 * std::sin(0.06F * x) * std::cos(0.05F * y);
      noisy.elements<float>()[at] = clean.elements<float>()[at] + noise(random);
    }
  }
};

double rms(const Volume& a, const Volume& b) {
  double sum = 0;
  for (std::int64_t y = 0; y < a.shape().ny; ++y)
    for (std::int64_t x = 0; x < a.shape().nx; ++x) sum += std::pow(a.value(x, y, 0) - b.value(x, y, 0), 2);
  return std::sqrt(sum / static_cast<double>(a.shape().voxels()));
}

}  // namespace

TEST_CASE("dwt --convention bigdft is the transform with the mirrored taps, and comes back") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", out = folder / "out.nrrd", back = folder / "back.nrrd";
  const Volume volume = line(kLength, 5);
  writeNrrd(in, volume);
  const std::vector<double> data = valuesOf(volume);
  std::vector<std::vector<double>> found;
  for (const std::string convention : {"pywavelets", "bigdft"}) {
    done({"dwt", "forward", in, "-o", out, "--wavelet", "sym8", "--convention", convention});
    found.push_back(valuesOf(readVolume(out)));
    const Wavelet& wavelet = waveletNamed("sym8", *parseWaveletConvention(convention));
    std::vector<double> exact;
    for (const auto* taps : {&wavelet.recLow, &wavelet.recHigh})
      for (std::int64_t k = 0; k < kLength / 2; ++k) {
        double sum = 0;
        for (std::int64_t t = 0; t < std::ssize(*taps); ++t)
          sum += (*taps)[static_cast<std::size_t>(t)] *
                 data[static_cast<std::size_t>((2 * k + t - wavelet.taps() / 2 + 1 + kLength) % kLength)];
        exact.push_back(sum);
      }
    CHECK(largest(found.back(), exact) < 1e-5);
    done({"dwt", "inverse", out, "-o", back, "--wavelet", "sym8", "--convention", convention});
    CHECK(largest(valuesOf(readVolume(back)), data) < 1e-5);
  }
  CHECK(largest(found[0], found[1]) > 0.01);
  expectRefusal({"dwt", "forward", in, "-o", out, "--convention", "matlab"}, 2, "--convention");
}

TEST_CASE("magic --taps takes the filter from a file, as JSON and as plain text") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", out = folder / "out.nrrd", file = folder / "taps";
  const Volume volume = line(kLength, 6);
  writeNrrd(in, volume);
  const std::vector<double> data = valuesOf(volume), taps{0.25, -1, 2.5, 0.125, 3};
  constexpr double kSum = 4.875;  // of the taps: what the two axes of one element multiply with, each
  for (const std::string text : {"[0.25, -1, 2.5, 0.125, 3]", "0.25 -1,2.5\n0.125 +3\n"}) {
    writeTextFile(file, text);
    for (const bool forward : {true, false}) {
      const Outcome outcome =
          run({"magic", forward ? "forward" : "inverse", in, "-o", out, "--taps", file, "--json", "-"});
      INFO(outcome.err);
      REQUIRE(outcome.status == 0);
      CHECK_FALSE(json::parse(outcome.out).contains("order"));
      std::vector<double> exact;
      for (std::int64_t i = 0; i < kLength; ++i) {
        double sum = 0;
        for (std::int64_t t = 0; t < 5; ++t)
          sum += taps[static_cast<std::size_t>(t)] *
                 data[static_cast<std::size_t>((i + (forward ? t - 2 : 2 - t) + kLength) % kLength)];
        exact.push_back(sum * kSum * kSum);
      }
      CHECK(largest(valuesOf(readVolume(out)), exact) < 1e-12);
    }
  }
  const std::vector<double> published = magicTaps(8);
  writeTextFile(file, json(published).dump());
  done({"magic", "forward", in, "-o", out, "--taps", file});
  const std::vector<double> asTaps = valuesOf(readVolume(out));
  done({"magic", "forward", in, "-o", out});
  CHECK(largest(asTaps, valuesOf(readVolume(out))) == 0);
}

TEST_CASE("magic refuses files that are no taps") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", out = folder / "out.nrrd", file = folder / "taps";
  writeNrrd(in, line(16, 6));
  const Arguments magic{"magic", "forward", in, "-o", out, "--taps"};
  expectRefusal(joined(magic, {folder / "none"}), 1, "none");
  for (const std::string text : {"", "1", "one two", "[1, \"2\"]", "{\"taps\": [1, 2]}", "1 inf", "[1, 2"}) {
    INFO(text);
    writeTextFile(file, text);
    expectRefusal(joined(magic, {file}), 1, "cannot read taps from");
  }
  std::string many;
  for (int i = 0; i < 65; ++i) many += "1 ";
  writeTextFile(file, many);
  expectRefusal(joined(magic, {file}), 1, "65");
  expectRefusal({"magic", "forward", in, "-o", out, "--taps", file, "--order", "8"}, 2, "--order");
  CHECK(filesIn(folder.path()) == std::vector<std::string>{"in.nrrd", "taps"});
}

TEST_CASE("the denoiser's rules find thresholds of their own, and --sigma scales them") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", out = folder / "out.nrrd";
  const Noisy data;
  writeNrrd(in, data.noisy);
  const auto report = [&](const Arguments& more) {
    const Outcome outcome = run(joined({"dwt", "denoise", in, "-o", out, "--levels", "2", "--json", "-"}, more));
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return json::parse(outcome.out);
  };
  for (const std::string rule : {"sure", "bayes", "visu"}) {
    INFO(rule);
    const json one = report({"--rule", rule, "--sigma", "5"}), zero = report({"--rule", rule, "--sigma", "0"});
    CHECK(one.at("rule") == rule);
    CHECK(one.at("sigma") == 5);
    REQUIRE(one.at("thresholds").size() == 6);  // three bands a level
    for (const json& band : one.at("thresholds")) CHECK(band.at("threshold").get<double>() > 0);
    for (const json& band : zero.at("thresholds")) CHECK(band.at("threshold") == 0);
    CHECK(rms(readVolume(out), data.noisy) < 1e-3);  // no noise, nothing taken
  }
  const json visu = report({"--rule", "visu", "--sigma", "5"});
  CHECK(visu.at("threshold").get<double>() == Approx(5 * std::sqrt(2 * std::log(96.0 * 80.0))).epsilon(1e-12));
  const json given = report({"--threshold", "7.5"});
  CHECK(given.at("rule").is_null());
  CHECK(given.at("threshold") == 7.5);
  expectRefusal({"dwt", "denoise", in, "-o", out, "--sigma", "-1"}, 2, "--sigma");
  expectRefusal({"dwt", "denoise", in, "-o", out, "--rule", "best"}, 2, "--rule");
  expectRefusal({"dwt", "denoise", in, "-o", out, "--shifts", "64"}, 2, "--shifts");
  expectRefusal({"dwt", "inverse", in, "-o", out, "--sigma", "1"}, 2, "--sigma");
}

TEST_CASE("cycle spinning is the mean over shifted data") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", out = folder / "out.nrrd", moved = folder / "moved.nrrd";
  const Noisy data;
  const Arguments hard{"--threshold", "9", "--mode", "hard", "--levels", "2", "--dimensions", "1"};
  const auto denoised = [&](const Volume& volume, const Arguments& more) {
    writeNrrd(in, volume);
    done(joined(joined({"dwt", "denoise", in, "-o", out}, hard), more));
    return readVolume(out);
  };
  // All shifts of two levels: the undecimated transform, which does not see where the data begin.
  Volume shifted(data.noisy.shape(), ElementType::f32);
  for (std::int64_t i = 0; i < 96 * 80; ++i)
    shifted.elements<float>()[static_cast<std::size_t>(i / 96 * 96 + (i + 1) % 96)] =
        data.noisy.elements<float>()[static_cast<std::size_t>(i)];
  const auto apart = [&](const Arguments& more) {
    const Volume a = denoised(data.noisy, more), b = denoised(shifted, more);
    double worst = 0;
    for (std::int64_t y = 0; y < 80; ++y)
      for (std::int64_t x = 0; x < 96; ++x)
        worst = larger(worst, std::abs(a.value(x, y, 0) - b.value((x + 1) % 96, y, 0)));
    return worst;
  };
  CHECK(apart({"--shifts", "3"}) < 1e-3);
  CHECK(apart({}) > 0.1);
  CHECK(rms(denoised(data.noisy, {"--shifts", "3"}), data.clean) < rms(denoised(data.noisy, {}), data.clean));
}

TEST_CASE("magic and dwt with free boundaries grow a file and shrink it back to its place") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", grown = folder / "grown.nrrd", back = folder / "back.nrrd";
  Volume volume = randomVolume({20, 14, 1, 1}, ElementType::f32, 7);
  Geometry geometry;
  geometry.spacing = {0.5, 2, 1};
  geometry.origin = {10, -3, 1};
  volume.setGeometry(geometry);
  writeNrrd(in, volume);
  done({"magic", "forward", in, "-o", grown, "--boundary", "free", "--verify"});
  const Volume values = readVolume(grown);
  CHECK(values.shape() == VolumeShape{35, 29, 1, 1});
  CHECK(values.geometry().origin[0] == Approx(10 - 7 * 0.5));
  CHECK(values.geometry().origin[1] == Approx(-3 - 7 * 2));
  CHECK(values.geometry().origin[2] == Approx(1));
  done({"magic", "inverse", grown, "-o", back, "--boundary", "free", "--engine", "cpu:scalar", "--variant", "simple"});
  const Volume again = readVolume(back);
  CHECK(again.shape() == volume.shape());
  CHECK(again.geometry().origin[0] == Approx(10));
  CHECK(again.geometry().origin[1] == Approx(-3));

  done({"dwt", "inverse", in, "-o", grown, "--boundary", "free", "--verify"});
  CHECK(readVolume(grown).shape() == VolumeShape{34, 28, 1, 1});
  const Outcome outcome = run({"dwt", "forward", grown, "-o", back, "--boundary", "free", "--json", "-"});
  REQUIRE(outcome.status == 0);
  CHECK(json::parse(outcome.out).at("boundary") == "free");
  const Volume coefficients = readVolume(back);
  REQUIRE(coefficients.shape() == volume.shape());
  double worst = 0;
  for (std::int64_t y = 0; y < 14; ++y)
    for (std::int64_t x = 0; x < 20; ++x)
      worst = larger(worst, std::abs(coefficients.value(x, y, 0) - volume.value(x, y, 0)));
  CHECK(worst < 1e-5);
  expectRefusal({"dwt", "forward", in, "-o", back, "--boundary", "free", "--wavelet", "sym8"}, 2, "at least 16");
  expectRefusal({"dwt", "forward", in, "-o", back, "--boundary", "free", "--levels", "2"}, 2, "one level");
  expectRefusal({"dwt", "denoise", in, "-o", back, "--boundary", "free"}, 2, "periodic");
  expectRefusal({"magic", "inverse", in, "-o", back, "--boundary", "free"}, 2, "at least 16");
  expectRefusal({"magic", "forward", in, "-o", back, "--boundary", "mirror"}, 2, "--boundary");
}

TEST_CASE("magic --taps kinetic is -1/2 of the second derivatives along all axes together") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", out = folder / "out.nrrd";
  constexpr int kX = 40, kY = 36, kZ = 32;
  Volume waves({kX, kY, kZ, 1}, ElementType::f32);
  const auto wave = [](double i, int n) { return std::cos(2 * std::numbers::pi * 3 * i / n); };
  std::size_t at = 0;
  for (int z = 0; z < kZ; ++z)
    for (int y = 0; y < kY; ++y)
      for (int x = 0; x < kX; ++x)
        waves.elements<float>()[at++] = static_cast<float>(wave(x, kX) + 2 * wave(y, kY) + 4 * wave(z, kZ));
  writeNrrd(in, waves);
  for (const int order : {8, 5}) {
    const Outcome outcome = run({"magic", "forward", in, "-o", out, "--taps", "kinetic", "--order",
                                 std::to_string(order), "--verify", "--json", "-"});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    const json report = json::parse(outcome.out);
    CHECK(report.at("taps").get<std::vector<double>>() == kineticTaps(order));
    CHECK(report.at("order") == order);
    CHECK(report.at("verification").at("verified") == true);
    const Volume result = readVolume(out);
    // A wave is an eigenvector of every convolution.
    const auto eigenvalue = [&](int n) {
      const std::vector<double> taps = kineticTaps(order);
      double sum = 0;
      for (int i = 0; i < std::ssize(taps); ++i) sum += taps[static_cast<std::size_t>(i)] * wave(i - 2 * order + 2, n);
      return sum;
    };
    const double ex = eigenvalue(kX), ey = eigenvalue(kY), ez = eigenvalue(kZ);
    CHECK(ex == Approx(0.5 * std::pow(2 * std::numbers::pi * 3 / kX, 2)).epsilon(1e-2));
    double worst = 0;
    for (int z = 0; z < kZ; ++z)
      for (int y = 0; y < kY; ++y)
        for (int x = 0; x < kX; ++x)
          worst = larger(
              worst, std::abs(result.value(x, y, z) - ex * wave(x, kX) - 2 * ey * wave(y, kY) - 4 * ez * wave(z, kZ)));
    CHECK(worst < 1e-5);  // the file is f32
  }
  // Axes of one voxel have no derivative, and every engine is right.
  writeNrrd(in, randomVolume({33, 20, 1, 1}, ElementType::f32, 8));
  done({"magic", "inverse", in, "-o", out, "--taps", "kinetic"});
  const Volume preferred = readVolume(out);
  done({"magic", "forward", in, "-o", out, "--taps", "kinetic", "--engine", "cpu:scalar", "--variant", "unrolled"});
  const Volume scalar = readVolume(out);
  double apart = 0;
  for (std::int64_t y = 0; y < 20; ++y)
    for (std::int64_t x = 0; x < 33; ++x)
      apart = larger(apart, std::abs(scalar.value(x, y, 0) - preferred.value(x, y, 0)));
  CHECK(apart < 1e-13);
  expectRefusal({"magic", "forward", in, "-o", out, "--taps", "kinetic", "--order", "2"}, 2, "from 3 to 10");
  expectRefusal({"magic", "forward", in, "-o", out, "--taps", "kinetic", "--boundary", "free"}, 2, "--boundary");
  expectRefusal({"bench", "magic", "--shape", "16,16", "--param", "taps=kinetic"}, 2, "passes=lines");
}

TEST_CASE("magic says how long its model said it would take, and how far that was off") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", out = folder / "out.nrrd";
  writeNrrd(in, randomVolume({64, 48, 40, 1}, ElementType::f32, 9));
  const auto report = [&](const Arguments& more) {
    const Outcome outcome =
        run(joined({"magic", "forward", in, "-o", out, "--engine", "cpu:scalar", "--json", "-"}, more));
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return json::parse(outcome.out);
  };
  useKnownCeilings();  // which the model needs, and benchmarks keep
  const json one = report({}), longer = report({"--order", "4"}), plain = report({"--variant", "simple"});
  REQUIRE(one.at("predicted_s").is_number());
  CHECK(one.at("prediction_error").get<double>() ==
        Approx(one.at("phases").at("kernel_s").get<double>() / one.at("predicted_s").get<double>() - 1).margin(1e-9));
  // Half the taps, half the operations.
  CHECK(longer.at("predicted_s").get<double>() < one.at("predicted_s").get<double>());
  CHECK(plain.at("predicted_s").is_null());
  CHECK(plain.at("prediction_error").is_null());
}

TEST_CASE("bench magic --sweep=order tells what each order is worth and what it costs") {
  useKnownCeilings();
  const TemporaryFolder folder;
  const std::string page = folder / "page.html";
  const Outcome outcome = run({"bench", "magic", "--sweep=order", "--engine", "cpu:scalar", "--shape", "12,10,8",
                               "--reps", "7", "--report", page});
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(contains(outcome.out, "error, 16 samples a wave"));
  CHECK(contains(outcome.out, "order=10"));
  CHECK(contains(readTextFile(page), "Accuracy over cost"));
  expectRefusal({"bench", "magic", "--sweep=direction", "--engine", "cpu:scalar"}, 2, "give order");
  expectRefusal({"bench", "bank", "--sweep=order", "--engine", "cpu:scalar"}, 2, "order");
}
