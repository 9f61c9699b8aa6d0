// sscope dwt and sscope magic.
#include <signal.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "core/base/paths.h"
#include "core/wavelet/magic_taps.h"
#include "tests/cli/program.h"
#include "tests/support/catch.h"
#include "tests/support/largest.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

namespace {

double largestDifference(const Volume& a, const Volume& b) {
  if (!(a.shape() == b.shape())) return INFINITY;
  double largest = 0;
  for (std::int64_t z = 0; z < a.shape().nz; ++z)
    for (std::int64_t y = 0; y < a.shape().ny; ++y)
      for (std::int64_t x = 0; x < a.shape().nx; ++x)
        for (int c = 0; c < a.shape().components; ++c)
          largest = test::larger(largest, std::abs(a.value(x, y, z, c) - b.value(x, y, z, c)));
  return largest;
}

double distance(const Volume& a, const Volume& b) {
  double sum = 0;
  for (std::int64_t y = 0; y < a.shape().ny; ++y)
    for (std::int64_t x = 0; x < a.shape().nx; ++x) sum += std::pow(a.value(x, y, 0) - b.value(x, y, 0), 2);
  return std::sqrt(sum / static_cast<double>(a.shape().voxels()));
}

void requireSuccess(const Arguments& arguments) {
  const Outcome outcome = run(arguments);
  INFO(outcome.err);
  REQUIRE(outcome.status == 0);
  CHECK(outcome.err.empty());
}

}  // namespace

TEST_CASE("dwt forward and inverse bring a file back, with its geometry") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", there = folder / "there.nrrd", back = folder / "back.nrrd";
  Volume volume = randomVolume({21, 14, 9, 1}, ElementType::f32, 5);
  Geometry geometry;
  geometry.spacing = {0.5, 1.25, 3};
  geometry.origin = {-10, 20.5, 7};
  volume.setGeometry(geometry);
  writeNrrd(in, volume);
  for (const std::string wavelet : {"haar", "db3", "sym10"}) {
    requireSuccess({"dwt", "forward", in, "-o", there, "--wavelet", wavelet, "--levels", "2"});
    CHECK(readVolume(there).shape() == VolumeShape{24, 16, 12, 1});
    requireSuccess({"dwt", "inverse", there, "-o", back, "--wavelet", wavelet, "--levels", "2", "--size", "21,14,9"});
    const Volume result = readVolume(back);
    CHECK(largestDifference(result, volume) < 1e-5);
    CHECK(result.geometry().spacing[1] == Approx(1.25));
    CHECK(result.geometry().origin[0] == Approx(-10));
    // The file of the coefficients keeps the extents, and the result no longer.
    requireSuccess({"dwt", "inverse", there, "-o", back, "--wavelet", wavelet, "--levels", "2"});
    CHECK(readVolume(back).shape() == volume.shape());
    CHECK_FALSE(contains(contentOf(back).substr(0, 1000), "stencilscope.extents"));
  }
  CHECK(filesIn(folder.path()) == std::vector<std::string>{"back.nrrd", "in.nrrd", "there.nrrd"});
}

TEST_CASE("dwt takes colors and integers, and every variant agrees") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", there = folder / "there.nrrd", back = folder / "back.nrrd";
  writeNrrd(folder / "gray.nrrd", randomVolume({32, 20, 1, 1}, ElementType::u8, 5));
  requireSuccess({"filter", folder / "gray.nrrd", "-o", in, "--filter", "box:size=1", "--filter", "box:name=other",
                  "--output-type", "same"});
  const Volume volume = readVolume(in);
  REQUIRE(volume.shape().components == 2);
  requireSuccess({"dwt", "forward", in, "-o", there, "--levels", "2", "--variant", "simple", "--engine", "cpu:scalar"});
  CHECK(readVolume(there).type() == ElementType::f32);
  requireSuccess({"dwt", "inverse", there, "-o", back, "--levels", "2", "--variant", "tuned"});
  CHECK(largestDifference(readVolume(back), volume) < 1e-3);
}

TEST_CASE("dwt reports what it did") {
  const TemporaryFolder folder;
  writeNrrd(folder / "in.nrrd", randomVolume({16, 16, 8, 1}, ElementType::f32, 5));
  const Outcome outcome =
      run({"dwt", "forward", folder / "in.nrrd", "-o", folder / "out.nrrd", "--levels", "2", "--json", "-"});
  REQUIRE(outcome.status == 0);
  const json report = json::parse(outcome.out);
  CHECK(report.at("schema") == "stencilscope.dwt/1");
  CHECK(report.at("wavelet") == "sym8");
  CHECK(report.at("bands").size() == 15);
  double share = 0;
  for (const json& band : report.at("bands")) share += band.at("share").get<double>();
  CHECK(share == Approx(1));
  CHECK(report.at("flops").get<double>() > 0);
}

