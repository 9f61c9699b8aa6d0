// What the families that are programs, and the linear ones, are defined by.
#include <cmath>
#include <numbers>

#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/filter/families/family.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/program/program_workload.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

constexpr double kPi = std::numbers::pi;

template <class Function>
Volume sampled(const VolumeShape& shape, Function&& function) {
  return test::filledVolume(shape, ElementType::f64, [&](auto x, auto y, auto z, int) {
    return function(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
  });
}

// What the reference gives for a bank of one row.
Volume filtered(const std::string& spec, const Volume& data, Boundary boundary = Boundary::nearest) {
  const FilterBank bank{{parseFilterSpec(spec)}, boundary, 0, {}};
  const auto workload = bankWorkload(bank, data.spec(), data.geometry(), false);
  const ConstArrayView in = data.view();
  Volume result(data.shape(), ElementType::f64);
  workload->reference({&in, 1}, 0, {{0, 0, 0}, {data.shape().nx, data.shape().ny, data.shape().nz}},
                      result.elements<double>(), {});
  return result;
}

double centerOf(const Volume& volume) {
  return volume.value(volume.shape().nx / 2, volume.shape().ny / 2, volume.shape().nz / 2);
}

double largestDifference(const Volume& a, const Volume& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.elements<double>().size(); ++i)
    largest = std::max(largest, std::abs(a.elements<double>()[i] - b.elements<double>()[i]));
  return largest;
}

// Whether no element of `low` is above that of `high`.
bool below(const Volume& low, const Volume& high) {
  for (std::size_t i = 0; i < low.elements<double>().size(); ++i)
    if (low.elements<double>()[i] > high.elements<double>()[i]) return false;
  return true;
}

double totalVariation(const Volume& image) {
  double sum = 0;
  for (std::int64_t y = 0; y + 1 < image.shape().ny; ++y)
    for (std::int64_t x = 0; x + 1 < image.shape().nx; ++x)
      sum +=
          std::hypot(image.value(x + 1, y, 0) - image.value(x, y, 0), image.value(x, y + 1, 0) - image.value(x, y, 0));
  return sum;
}

// Around 30000 with deviations of about a hundred.
Volume offsetNoise(const VolumeShape& shape) {
  const Volume noise = test::randomVolume(shape, ElementType::f64, 4);
  Volume data(shape, ElementType::f64);
  for (std::size_t i = 0; i < data.elements<double>().size(); ++i)
    data.elements<double>()[i] = 30000 + std::round(170 * noise.elements<double>()[i]);
  return data;
}

}  // namespace

TEST_CASE("the gradient of a ramp is its slope", "[families][unit]") {
  const Volume ramp = sampled({17, 17, 17, 1}, [](double x, double y, double z) { return 3 * x - 4 * y + 12 * z; });
  CHECK(centerOf(filtered("gradient:sigma=1", ramp)) == Approx(13));
  CHECK(centerOf(filtered("direction:sigma=1", ramp)) == Approx(std::atan2(-4, 3) * 180 / kPi));
  CHECK(centerOf(filtered("direction:sigma=1,plane=yz", ramp)) == Approx(std::atan2(12, -4) * 180 / kPi));
}

TEST_CASE("hessian eigenvalues of a quadratic form are twice its own", "[families][unit]") {
  // 2 x^2 + 2 x y + 2 y^2 - 5 z^2: the hessian ((4, 2), (2, 4)) has 2 and 6.
  const Volume form = sampled(
      {17, 17, 17, 1}, [](double x, double y, double z) { return 2 * x * x + 2 * x * y + 2 * y * y - 5 * z * z; });
  CHECK(centerOf(filtered("hessian:sigma=1,eigenvalue=1", form)) == Approx(-10));
  CHECK(centerOf(filtered("hessian:sigma=1,eigenvalue=2", form)) == Approx(2));
  CHECK(centerOf(filtered("hessian:sigma=1,eigenvalue=3", form)) == Approx(6));
  CHECK(centerOf(filtered("hessian:sigma=1.5,eigenvalue=3,normalize=true", form)) == Approx(6 * 2.25));
}

