// Options of sscope dwt and sscope magic whose results are known otherwise: conventions, other taps, free boundaries.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/wavelet/magic_taps.h"
#include "core/wavelet/wavelet.h"
#include "tests/cli/known_ceilings.h"
#include "tests/cli/program.h"
#include "tests/cli/wavelet/noisy_waves.h"
#include "tests/support/catch.h"
#include "tests/support/largest.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

namespace {

constexpr std::int64_t kLength = 64;

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

// The sum of taps times data around `first`, which wrap around.
double product(const std::vector<double>& taps, const std::vector<double>& data, std::int64_t first, bool backward) {
  double sum = 0;
  const std::int64_t n = std::ssize(data);
  for (std::int64_t t = 0; t < std::ssize(taps); ++t)
    sum +=
        taps[static_cast<std::size_t>(t)] * data[static_cast<std::size_t>(((first + (backward ? -t : t)) % n + n) % n)];
  return sum;
}

}  // namespace

TEST_CASE("dwt --convention bigdft is the transform with the mirrored taps, and comes back") {
  const Scene scene(line(kLength, 5));
  const std::vector<double> data = valuesOf(scene.volume("in.nrrd"));
  std::vector<std::vector<double>> found;
  for (const std::string convention : {"pywavelets", "bigdft"}) {
    const std::string how = " --wavelet sym8 --convention " + convention;
    scene.ok("dwt forward in.nrrd -o out.nrrd" + how);
    found.push_back(valuesOf(scene.volume()));
    const Wavelet& wavelet = waveletNamed("sym8", *parseWaveletConvention(convention));
    std::vector<double> exact;
    for (const auto* taps : {&wavelet.recLow, &wavelet.recHigh})
      for (std::int64_t k = 0; k < kLength / 2; ++k)
        exact.push_back(product(*taps, data, 2 * k - wavelet.taps() / 2 + 1, false));
    CHECK(largest(found.back(), exact) < 1e-5);
    scene.ok("dwt inverse out.nrrd -o back.nrrd" + how);
    CHECK(largest(valuesOf(scene.volume("back.nrrd")), data) < 1e-5);
  }
  CHECK(largest(found[0], found[1]) > 0.01);
  scene.refuse("dwt forward in.nrrd -o out.nrrd --convention matlab", 2, "--convention");
}

TEST_CASE("magic --taps takes the filter from a file, as JSON and as plain text") {
  const Scene scene(line(kLength, 6));
  const std::vector<double> data = valuesOf(scene.volume("in.nrrd")), taps{0.25, -1, 2.5, 0.125, 3};
  constexpr double kSum = 4.875;  // of the taps: what the two axes of one element multiply with, each
  for (const std::string text : {"[0.25, -1, 2.5, 0.125, 3]", "0.25 -1,2.5\n0.125 +3\n"}) {
    scene.write("taps", text);
    for (const bool forward : {true, false}) {
      const std::string direction = forward ? "forward" : "inverse";
      CHECK_FALSE(scene.report("magic " + direction + " in.nrrd -o out.nrrd --taps taps").contains("order"));
      std::vector<double> exact;
      for (std::int64_t i = 0; i < kLength; ++i)
        exact.push_back(product(taps, data, forward ? i - 2 : i + 2, !forward) * kSum * kSum);
      CHECK(largest(valuesOf(scene.volume()), exact) < 1e-12);
    }
  }
  scene.write("taps", json(magicTaps(8)).dump());
  scene.ok("magic forward in.nrrd -o out.nrrd --taps taps");
  scene.ok("magic forward in.nrrd -o plain.nrrd");
  CHECK(largestDifference(scene.volume(), scene.volume("plain.nrrd")) == 0);
}

TEST_CASE("magic refuses files that are no taps") {
  const Scene scene(line(16, 6));
  const std::string magic = "magic forward in.nrrd -o out.nrrd --taps ";
  scene.refuse(magic + "none", 1, "none");
  for (const std::string text : {"", "1", "one two", "[1, \"2\"]", "{\"taps\": [1, 2]}", "1 inf", "[1, 2"}) {
    INFO(text);
    scene.write("taps", text);
    scene.refuse(magic + "taps", 1, "cannot read taps from");
  }
  std::string many;
  for (int i = 0; i < 65; ++i) many += "1 ";
  scene.write("taps", many);
  scene.refuse(magic + "taps", 1, "65");
  scene.refuse(magic + "taps --order 8", 2, "--order");
}