TEST_CASE("transforms are compared with the reference where that is asked for") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", there = folder / "there.nrrd", out = folder / "out.nrrd";
  writeNrrd(in, randomVolume({16, 24, 8, 1}, ElementType::f32, 5));
  for (const Arguments& arguments :
       {Arguments{"dwt", "forward", in, "-o", there, "--levels", "2"},
        {"dwt", "inverse", there, "-o", out, "--levels", "2"},
        {"dwt", "denoise", in, "-o", out, "--engine", "cpu:scalar"},
        {"magic", "forward", in, "-o", out},
        {"magic", "inverse", in, "-o", out, "--variant", "simple", "--engine", "cpu:scalar"}}) {
    Arguments verified = arguments;
    verified.insert(verified.end(), {"--verify", "--json", folder / "report.json"});
    const Outcome outcome = run(verified);
    INFO(arguments[0] << " " << arguments[1] << ": " << outcome.err);
    REQUIRE(outcome.status == 0);
    const json report = json::parse(readTextFile(folder / "report.json"));
    const json& verification = report.at("verification");
    CHECK(verification.at("verified") == true);
    CHECK(verification.at("rel_l2").get<double>() < 1e-6);
    const int transforms = arguments[1] == "denoise" ? 2 : 1;  // there and back
    CHECK(verification.at("compared") == transforms * 16 * 24 * 8);
    CHECK(verification.at("coverage") == "full volume");
    // Nothing is said about what was not asked for.
    Arguments plain = arguments;
    plain.insert(plain.end(), {"--json", folder / "report.json"});
    REQUIRE(run(plain).status == 0);
    CHECK_FALSE(json::parse(readTextFile(folder / "report.json")).contains("verification"));
  }
}

TEST_CASE("dwt denoise removes noise and keeps the picture") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", out = folder / "out.nrrd";
  Volume clean({100, 90, 1, 1}, ElementType::f32), noisy({100, 90, 1, 1}, ElementType::f32);
  std::mt19937 random(3);
  std::normal_distribution<float> noise(0, 5);
  for (std::int64_t y = 0; y < 90; ++y)
    for (std::int64_t x = 0; x < 100; ++x) {
      const auto i = static_cast<std::size_t>(y * 100 + x);
      clean.elements<float>()[i] =
          100 * std::sin(0.06F * static_cast<float>(x)) * std::cos(0.05F * static_cast<float>(y));
      noisy.elements<float>()[i] = clean.elements<float>()[i] + noise(random);
    }
  writeNrrd(in, noisy);
  const double before = distance(clean, noisy);
  for (const std::string mode : {"soft", "hard"}) {
    const Outcome outcome =
        run({"dwt", "denoise", in, "-o", out, "--levels", "3", "--threshold", "auto", "--mode", mode, "--json", "-"});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    const json report = json::parse(outcome.out);
    CHECK(report.at("sigma").get<double>() == Approx(5).epsilon(0.1));
    CHECK(report.at("zero_share").get<double>() > 0.8);
    const Volume result = readVolume(out);
    REQUIRE(result.shape() == clean.shape());
    CHECK(distance(clean, result) < 0.7 * before);
  }
  requireSuccess({"dwt", "denoise", in, "-o", out, "--threshold", "0"});
  CHECK(largestDifference(readVolume(out), noisy) < 1e-3);
  // The default, which is better still with shifts, and the other rules.
  const auto denoised = [&](const Arguments& more) {
    Arguments arguments{"dwt", "denoise", in, "-o", out, "--json", folder / "report.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    requireSuccess(arguments);
    return distance(clean, readVolume(out));
  };
  CHECK(denoised({"--rule", "visu"}) < 0.7 * before);
  CHECK(json::parse(readTextFile(folder / "report.json")).at("threshold").is_number());
  const double plain = denoised({});
  const json report = json::parse(readTextFile(folder / "report.json"));
  CHECK(report.at("rule") == "sure");
  CHECK(report.at("levels") == 3);
  CHECK(report.at("threshold").is_null());
  CHECK(report.at("thresholds").size() == 9);
  CHECK(plain < 0.7 * before);
  CHECK(denoised({"--shifts", "1"}) < plain);
  CHECK(denoised({"--sigma", "5", "--rule", "bayes"}) < 0.7 * before);
  CHECK(json::parse(readTextFile(folder / "report.json")).at("sigma") == 5);
  CHECK(run({"dwt", "denoise", in, "-o", out, "--threshold", "1", "--rule", "visu"}).status == 2);
  CHECK(run({"dwt", "forward", in, "-o", out, "--shifts", "1"}).status == 2);
}