TEST_CASE("vesselness prefers tubes to plates and blobs", "[families][unit]") {
  const auto bump = [](double square) { return 100 * std::exp(-square / 8); };
  const auto at = [](double v) { return (v - 10) * (v - 10); };
  const VolumeShape shape{21, 21, 21, 1};
  const Volume tube = sampled(shape, [&](double x, double y, double) { return bump(at(x) + at(y)); });
  const Volume plate = sampled(shape, [&](double x, double, double) { return bump(at(x)); });
  const Volume blob = sampled(shape, [&](double x, double y, double z) { return bump(at(x) + at(y) + at(z)); });
  for (const char* spec : {"frangi:sigma=2,c=5", "sato:sigma=2"}) {
    INFO(spec);
    const double onTube = centerOf(filtered(spec, tube));
    CHECK(onTube > 0.5);
    CHECK(centerOf(filtered(spec, plate)) < 0.1 * onTube);
  }
  CHECK(centerOf(filtered("frangi:sigma=2,c=5", blob)) < 0.5 * centerOf(filtered("frangi:sigma=2,c=5", tube)));
  CHECK(centerOf(filtered("frangi:sigma=2,c=5,polarity=dark", tube)) == 0);
  CHECK(centerOf(filtered("sato:sigma=2,polarity=dark", tube)) == Approx(0).margin(1e-9));
}

TEST_CASE("vesselness of scaled data is the same with c scaled", "[families][unit]") {
  const auto tube = [](double height) {
    return sampled({21, 21, 21, 1}, [&](double x, double y, double) {
      return height * std::exp(-((x - 10) * (x - 10) + (y - 10) * (y - 10)) / 8);
    });
  };
  const double expected = centerOf(filtered("frangi:sigma=2,c=16", tube(128)));
  CHECK(expected > 0.5);
  CHECK(centerOf(filtered("frangi:sigma=2,c=0.125", tube(1))) == Approx(expected));
  CHECK(centerOf(filtered("frangi:sigma=2,c=1.25e-21", tube(1e-20))) == Approx(expected));
  CHECK(centerOf(filtered("frangi:sigma=2,c=1.25e29", tube(1e30))) == Approx(expected));
}

TEST_CASE("openings lie below the data and closings above", "[families][unit]") {
  const Volume data = test::randomVolume({13, 11, 7, 1}, ElementType::f64, 2);
  for (const Boundary boundary : {Boundary::nearest, Boundary::reflect})
    for (const char* shape : {"box", "ball", "cross"}) {
      const auto run = [&](const std::string& family, const Volume& of) {
        return filtered(family + ":size=3,shape=" + shape, of, boundary);
      };
      INFO(shape << " " << toString(boundary));
      const Volume opening = run("opening", data), closing = run("closing", data);
      CHECK(below(opening, data));
      CHECK(below(data, closing));
      CHECK(below(run("erosion", data), opening));
      CHECK(below(closing, run("dilation", data)));
      CHECK(largestDifference(run("opening", opening), opening) == 0);
      CHECK(largestDifference(run("closing", closing), closing) == 0);
      const Volume zero = sampled(data.shape(), [](double, double, double) { return 0.0; });
      for (const char* rest : {"tophat", "blackhat", "morphgradient"}) CHECK(below(zero, run(rest, data)));
    }
}

TEST_CASE("a plane wave is coherent and noise is less so", "[families][unit]") {
  const Volume wave =
      sampled({21, 21, 21, 1}, [](double x, double y, double z) { return std::sin(0.5 * x + 0.3 * y - 0.2 * z); });
  CHECK(centerOf(filtered("structure:value=coherence", wave)) == Approx(1).epsilon(1e-6));
  CHECK(centerOf(filtered("structure:value=1", wave)) == Approx(0).margin(1e-9));
  // Across the wave, in each plane.
  for (const auto& [plane, up, along] : {std::tuple{"xy", 0.3, 0.5}, {"xz", -0.2, 0.5}, {"yz", -0.2, 0.3}}) {
    INFO(plane);
    CHECK(centerOf(filtered("structure:value=orientation,plane=" + std::string(plane), wave)) ==
          Approx(std::atan2(up, along) * 180 / kPi).margin(2));
  }
  CHECK_THROWS_WITH(makePart(parseFilterSpec("structure:value=orientation,plane=xz"), {2, {1, 1, 1}}),
                    ContainsSubstring("needs a volume"));
  const Volume noise = test::randomVolume({21, 21, 21, 1}, ElementType::f64, 3);
  CHECK(centerOf(filtered("structure:value=coherence", noise)) < 0.9);
}