TEST_CASE("cycle spinning is the mean over shifted data") {
  const NoisyWaves data;
  const Scene scene{Scene::Empty()};
  const auto denoised = [&](const Volume& volume, const std::string& more) {
    scene.write("in.nrrd", volume);
    scene.ok("dwt denoise in.nrrd -o out.nrrd --threshold 9 --mode hard --levels 2 --dimensions 1" + more);
    return scene.volume();
  };
  // All shifts of two levels: the undecimated transform, whose result does not depend on where the data begin.
  const auto shiftedBy1 = [](const Volume& from) {
    Volume to(from.shape(), ElementType::f32);
    for (std::int64_t i = 0; i < from.shape().voxels(); ++i)
      to.elements<float>()[static_cast<std::size_t>(i / 96 * 96 + (i + 1) % 96)] =
          static_cast<float>(from.value(i % 96, i / 96, 0));
    return to;
  };
  const auto apart = [&](const std::string& more) {
    return largestDifference(shiftedBy1(denoised(data.noisy, more)), denoised(shiftedBy1(data.noisy), more));
  };
  CHECK(apart(" --shifts 3") < 1e-3);
  CHECK(apart("") > 0.1);
  CHECK(distance(denoised(data.noisy, " --shifts 3"), data.clean) < distance(denoised(data.noisy, ""), data.clean));
}

TEST_CASE("magic and dwt with free boundaries grow a file and shrink it back to its place") {
  Volume volume = randomVolume({20, 14, 1, 1}, ElementType::f32, 7);
  volume.setGeometry({{0.5, 2, 1}, {10, -3, 1}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, "mm"});
  const Scene scene(volume);
  const auto expectPlace = [&](const Volume& found, const VolumeShape& shape, double x, double y) {
    CHECK(found.shape() == shape);
    CHECK(found.geometry().origin[0] == Approx(x));
    CHECK(found.geometry().origin[1] == Approx(y));
    CHECK(found.geometry().origin[2] == Approx(1));
  };
  scene.ok("magic forward in.nrrd -o grown.nrrd --boundary free --verify");
  expectPlace(scene.volume("grown.nrrd"), {35, 29, 1, 1}, 10 - 7 * 0.5, -3 - 7 * 2);
  scene.ok("magic inverse grown.nrrd -o back.nrrd --boundary free --engine cpu:scalar --variant simple");
  expectPlace(scene.volume("back.nrrd"), volume.shape(), 10, -3);
  scene.ok("dwt inverse in.nrrd -o grown.nrrd --boundary free --verify");
  CHECK(scene.volume("grown.nrrd").shape() == VolumeShape{34, 28, 1, 1});
  CHECK(scene.report("dwt forward grown.nrrd -o back.nrrd --boundary free").at("boundary") == "free");
  CHECK(largestDifference(scene.volume("back.nrrd"), volume) < 1e-5);
  scene.refuse(2, {{"dwt forward in.nrrd -o back.nrrd --boundary free --wavelet sym8", "at least 16"},
                   {"dwt forward in.nrrd -o back.nrrd --boundary free --levels 2", "one level"},
                   {"dwt denoise in.nrrd -o back.nrrd --boundary free", "periodic"},
                   {"magic inverse in.nrrd -o back.nrrd --boundary free", "at least 16"},
                   {"magic forward in.nrrd -o back.nrrd --boundary mirror", "--boundary"}});
}

