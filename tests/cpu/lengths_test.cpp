// Filters whose scales are lengths give the same on oblong voxels as on cubes.

#include <cmath>

#include "core/filter/families/data_shares.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/filter_job.h"
#include "tests/support/catch.h"
#include "tests/support/cpu_machine.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

constexpr double kEnd = 24;  // millimeters from the middle to the end

// A tube along one axis and a ball beside it, of millimeters, with a voxel at the middle.
Volume phantom(const std::array<double, 3>& step, std::size_t along) {
  std::array<std::int64_t, 3> extent{};
  for (std::size_t a = 0; a < 3; ++a) extent[a] = 2 * static_cast<std::int64_t>(kEnd / step[a]) + 1;
  Geometry geometry;
  geometry.spacing = step;
  Volume volume({extent[0], extent[1], extent[2], 1}, ElementType::f32, geometry);
  std::size_t i = 0;
  for (std::int64_t z = 0; z < extent[2]; ++z)
    for (std::int64_t y = 0; y < extent[1]; ++y)
      for (std::int64_t x = 0; x < extent[0]; ++x, ++i) {
        const std::array<double, 3> at{static_cast<double>(x) * step[0] - kEnd, static_cast<double>(y) * step[1] - kEnd,
                                       static_cast<double>(z) * step[2] - kEnd};
        double tube = 0, ball = 0;
        for (std::size_t a = 0; a < 3; ++a) {
          if (a != along) tube += at[a] * at[a];
          ball += (at[a] - 8) * (at[a] - 8);
        }
        volume.elements<float>()[i] =
            static_cast<float>(100 * std::exp(-tube / (2 * 16)) + 50 * std::exp(-ball / (2 * 25)));
      }
  return volume;
}

// Values on a grid of 4 mm about the middle.
std::vector<double> valuesOf(const test::CpuMachine& machine, const std::string& spec, const Volume& data) {
  FilterJob job;
  job.bank.filters = {parseFilterSpec(spec)};
  job.engine = machine.engines.preferred().info().id;
  const FilterResult result = runFilter(machine.engines, machine.variants, job, data, {});
  const auto& step = data.geometry().spacing;
  std::vector<double> values;
  constexpr double kReach = 8, kStep = 4;
  for (double z = -kReach; z <= kReach; z += kStep)
    for (double y = -kReach; y <= kReach; y += kStep)
      for (double x = -kReach; x <= kReach; x += kStep) {
        const auto index = [&](double at, std::size_t a) {
          return static_cast<std::int64_t>(std::lround((at + kEnd) / step[a]));
        };
        values.push_back(result.outputs[0].value(index(x, 0), index(y, 1), index(z, 2)));
      }
  return values;
}

}  // namespace

TEST_CASE("filters in lengths are the same on oblong voxels as on cubes") {
  const test::CpuMachine machine;
  const std::array<double, 3> cubes{1, 1, 1};
  for (const char* spec :
       {"gaussian:sigma=3mm", "dog:sigma=3mm", "sharpen:sigma=3mm", "log:sigma=3mm", "log:sigma=3mm,per=mm",
        "gradient:sigma=3mm", "gradient:sigma=3mm,per=mm", "hessian:sigma=3mm", "hessian:sigma=3mm,eigenvalue=3",
        "hessian:sigma=3mm,normalize=true", "hessian:sigma=3mm,per=mm,eigenvalue=2", "frangi:sigma=3mm,c=15",
        "sato:sigma=3mm", "frangi:sigma=3mm,to=4.5mm,scales=2,c=15", "structure:sigma=3mm,rho=3mm,value=1",
        "structure:sigma=3mm,rho=3mm,value=3", "structure:sigma=3mm,rho=3mm,value=coherence",
        "bilateral:sigma=2mm,range=1000", "coherence:sigma=2mm,rho=3mm,steps=1,contrast=1"})
    for (std::size_t along = 0; along < 3; ++along) {
      const std::vector<double> wanted = valuesOf(machine, spec, phantom(cubes, along));
      double largest = 0;
      for (const double value : wanted) largest = std::max(largest, std::abs(value));
      for (const auto& step : {std::array<double, 3>{1, 1, 2}, std::array<double, 3>{2, 1, 0.5}}) {
        const std::vector<double> got = valuesOf(machine, spec, phantom(step, along));
        double worst = 0;
        for (std::size_t i = 0; i < wanted.size(); ++i) worst = std::max(worst, std::abs(got[i] - wanted[i]));
        INFO(spec << " along " << along << ", " << step[0] << " x " << step[1] << " x " << step[2] << " mm: " << worst
                  << " of " << largest);
        // Sums over voxels of 2 mm stand for integrals over sigmas of 2 and 3.
        CHECK(worst <= 0.03 * largest);
      }
    }
}