TEST_CASE("edges of a step are one voxel wide", "[families][unit]") {
  // Not between two voxels, where both slopes would be the largest.
  const Volume step = sampled({25, 9, 1, 1}, [](double x, double, double) {
    return x < 12 ? 0.0 : x < 13 ? 40.0 : 100.0;
  });
  const Volume edges = filtered("edges:sigma=1", step);
  for (std::int64_t y = 0; y < 9; ++y) {
    int found = 0;
    for (std::int64_t x = 0; x < 25; ++x) found += edges.value(x, y, 0) > 0.1 ? 1 : 0;
    CHECK(found == 1);
  }
  CHECK(edges.value(12, 4, 0) > 10);
  CHECK(centerOf(filtered("edges:sigma=1,threshold=90", step)) == 0);
}

TEST_CASE("local statistics are those of their windows", "[families][unit]") {
  const Volume data = offsetNoise({11, 9, 8, 1});
  double sum = 0, squares = 0;
  const std::int64_t cx = 5, cy = 4, cz = 4;
  for (std::int64_t z = -2; z <= 2; ++z)
    for (std::int64_t y = -2; y <= 2; ++y)
      for (std::int64_t x = -2; x <= 2; ++x) sum += data.value(cx + x, cy + y, cz + z);
  const double mean = sum / 125;
  for (std::int64_t z = -2; z <= 2; ++z)
    for (std::int64_t y = -2; y <= 2; ++y)
      for (std::int64_t x = -2; x <= 2; ++x) squares += std::pow(data.value(cx + x, cy + y, cz + z) - mean, 2);
  const double variance = squares / 125;
  CHECK(centerOf(filtered("localmean:radius=2,shape=box", data)) == Approx(mean));
  CHECK(centerOf(filtered("variance:radius=2", data)) == Approx(variance).epsilon(1e-9));
  CHECK(centerOf(filtered("stddev:radius=2", data)) == Approx(std::sqrt(variance)).epsilon(1e-9));
  CHECK(centerOf(filtered("normalize:radius=2,epsilon=3", data)) ==
        Approx((data.value(cx, cy, cz) - mean) / (std::sqrt(variance) + 3)).epsilon(1e-9));
  // Without the cancellation of moments: 3e4^2 has no digits to lose.
  Volume moved(data.shape(), ElementType::f64);
  for (std::size_t i = 0; i < moved.elements<double>().size(); ++i)
    moved.elements<double>()[i] = data.elements<double>()[i] + 1e9;
  CHECK(largestDifference(filtered("variance:radius=2", moved), filtered("variance:radius=2", data)) < 1e-3);
}

TEST_CASE("a ball counts the voxels within its radius", "[families][unit]") {
  CHECK(makeStencil(parseFilterSpec("localmean:radius=2,shape=ball"), {}).dense.at(2, 2, 2) == Approx(1.0 / 33));
  const Stencil disk = makeStencil(parseFilterSpec("localmean:radius=2"), {2, {1, 1, 1}});
  CHECK(disk.absoluteSum() == Approx(1));
  CHECK(disk.expanded().at(0, 0, 0) == 0);
  // In millimeters, on voxels that are longer along z.
  CHECK(makeStencil(parseFilterSpec("localmean:radius=2mm"), {3, {1, 1, 2}}).size() ==
        std::array<std::int64_t, 3>{5, 5, 3});
  CHECK_THROWS_WITH(makePart(parseFilterSpec("variance:radius=1mm"), {3, {4, 4, 4}}),
                    ContainsSubstring("less than a voxel"));
}