TEST_CASE("magic --taps kinetic is -1/2 of the second derivatives along all axes together") {
  constexpr int kX = 40, kY = 36, kZ = 32;
  Volume waves({kX, kY, kZ, 1}, ElementType::f32), exact({kX, kY, kZ, 1}, ElementType::f64);
  const auto wave = [](double i, int n) { return std::cos(2 * std::numbers::pi * 3 * i / n); };
  const auto fill = [&](auto elements, double x, double y, double z) {
    for (int i = 0; i < kX * kY * kZ; ++i)
      elements[static_cast<std::size_t>(i)] = static_cast<typename decltype(elements)::value_type>(
          x * wave(i % kX, kX) + 2 * y * wave(i / kX % kY, kY) + 4 * z * wave(i / kX / kY, kZ));
  };
  fill(waves.elements<float>(), 1, 1, 1);
  const Scene scene(waves);
  for (const int order : {8, 5}) {
    const json report =
        scene.report("magic forward in.nrrd -o out.nrrd --taps kinetic --verify --order " + std::to_string(order));
    CHECK(report.at("taps").get<std::vector<double>>() == kineticTaps(order));
    CHECK(report.at("order") == order);
    CHECK(report.at("verification").at("verified") == true);
    // A wave is an eigenvector of every convolution.
    const auto eigenvalue = [&](int n) {
      const std::vector<double> taps = kineticTaps(order);
      double sum = 0;
      for (int i = 0; i < std::ssize(taps); ++i) sum += taps[static_cast<std::size_t>(i)] * wave(i - 2 * order + 2, n);
      return sum;
    };
    CHECK(eigenvalue(kX) == Approx(0.5 * std::pow(2 * std::numbers::pi * 3 / kX, 2)).epsilon(1e-2));
    fill(exact.elements<double>(), eigenvalue(kX), eigenvalue(kY), eigenvalue(kZ));
    CHECK(largestDifference(scene.volume(), exact) < 1e-5);  // the file is f32
  }
  // Axes of one voxel have no derivative, and every engine is right.
  scene.write("in.nrrd", randomVolume({33, 20, 1, 1}, ElementType::f32, 8));
  scene.ok("magic inverse in.nrrd -o out.nrrd --taps kinetic");
  scene.ok("magic forward in.nrrd -o scalar.nrrd --taps kinetic --engine cpu:scalar --variant unrolled");
  CHECK(largestDifference(scene.volume(), scene.volume("scalar.nrrd")) < 1e-13);
  scene.refuse(2, {{"magic forward in.nrrd -o out.nrrd --taps kinetic --order 2", "from 3 to 10"},
                   {"magic forward in.nrrd -o out.nrrd --taps kinetic --boundary free", "--boundary"},
                   {"bench magic --shape 16,16 --param taps=kinetic", "passes=lines"}});
}

TEST_CASE("magic reports the time that its model predicts, and the error of that") {
  useKnownCeilings();  // which the model needs, and benchmarks keep
  const Scene scene(randomVolume({64, 48, 40, 1}, ElementType::f32, 9));
  const auto report = [&](const std::string& more) {
    return scene.report("magic forward in.nrrd -o out.nrrd --engine cpu:scalar" + more);
  };
  const json one = report(""), longer = report(" --order 4"), plain = report(" --variant simple");
  REQUIRE(one.at("predicted_s").is_number());
  CHECK(one.at("prediction_error").get<double>() ==
        Approx(one.at("phases").at("kernel_s").get<double>() / one.at("predicted_s").get<double>() - 1).margin(1e-9));
  // Half the taps, half the operations.
  CHECK(longer.at("predicted_s").get<double>() < one.at("predicted_s").get<double>());
  CHECK(plain.at("predicted_s").is_null());
  CHECK(plain.at("prediction_error").is_null());
}

TEST_CASE("bench magic --sweep=order shows what each order is worth and what it costs") {
  useKnownCeilings();
  const Scene scene;
  const Outcome outcome =
      scene.ok("bench magic --sweep=order --engine cpu:scalar --shape 12,10,8 --reps 7 --report page.html");
  CHECK(contains(outcome.out, "error, 16 samples a wave"));
  CHECK(contains(outcome.out, "order=10"));
  CHECK(contains(scene.text("page.html"), "Accuracy over cost"));
  scene.refuse(2, {{"bench magic --sweep=direction --engine cpu:scalar", "give order"},
                   {"bench bank --sweep=order --engine cpu:scalar", "order"}});
}
