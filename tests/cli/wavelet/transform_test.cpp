// sscope dwt and sscope magic.

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/wavelet/magic_taps.h"
#include "tests/cli/program.h"
#include "tests/cli/wavelet/noisy_waves.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::test;
using nlohmann::json;

namespace {

void silently(const Scene& scene, const std::string& line) { CHECK(scene.ok(line).err.empty()); }

}  // namespace

TEST_CASE("dwt forward and inverse bring a file back, with its geometry") {
  Volume volume = randomVolume({21, 14, 9, 1}, ElementType::f32, 5);
  volume.setGeometry({{0.5, 1.25, 3}, {-10, 20.5, 7}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, "mm"});
  const Scene scene(volume);
  for (const std::string wavelet : {"haar", "db3", "sym10"}) {
    const std::string how = " --levels 2 --wavelet " + wavelet;
    silently(scene, "dwt forward in.nrrd -o there.nrrd" + how);
    CHECK(scene.volume("there.nrrd").shape() == VolumeShape{24, 16, 12, 1});
    silently(scene, "dwt inverse there.nrrd -o back.nrrd --size 21,14,9" + how);
    const Volume result = scene.volume("back.nrrd");
    CHECK(largestDifference(result, volume) < 1e-5);
    CHECK(result.geometry().spacing[1] == Approx(1.25));
    CHECK(result.geometry().origin[0] == Approx(-10));
    // The file of the coefficients keeps the extents, and the result no longer.
    silently(scene, "dwt inverse there.nrrd -o back.nrrd" + how);
    CHECK(scene.volume("back.nrrd").shape() == volume.shape());
    CHECK_FALSE(contains(scene.text("back.nrrd").substr(0, 1000), "stencilscope.extents"));
  }
  CHECK(scene.files() == std::vector<std::string>{"back.nrrd", "in.nrrd", "there.nrrd"});
}

TEST_CASE("dwt takes colors and integers, and every variant agrees") {
  const Scene scene(randomVolume({32, 20, 1, 1}, ElementType::u8, 5));
  silently(scene, "filter in.nrrd -o both.nrrd --filter box:size=1 --filter box:name=other --output-type same");
  const Volume volume = scene.volume("both.nrrd");
  REQUIRE(volume.shape().components == 2);
  silently(scene, "dwt forward both.nrrd -o there.nrrd --levels 2 --variant simple --engine cpu:scalar");
  CHECK(scene.volume("there.nrrd").type() == ElementType::f32);
  silently(scene, "dwt inverse there.nrrd -o back.nrrd --levels 2 --variant tuned");
  CHECK(largestDifference(scene.volume("back.nrrd"), volume) < 1e-3);
}

TEST_CASE("dwt reports its bands") {
  const Scene scene(randomVolume({16, 16, 8, 1}, ElementType::f32, 5));
  const json report = scene.report("dwt forward in.nrrd -o out.nrrd --levels 2");
  CHECK(report.at("schema") == "stencilscope.dwt/1");
  CHECK(report.at("wavelet") == "sym8");
  CHECK(report.at("bands").size() == 15);
  double share = 0;
  for (const json& band : report.at("bands")) share += band.at("share").get<double>();
  CHECK(share == Approx(1));
  CHECK(report.at("flops").get<double>() > 0);
}

TEST_CASE("transforms are compared with the reference where that is asked for") {
  const Scene scene(randomVolume({16, 24, 8, 1}, ElementType::f32, 5));
  for (const std::string line :
       {"dwt forward in.nrrd -o there.nrrd --levels 2", "dwt inverse there.nrrd -o out.nrrd --levels 2",
        "dwt denoise in.nrrd -o out.nrrd --engine cpu:scalar", "magic forward in.nrrd -o out.nrrd",
        "magic inverse in.nrrd -o out.nrrd --variant simple --engine cpu:scalar"}) {
    CAPTURE(line);
    const json verification = scene.report(line + " --verify").at("verification");
    CHECK(verification.at("verified") == true);
    CHECK(verification.at("rel_l2").get<double>() < 1e-6);
    const int transforms = contains(line, "denoise") ? 2 : 1;  // there and back
    CHECK(verification.at("compared") == transforms * 16 * 24 * 8);
    CHECK(verification.at("coverage") == "full volume");
    CHECK_FALSE(scene.report(line).contains("verification"));
  }
}