TEST_CASE("the guided filter keeps edges and smooths between them", "[families][unit]") {
  const Volume noise = test::randomVolume({24, 24, 1, 1}, ElementType::f64, 5);
  std::size_t i = 0;
  const Volume data = sampled(
      noise.shape(), [&](double x, double, double) { return (x < 12 ? 0 : 1000) + 3 * noise.elements<double>()[i++]; });
  const Volume smooth = filtered("guided:radius=3,contrast=50", data);
  CHECK(smooth.value(12, 12, 0) - smooth.value(11, 12, 0) > 970);
  constexpr double kStep = 23 * 1000;  // of which none is to go
  CHECK(totalVariation(smooth) - kStep < 0.2 * (totalVariation(data) - kStep));
  // A guide that is flat makes it a mean of means; one that decides nothing.
  FilterBank bank;
  bank.filters = {parseFilterSpec("box:size=1,name=guide,intermediate=true"),
                  parseFilterSpec("guided:radius=3,contrast=50,inputs=source;guide")};
  const auto workload = bankWorkload(bank, data.spec(), data.geometry(), false);
  const ConstArrayView in = data.view();
  Volume result(data.shape(), ElementType::f64);
  workload->reference({&in, 1}, 0, {{0, 0, 0}, {24, 24, 1}}, result.elements<double>(), {});
  CHECK(largestDifference(result, smooth) < 1e-6);
}

TEST_CASE("linear families with a direction follow it", "[families][unit]") {
  const Volume ramp = sampled({17, 17, 17, 1}, [](double x, double y, double z) { return 3 * x - 4 * y + 12 * z; });
  CHECK(centerOf(filtered("emboss:keep=0,azimuth=90,strength=2", ramp)) == Approx(-8));
  CHECK(centerOf(filtered("emboss:keep=0,elevation=90", ramp)) == Approx(12));
  CHECK(centerOf(filtered("emboss:keep=1,azimuth=0", ramp)) == Approx(centerOf(ramp) + 3));
  for (const char* spec :
       {"motion:length=7", "motion:length=9,azimuth=30,elevation=40", "motion:length=6.3,azimuth=90"}) {
    INFO(spec);
    const Stencil blur = makeStencil(parseFilterSpec(spec), {});
    CHECK(blur.absoluteSum() == Approx(1));
    CHECK(centerOf(filtered(spec, ramp)) == Approx(centerOf(ramp)));
  }
  CHECK(makeStencil(parseFilterSpec("motion:length=7"), {}).size() == std::array<std::int64_t, 3>{9, 1, 1});
  const auto wave = [](double angle) {
    return sampled({33, 33, 1, 1}, [angle](double x, double y, double) {
      return std::cos(2 * kPi / 5 * ((x - 16) * std::cos(angle) + (y - 16) * std::sin(angle)));
    });
  };
  const std::string gabor = "gabor:sigma=3,truncate=4,wavelength=5,azimuth=30";
  CHECK(centerOf(filtered(gabor, wave(kPi / 6))) == Approx(0.5).margin(0.01));
  CHECK(std::abs(centerOf(filtered(gabor, wave(kPi / 6 + kPi / 2)))) < 0.01);
  const Volume even = sampled({17, 17, 1, 1}, [](double, double, double) { return 7.0; });
  CHECK(centerOf(filtered("gabor:balanced=true", even)) == Approx(0).margin(1e-9));
  CHECK_THROWS_WITH(makePart(parseFilterSpec("gabor:sigma=60"), {}), ContainsSubstring("at most 300000 are possible"));
  CHECK_THROWS_WITH(makePart(parseFilterSpec("motion:elevation=3"), {2, {1, 1, 1}}), ContainsSubstring("elevation"));
}