TEST_CASE("lengths are refused along an axis whose step nobody gave") {
  const test::CpuMachine machine;
  Volume data = phantom({4, 4, 4}, 0);
  Geometry geometry = data.geometry();
  geometry.steps[2] = StepSource::Assumed;
  data.setGeometry(geometry);
  const auto refusal = [&](const std::string& spec) -> std::string {
    try {
      static_cast<void>(valuesOf(machine, spec, data));
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  CHECK(refusal("gaussian:sigma=1mm").find("along z; give it with --spacing") != std::string::npos);
  CHECK(refusal("gradient:sigma=1,per=mm").find("--spacing") != std::string::npos);
  CHECK(refusal("tv:voxels=spacing").find("voxels=cubes") != std::string::npos);
  CHECK(refusal("gaussian:sigma=1").empty());
}

TEST_CASE("a new row takes options in units of the data from the data") {
  const auto taken = [](const std::string& spec, const DataScale& scale) {
    FilterRecipe recipe = parseFilterSpec(spec);
    static_cast<void>(takeFromData(recipe, scale));
    return recipe.parameters;
  };
  const DataScale unit{.noise = 0, .range = 1, .low = -0.5};
  CHECK(std::get<double>(taken("bilateral", unit).at("range")) == 0.0784);
  CHECK(std::get<double>(taken("bilateral", {.noise = 0.01, .range = 1}).at("range")) == 0.02);
  CHECK(std::get<double>(taken("bilateral:range=3", unit).at("range")) == 3);
  CHECK(std::get<double>(taken("entropy", unit).at("low")) == -0.5);
  CHECK(std::get<double>(taken("entropy", unit).at("high")) == 0.5);
  CHECK(taken("entropy", {}).empty());  // constant data
  CHECK_FALSE(takesFromData(parseFilterSpec("gaussian")));
  // What the shares name is there, and their defaults are those of bytes.
  for (const FilterFamily& family : filterFamilies())
    for (const DataShare& share : family.shares) {
      const Option* option = findOption(family.options, share.option);
      REQUIRE(option != nullptr);
      const double bytes = *suggestion(share, *option, {.noise = 0, .range = 255, .low = 0});
      INFO(family.name << " " << share.option);
      CHECK(std::abs(bytes - std::get<double>(option->fallback)) <= 1);
    }
}

TEST_CASE("edges lie across the slope in lengths, and are as steep on oblong pixels as on squares") {
  const test::CpuMachine machine;
  constexpr double kHeight = 100, kWidth = 3, kAngle = 0.6;  // of a smooth step, in millimeters; radians from x
  const auto edges = [&](const std::array<double, 3>& step) {
    Geometry geometry;
    geometry.spacing = step;
    const auto nx = static_cast<std::int64_t>(64 / step[0]), ny = static_cast<std::int64_t>(64 / step[1]);
    Volume volume({nx, ny, 1, 1}, ElementType::f32, geometry);
    for (std::int64_t y = 0; y < ny; ++y)
      for (std::int64_t x = 0; x < nx; ++x) {
        const double along = (static_cast<double>(x) * step[0] - 32) * std::cos(kAngle) +
                             (static_cast<double>(y) * step[1] - 32) * std::sin(kAngle);
        volume.elements<float>()[static_cast<std::size_t>(y * nx + x)] =
            static_cast<float>(kHeight * std::tanh(along / kWidth));
      }
    FilterJob job;
    job.bank.filters = {parseFilterSpec("edges:sigma=2mm,threshold=5")};
    job.engine = machine.engines.preferred().info().id;
    const FilterResult result = runFilter(machine.engines, machine.variants, job, volume, {});
    // The steepest pixel of each row that the edge crosses, and how many there are in a row.
    double sum = 0, rows = 0, count = 0;
    for (std::int64_t y = ny / 4; y < 3 * ny / 4; ++y) {
      double largest = 0;
      for (std::int64_t x = 0; x < nx; ++x) {
        largest = std::max(largest, result.outputs[0].value(x, y, 0));
        count += result.outputs[0].value(x, y, 0) > 0 ? 1 : 0;
      }
      sum += largest;
      ++rows;
    }
    return std::array<double, 2>{sum / rows, count / rows};
  };
  const auto wanted = edges({1, 1, 1});
  CHECK(wanted[0] > 10);
  for (const auto& step : {std::array<double, 3>{1, 2, 1}, std::array<double, 3>{2, 1, 1}}) {
    const auto got = edges(step);
    CHECK(got[0] == Approx(wanted[0]).epsilon(0.05));
    CHECK(got[1] < 2.5);
  }
}