TEST_CASE("dwt denoise removes noise and keeps the picture") {
  const NoisyWaves data;
  const Scene scene(data.noisy);
  const double before = distance(data.clean, data.noisy);
  json report;
  const auto left = [&](const std::string& more) {
    report = scene.report("dwt denoise in.nrrd -o out.nrrd " + more);
    REQUIRE(scene.volume().shape() == data.clean.shape());
    return distance(data.clean, scene.volume());
  };
  for (const std::string mode : {"soft", "hard"}) {
    CHECK(left("--levels 3 --threshold auto --mode " + mode) < 0.7 * before);
    CHECK(report.at("sigma").get<double>() == Approx(5).epsilon(0.1));
    CHECK(report.at("zero_share").get<double>() > 0.75);
  }
  left("--threshold 0");
  CHECK(largestDifference(scene.volume(), data.noisy) < 1e-3);
  // The default, which is better still with shifts.
  const double plain = left("");
  CHECK(plain < 0.7 * before);
  CHECK(report.at("rule") == "sure");
  CHECK(report.at("levels") == 3);
  CHECK(report.at("threshold").is_null());
  CHECK(report.at("thresholds").size() == 9);
  CHECK(left("--shifts 1") < plain);
  // Every rule finds thresholds of its own, and --sigma scales them.
  for (const std::string rule : {"sure", "bayes", "visu"}) {
    INFO(rule);
    CHECK(left("--sigma 5 --rule " + rule) < (rule == "visu" ? 0.9 : 0.7) * before);  // visu smooths more
    CHECK(report.at("rule") == rule);
    CHECK(report.at("sigma") == 5);
    REQUIRE(report.at("thresholds").size() == 9);  // three bands a level
    for (const json& band : report.at("thresholds")) CHECK(band.at("threshold").get<double>() > 0);
    if (rule == "visu")
      CHECK(report.at("threshold").get<double>() == Approx(5 * std::sqrt(2 * std::log(96.0 * 80.0))).epsilon(1e-12));
    left("--sigma 0 --rule " + rule);
    for (const json& band : report.at("thresholds")) CHECK(band.at("threshold") == 0);
    CHECK(distance(scene.volume(), data.noisy) < 1e-3);  // no noise, nothing taken
  }
  left("--levels 2 --threshold 7.5");
  CHECK(report.at("rule").is_null());
  CHECK(report.at("threshold") == 7.5);
  scene.refuse(2, {{"dwt denoise in.nrrd -o out.nrrd --threshold 1 --rule visu", "--rule"},
                   {"dwt forward in.nrrd -o out.nrrd --shifts 1", "--shifts"},
                   {"dwt denoise in.nrrd -o out.nrrd --sigma -1", "--sigma"},
                   {"dwt denoise in.nrrd -o out.nrrd --rule best", "--rule"},
                   {"dwt denoise in.nrrd -o out.nrrd --shifts 64", "--shifts"},
                   {"dwt inverse in.nrrd -o out.nrrd --sigma 1", "--sigma"}});
}

TEST_CASE("denoising refuses values that are not finite, and transforms count the ones they become") {
  Volume data = randomVolume({16, 16, 16, 1}, ElementType::f32, 1);
  const Scene scene(data);
  for (const float bad : {NAN, INFINITY}) {
    data.elements<float>()[1000] = bad;
    scene.write("in.nrrd", data);
    for (const std::string more : {"", " --threshold 1", " --shifts 1"})
      for (const char* part : {"NaN or infinite", "formula:e=if(isfinite(source),source,0)"}) {
        const Outcome outcome = scene.run("dwt denoise in.nrrd -o out.nrrd" + more);
        CHECK(outcome.status == 1);
        CHECK(contains(outcome.err, part));
        CHECK_FALSE(scene.has("out.nrrd"));
      }
    for (const std::string transform : {"dwt forward", "dwt inverse", "magic forward"}) {
      const std::string err = scene.ok(transform + " in.nrrd -o out.nrrd").err;
      const Volume result = scene.volume();
      int count = 0;
      for (std::int64_t i = 0; i < 16 * 16 * 16; ++i)
        count += std::isfinite(result.value(i % 16, i / 16 % 16, i / 256)) ? 0 : 1;
      CHECK(count > 1);
      CHECK(contains(err, std::to_string(count) + " values of the result are NaN or infinite"));
      std::filesystem::remove(scene.path("out.nrrd"));
    }
  }
  // The remedy.
  scene.ok("filter in.nrrd -o clean.nrrd --filter formula:e=if(isfinite(source),source,0)");
  silently(scene, "dwt denoise clean.nrrd -o out.nrrd");
}

TEST_CASE("magic filters periodically, and the inverse is its adjoint") {
  Volume impulse({20, 1, 1, 1}, ElementType::f32);
  std::ranges::fill(impulse.elements<float>(), 0.0F);
  impulse.elements<float>()[3] = 1;
  const Scene scene(impulse);
  for (const int order : {8, 3}) {
    const std::vector<double> taps = magicTaps(order);
    silently(scene, "magic forward in.nrrd -o out.nrrd --order " + std::to_string(order));
    silently(scene, "magic inverse in.nrrd -o back.nrrd --engine cpu:scalar --order " + std::to_string(order));
    const Volume result = scene.volume(), adjoint = scene.volume("back.nrrd");
    REQUIRE(result.type() == ElementType::f64);
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

TEST_CASE("a transform that is refused or stopped by Ctrl-C leaves no file") {
  const Scene scene(randomVolume({256, 256, 200, 1}, ElementType::f32, 1));
  scene.refuse(1, {{"dwt forward none.nrrd -o o.nrrd", "none.nrrd"},
                   {"dwt forward in.nrrd -o no/o.nrrd", "no"},
                   {"magic forward in.nrrd -o o.xyz", "o.xyz"}});
  Running running = scene.start(
      "dwt forward in.nrrd -o out.nrrd --engine cpu:scalar --variant simple --wavelet sym10 "
      "--levels 3 --threads 1");
  expectCanceled(running);
  CHECK(scene.files() == std::vector<std::string>{"in.nrrd"});
}