TEST_CASE("denoising refuses values that are not finite, and transforms say how many they become") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", out = folder / "out.nrrd";
  Volume data = randomVolume({16, 16, 16, 1}, ElementType::f32, 1);
  for (const float bad : {NAN, INFINITY}) {
    data.elements<float>()[1000] = bad;
    writeNrrd(in, data);
    for (const Arguments& more : {Arguments{}, {"--threshold", "1"}, {"--shifts", "1"}}) {
      const Outcome outcome = run(joined({"dwt", "denoise", in, "-o", out}, more));
      CHECK(outcome.status == 1);
      CHECK(contains(outcome.err, "NaN or infinite"));
      CHECK(contains(outcome.err, "formula:e=if(isfinite(source),source,0)"));
      CHECK(filesIn(folder.path()) == std::vector<std::string>{"in.nrrd"});
    }
    for (const Arguments& transform : {Arguments{"dwt", "forward"}, {"dwt", "inverse"}, {"magic", "forward"}}) {
      const Outcome outcome = run(joined(transform, {in, "-o", out}));
      REQUIRE(outcome.status == 0);
      const Volume result = readVolume(out);
      int count = 0;
      for (std::int64_t z = 0; z < 16; ++z)
        for (std::int64_t y = 0; y < 16; ++y)
          for (std::int64_t x = 0; x < 16; ++x) count += std::isfinite(result.value(x, y, z)) ? 0 : 1;
      CHECK(count > 1);
      CHECK(contains(outcome.err, std::to_string(count) + " values of the result are NaN or infinite"));
      std::filesystem::remove(out);
    }
  }
  // What the remedy says.
  CHECK(
      run({"filter", in, "-o", folder / "clean.nrrd", "--filter", "formula:e=if(isfinite(source),source,0)"}).status ==
      0);
  requireSuccess({"dwt", "denoise", folder / "clean.nrrd", "-o", out});
}

TEST_CASE("magic filters periodically, and the inverse is its adjoint") {
  const TemporaryFolder folder;
  const std::string in = folder / "in.nrrd", out = folder / "out.nrrd", back = folder / "back.nrrd";
  Volume impulse({20, 1, 1, 1}, ElementType::f32);
  for (float& value : impulse.elements<float>()) value = 0;
  impulse.elements<float>()[3] = 1;
  writeNrrd(in, impulse);
  for (const int order : {8, 3}) {
    const std::vector<double> taps = magicTaps(order);
    requireSuccess({"magic", "forward", in, "-o", out, "--order", std::to_string(order)});
    const Volume result = readVolume(out);
    REQUIRE(result.type() == ElementType::f64);
    requireSuccess({"magic", "inverse", in, "-o", back, "--order", std::to_string(order), "--engine", "cpu:scalar"});
    const Volume adjoint = readVolume(back);
    for (int x = 0; x < 20; ++x) {
      const auto tapAt = [&](int j) {
        const int wrapped = ((j + order) % 20 + 20) % 20;
        return wrapped < 2 * order ? taps[static_cast<std::size_t>(wrapped)] : 0.0;
      };
      CHECK(result.value(x, 0, 0) == Approx(tapAt(3 - x)).margin(1e-14));
      CHECK(adjoint.value(x, 0, 0) == Approx(tapAt(x - 3)).margin(1e-14));
    }
  }
}

TEST_CASE("what a transform cannot do is told before it computes, and nothing is left") {
  const TemporaryFolder folder;
  writeNrrd(folder / "in.nrrd", randomVolume({8, 8, 8, 1}, ElementType::f32, 5));
  for (const Arguments& arguments : {Arguments{"dwt", "forward", folder / "none.nrrd", "-o", folder / "o.nrrd"},
                                     {"dwt", "forward", folder / "in.nrrd", "-o", folder / "no" / "o.nrrd"},
                                     {"magic", "forward", folder / "in.nrrd", "-o", folder / "o.xyz"}}) {
    const Outcome outcome = run(arguments);
    CHECK(outcome.status == 1);
    CHECK(lineCount(outcome.err) == 1);
    CHECK(outcome.err.rfind("error: ", 0) == 0);
  }
  CHECK(filesIn(folder.path()) == std::vector<std::string>{"in.nrrd"});
}

TEST_CASE("Ctrl-C stops a transform and leaves no file") {
  const TemporaryFolder folder;
  writeNrrd(folder / "in.nrrd", randomVolume({256, 256, 200, 1}, ElementType::f32, 1));
  Running running({"dwt", "forward", folder / "in.nrrd", "-o", folder / "out.nrrd", "--engine", "cpu:scalar",
                   "--variant", "simple", "--wavelet", "sym10", "--levels", "3", "--threads", "1"});
  running.waitUntilBusy();
  running.signal(SIGINT);
  const Outcome outcome = running.finish();
  CHECK(outcome.status == 128 + SIGINT);
  CHECK(outcome.err == "error: canceled\n");
  CHECK(filesIn(folder.path()) == std::vector<std::string>{"in.nrrd"});
}