TEST_CASE("derivatives are exact on polynomials of their order", "[families][unit]") {
  const VolumeShape shape{33, 9, 1, 1};
  const auto power = [&](int n) {
    return sampled(shape, [n](double x, double, double) { return std::pow(x - 16, n); });
  };
  for (int n = 0; n <= 4; ++n) {
    INFO(n);
    const std::string spec = "gaussian:sigma=1.3,order_x=" + std::to_string(n);
    CHECK(centerOf(filtered(spec, power(n))) == Approx(std::tgamma(n + 1)));
    for (int lower = 0; lower < n; ++lower) CHECK(centerOf(filtered(spec, power(lower))) == Approx(0).margin(1e-8));
  }
  CHECK_THROWS_WITH(makePart(parseFilterSpec("gaussian:sigma=0.3,order_x=3"), {}), ContainsSubstring("half a voxel"));
  // A family of its own before, whose defaults were others.
  const FilterRecipe former = parseFilterSpec("derivative:order_y=3");
  CHECK(former.name == "derivative");
  CHECK(formatFilterSpec(former) == "gaussian:order_x=1,order_y=3,sigma=1");
  const auto document = nlohmann::json::parse(R"({"type": "derivative", "params": {"order_y": 3}})");
  CHECK(recipeFromJson(document) == former);
  CHECK_NOTHROW(makePart(former, {}));
  CHECK(formatFilterSpec(parseFilterSpec("derivative")) == "gaussian:order_x=1,sigma=1");
  // A polynomial of the degree is given back, and so are its derivatives.
  const Volume cubic =
      sampled(shape, [](double x, double, double) { return 2 + 3 * (x - 16) - x * x + 0.5 * std::pow(x - 16, 3); });
  CHECK(centerOf(filtered("savgol:size=7,degree=3", cubic)) == Approx(centerOf(cubic)));
  CHECK(centerOf(filtered("savgol:size=7,degree=3,order_x=1", cubic)) == Approx(3 - 2 * 16));
  CHECK(centerOf(filtered("savgol:size=7,degree=3,order_x=3", cubic)) == Approx(3));
  // Of five values, by Savitzky and Golay.
  const auto taps = makeStencil(parseFilterSpec("savgol:size=5,degree=2"), {}).terms.front().axis[0].weights;
  const double published[]{-3, 12, 17, 12, -3};
  for (std::size_t i = 0; i < 5; ++i) CHECK(taps[i] == Approx(published[i] / 35));
  CHECK_THROWS_WITH(makePart(parseFilterSpec("savgol:size=3,degree=4"), {}), ContainsSubstring("does not follow"));
}

TEST_CASE("passes keep their frequencies and remove the others", "[families][unit]") {
  const auto wave = [](double frequency) {
    return sampled({129, 3, 1, 1},
                   [frequency](double x, double, double) { return std::cos(2 * kPi * frequency * (x - 64)); });
  };
  const auto gain = [&](const std::string& spec, double frequency) {
    return centerOf(filtered(spec, wave(frequency)));
  };
  CHECK(gain("lowpass:cutoff=0.2,radius=31", 0.1) == Approx(1).margin(0.01));
  CHECK(gain("lowpass:cutoff=0.2,radius=31", 0.2) == Approx(0.5).margin(0.02));
  CHECK(gain("lowpass:cutoff=0.2,radius=31", 0.3) == Approx(0).margin(0.01));
  CHECK(gain("highpass:cutoff=0.2,radius=31", 0.1) == Approx(0).margin(0.01));
  CHECK(gain("highpass:cutoff=0.2,radius=31", 0.3) == Approx(1).margin(0.01));
  CHECK(gain("bandpass:low=0.1,high=0.3,radius=31", 0.02) == Approx(0).margin(0.01));
  CHECK(gain("bandpass:low=0.1,high=0.3,radius=31", 0.2) == Approx(1).margin(0.01));
  CHECK(gain("bandpass:low=0.1,high=0.3,radius=31", 0.45) == Approx(0).margin(0.01));
  CHECK_THROWS_WITH(makePart(parseFilterSpec("bandpass:low=0.3,high=0.2"), {}), ContainsSubstring("is empty"));
  const Volume turned = filtered("hilbert:radius=31", wave(0.2));
  for (const std::int64_t x : {60, 64, 67})
    CHECK(turned.value(x, 1, 0) == Approx(std::sin(2 * kPi * 0.2 * static_cast<double>(x - 64))).margin(0.01));
}

TEST_CASE("iterated families smooth, keep the mean or the range, and keep edges", "[families][unit]") {
  const Volume noise = test::randomVolume({24, 24, 1, 1}, ElementType::f64, 6);
  std::size_t i = 0;
  const Volume data = sampled(
      noise.shape(), [&](double x, double, double) { return (x < 12 ? 0 : 1000) + 3 * noise.elements<double>()[i++]; });
  const auto sumOf = [](const Volume& volume) {
    double sum = 0;
    for (const double value : volume.elements<double>()) sum += value;
    return sum;
  };
  for (const char* conductance : {"exponential", "quadratic"}) {
    const Volume smooth =
        filtered("peronamalik:kappa=20,steps=20,timestep=0.2,conductance=" + std::string(conductance), data);
    CHECK(sumOf(smooth) == Approx(sumOf(data)).epsilon(1e-12));  // what flows out flows in
    CHECK(smooth.value(12, 12, 0) - smooth.value(11, 12, 0) > 900);
    CHECK(totalVariation(smooth) < totalVariation(data));
  }
  const Volume flat = filtered("tv:weight=10,steps=20", data);
  CHECK(sumOf(flat) == Approx(sumOf(data)).epsilon(1e-12));
  CHECK(totalVariation(flat) < 0.95 * totalVariation(data));
  CHECK(flat.value(12, 12, 0) - flat.value(11, 12, 0) > 900);
  CHECK(largestDifference(filtered("tv:weight=0.000001,steps=3", data), data) < 1e-4);
  CHECK_THROWS_WITH(makePart(parseFilterSpec("peronamalik:timestep=0.25"), {}), ContainsSubstring("not stable"));
}

TEST_CASE("total variation approaches the known minimum of a step", "[families][unit]") {
  // Of a step of height h between m and n equal values the least of |h'| + sum of squares / (2 weight) raises the one
  // side by weight / m and lowers the other by weight / n, until they meet.
  const Volume step = sampled({5, 1, 1, 1}, [](double x, double, double) { return x < 2 ? 0 : 6; });
  const Volume least = sampled({5, 1, 1, 1}, [](double x, double, double) { return x < 2 ? 0.5 : 6 - 1.0 / 3; });
  // Further steps lead closer.
  double before = largestDifference(step, least);
  for (const char* steps : {"2", "4", "8", "20"}) {
    const double off = largestDifference(filtered("tv:weight=1,steps=" + std::string(steps), step), least);
    CHECK(off < before);
    before = off;
  }
  CHECK(before < 0.05);
}

TEST_CASE("banks of the earlier total variation keep their strength", "[families][unit]") {
  const auto weightOf = [](const FilterRecipe& recipe) {
    CHECK_FALSE(recipe.parameters.contains("lambda"));
    CHECK_FALSE(recipe.parameters.contains("beta"));
    return std::get<double>(recipe.parameters.at("weight"));
  };
  CHECK(weightOf(parseFilterSpec("tv:lambda=0.05,beta=2,steps=7")) == 20);
  const auto row = [](const char* params) {
    return recipeFromJson(parseJson(R"({"type": "tv", "params": )" + std::string(params) + "}"));
  };
  CHECK(weightOf(row(R"({"lambda": 0.05, "beta": 2, "steps": 7})")) == 20);
  CHECK(weightOf(row(R"({"lambda": 0.05, "weight": 3})")) == 3);
  CHECK(weightOf(row(R"({"lambda": 1e9})")) == 1e-6);  // the least there is
  CHECK(row(R"({"beta": 2})").parameters.empty());
  CHECK_THROWS_WITH(row(R"({"lambda": "much"})"), ContainsSubstring("lambda"));
  CHECK_THROWS_WITH(parseFilterSpec("gaussian:lambda=1"), ContainsSubstring("no parameter lambda"));
}

TEST_CASE("curvature flow shrinks circles by their curvature", "[families][unit]") {
  // Of the distance to a point, the level set at distance r moves with speed 1 / r; 2 / r in a volume.
  const Volume cone = sampled({41, 41, 1, 1}, [](double x, double y, double) { return std::hypot(x - 20, y - 20); });
  const double before = cone.value(32, 20, 0),
               after = filtered("curvature:steps=8,timestep=0.125", cone).value(32, 20, 0);
  CHECK(after - before == Approx(1.0 / 12).epsilon(0.02));
  const Volume ball =
      sampled({29, 29, 29, 1}, [](double x, double y, double z) { return std::hypot(x - 14, y - 14, z - 14); });
  CHECK(filtered("curvature:steps=4,timestep=0.125", ball).value(24, 14, 14) - 10 ==
        Approx(2.0 / 10 / 2).epsilon(0.03));
  const Volume ramp = sampled({11, 11, 1, 1}, [](double x, double y, double) { return 2 * x + y; });
  CHECK(centerOf(filtered("curvature", ramp)) == Approx(centerOf(ramp)));
}
