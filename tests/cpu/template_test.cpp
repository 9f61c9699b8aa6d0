// Every template of a bank runs on the processor, in images and volumes, and agrees with the reference.
#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/filter/families/family.h"
#include "core/filter/families/program.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/job/filter_job.h"
#include "core/filter/templates/bank_template.h"
#include "tests/cpu/cpu_support.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

namespace {

// Bumps, so that filters for lines find some, in noise of a known size.
Volume bumps(const VolumeShape& shape) {
  Volume volume = test::randomVolume(shape, ElementType::f32, 3);
  const auto values = volume.elements<float>();
  std::size_t i = 0;
  for (std::int64_t z = 0; z < shape.nz; ++z)
    for (std::int64_t y = 0; y < shape.ny; ++y)
      for (std::int64_t x = 0; x < shape.nx; ++x, ++i)
        values[i] = 5 * values[i] + static_cast<float>(60 * std::sin(0.9 * static_cast<double>(x + z)) *
                                                       std::cos(0.7 * static_cast<double>(y)));
  return volume;
}

void runs(const BankTemplate& made, const VolumeShape& shape, double noise) {
  INFO(made.name << " on " << shape.text());
  const test::CpuMachine machine;
  const Volume volume = bumps(shape);
  FilterJob job;
  job.bank = bankFor(made, filterGrid(shape.dimensions(), {}), {.noise = noise});
  const FilterResult result = runFilter(machine.engines, machine.variants, job, volume, {});
  CHECK(result.names.size() == job.bank.results().size());
  const Verification verification = verifyFilter(job, volume, result, {}, {});
  CHECK(verification.failure == "");
  CHECK(verification.verified);
  CHECK(verification.compared > 0);
  // The row to look at shows something.
  const auto shown = std::ranges::find(result.names, made.shown);
  REQUIRE(shown != result.names.end());
  const VolumeStatistics seen = statistics(result.outputs[static_cast<std::size_t>(shown - result.names.begin())]);
  CHECK(seen.maximum > seen.minimum);
  CHECK(seen.nonFinite == 0);
}

}  // namespace

TEST_CASE("every template runs in images and volumes and agrees with the reference", "[template][unit]") {
  CHECK(bankTemplates().size() == 7);
  for (const BankTemplate& made : bankTemplates()) {
    // The reference of many steps takes its time.
    const bool slow = made.name == "denoise";
    runs(made, slow ? VolumeShape{8, 7, 1, 1} : VolumeShape{21, 18, 1, 1}, 5);
    runs(made, slow ? VolumeShape{4, 4, 3, 1} : VolumeShape{11, 10, 9, 1}, 5);
  }
}

TEST_CASE("templates are the same after reading and writing", "[template][unit]") {
  for (const TemplateFile& file : templateFiles()) {
    INFO(file.name);
    const json object = parseJson(std::string(file.text));
    CHECK(object.contains("bank") != (object.contains("image") && object.contains("volume")));
    for (const char* form : {"bank", "image", "volume"})
      if (object.contains(form)) CHECK(toJson(bankFromJson(object.at(form))) == object.at(form));
  }
}

TEST_CASE("every template says what it is in one sentence", "[template][unit]") {
  for (const BankTemplate& made : bankTemplates()) {
    INFO(made.name);
    CHECK_FALSE(made.label.empty());
    CHECK(made.help.ends_with('.'));
    CHECK(std::ranges::count(made.help, '.') == 1);
    // What people choose from holds nothing that does not fit: no axis z in images.
    CHECK(rowErrors(made.image, filterGrid(2, {})).empty());
    CHECK(rowErrors(made.volume, filterGrid(3, {})).empty());
  }
}

TEST_CASE("templates follow the noise of the data", "[template][unit]") {
  const BankTemplate& denoise = bankTemplate("denoise");
  const auto value = [](const FilterBank& bank, const char* row, const char* option) {
    const auto found = std::ranges::find(bank.filters, std::string(row), &FilterRecipe::name);
    const OptionValues& given = found->parameters;
    return given.contains(option) ? std::get<double>(given.at(option)) : NAN;
  };
  const FilterBank noisy = bankFor(denoise, {}, {.noise = 123.456});
  CHECK(value(noisy, "nlmeans", "sigma") == 123);
  CHECK(value(noisy, "bilateral", "range") == 247);
  CHECK(value(noisy, "tv", "weight") == 86.4);
  CHECK(std::isnan(value(bankFor(denoise, {}), "nlmeans", "sigma")));
  const BankTemplate& vessels = bankTemplate("vessels");
  CHECK(value(bankFor(vessels, {}, {.noise = 0.01, .range = 1}), "frangi2", "c") == 0.02);
  CHECK(value(bankFor(vessels, {}, {.range = 2}), "frangi2", "c") == 0.36);  // no noise is found: by the range
  CHECK(std::isnan(value(bankFor(vessels, {}), "frangi2", "c")));
  CHECK(std::isnan(value(bankFor(denoise, {}, {.range = 2}), "nlmeans", "sigma")));
  // Within what the filters take, whatever the data are.
  for (const double noise : {1e-30, 1e30}) CHECK(rowErrors(bankFor(denoise, {}, {.noise = noise}), {}).empty());
}

TEST_CASE("lengths are millimeters where voxels are no cubes", "[template][unit]") {
  const BankTemplate& vessels = bankTemplate("vessels");
  const auto sigma = [](const FilterBank& bank) { return std::get<Length>(bank.filters[1].parameters.at("sigma")); };
  CHECK(sigma(bankFor(vessels, {3, {0.5, 0.5, 2}, true})) == Length{0.5, true});
  CHECK(sigma(bankFor(vessels, {3, {0.5, 0.5, 0.5}, true})) == Length{1, false});
  CHECK(sigma(bankFor(vessels, {3, {0.5, 0.5, 2}, false})) == Length{1, false});  // nobody knows how long
  CHECK(sigma(bankFor(vessels, {2, {0.5, 0.5, 2}, true})) == Length{1, false});   // pixels are squares
  const FilterBank denoised = bankFor(bankTemplate("denoise"), {3, {0.5, 0.5, 2}, true});
  CHECK(std::get<std::string>(denoised.filters[3].parameters.at("voxels")) == "spacing");
  // Formulas are in voxels, and so is what they scale.
  const FilterBank scales = bankFor(bankTemplate("log"), {3, {0.5, 0.5, 2}, true});
  CHECK(std::get<Length>(scales.filters[1].parameters.at("sigma")) == Length{1.6, false});
}

TEST_CASE("rows are appended under free names, and their readers follow", "[template][unit]") {
  const FilterBank gradient = bankTemplate("gradient").image;
  const FilterBank twice = appended(gradient, gradient);
  REQUIRE(twice.filters.size() == 2 * gradient.filters.size());
  CHECK(twice.filters[4].name == "gx 2");
  CHECK(twice.filters[6].name == "magnitude 2");
  CHECK(inputsOf(twice.filters[6]) == std::vector<std::string>{"gx 2", "gy 2"});
  CHECK(inputsOf(twice.filters[2]) == std::vector<std::string>{"gx", "gy"});
  CHECK(rowErrors(appended(twice, gradient), filterGrid(2, {})).empty());
  // A free name may be that of a row that is still to come.
  FilterBank one, other;
  one.filters = {parseFilterSpec("box:name=a")};
  other.filters = {parseFilterSpec("box:name=a"), parseFilterSpec("sobel:name=a 2"),
                   parseFilterSpec("box:name=b,input=a"), parseFilterSpec("box:name=c,input=a 2")};
  const FilterBank both = appended(one, other);
  CHECK(both.filters[3].inputs.front() == both.filters[1].name);
  CHECK(both.filters[4].inputs.front() == both.filters[2].name);
  CHECK(both.filters[2].family == "sobel");
}

TEST_CASE("the pyramid's rows steer to any direction, and its lines have the data's units", "[template][unit]") {
  const BankTemplate& pyramid = bankTemplate("steerable");
  const test::CpuMachine machine;
  // Results of the pyramid by name, and of one more row.
  const auto resultsWith = [&](FilterBank bank, const std::string& spec, const Volume& volume) {
    bank.filters.push_back(parseFilterSpec(spec + ",name=turned"));
    FilterJob job;
    job.bank = std::move(bank);
    FilterResult result = runFilter(machine.engines, machine.variants, job, volume, {});
    std::map<std::string, std::vector<float>> values;
    for (std::size_t i = 0; i < result.names.size(); ++i) {
      const auto all = result.outputs[i].elements<float>();
      values[result.names[i]] = {all.begin(), all.end()};
    }
    return values;
  };
  constexpr double kRounding = 1e-5;  // of the largest value, in single precision
  const auto largestDifference = [](const std::vector<float>& wanted, const auto& valueAt) {
    double largest = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i)
      largest = std::max(largest, std::abs(valueAt(i) - static_cast<double>(wanted[i])));
    return largest;
  };
  constexpr double kDegree = std::numbers::pi / 180;
  for (const char* scale : {"1", "2", "4"}) {
    const auto rows =
        resultsWith(pyramid.image, "steerable:filter=g2,azimuth=27,sigma=" + std::string(scale), bumps({31, 27, 1, 1}));
    const double largest = largestDifference(rows.at("turned"), [&](std::size_t i) {
      double sum = 0;
      for (const int angle : {0, 45, 90, 135})
        sum += (1 + 2 * std::cos(2 * kDegree * (27 - angle))) / 4 *
               static_cast<double>(rows.at("s" + std::string(scale) + "_" + std::to_string(angle))[i]);
      return sum;
    });
    CHECK(largest < kRounding * largestDifference(
                                    rows.at("turned"), [](std::size_t) { return 0.0; }));
  }
  // In volumes second derivatives along the axes and, of products of two axes, differences of those along diagonals.
  const double a = 27 * kDegree, e = 40 * kDegree;
  const double x = std::cos(e) * std::cos(a), y = std::cos(e) * std::sin(a), z = std::sin(e);
  for (const std::string scale : {"1", "2"}) {
    const auto rows = resultsWith(pyramid.volume, "steerable:filter=g2,azimuth=27,elevation=40,sigma=" + scale,
                                  bumps({17, 15, 14, 1}));
    const auto at = [&](const char* direction, std::size_t i) {
      return static_cast<double>(rows.at("s" + scale + "_" + direction)[i]);
    };
    const double largest = largestDifference(rows.at("turned"), [&](std::size_t i) {
      const double ppp = at("ppp", i), mpp = at("mpp", i), mmp = at("mmp", i), pmp = at("pmp", i);
      const double xy = ppp + mmp - mpp - pmp, xz = ppp + pmp - mpp - mmp, yz = ppp + mpp - mmp - pmp;
      return x * x * at("x", i) + y * y * at("y", i) + z * z * at("z", i) +
             0.75 * (x * y * xy + x * z * xz + y * z * yz);
    });
    CHECK(largest < kRounding * largestDifference(
                                    rows.at("turned"), [](std::size_t) { return 0.0; }));
  }
  // A line that is a gaussian of height 100 and variance 2: sigma^2 times its second derivative is largest at sigma 2,
  // 100 sqrt(2) 4 / (2 + 4)^1.5.
  Volume line({41, 25, 1, 1}, ElementType::f32);
  for (std::int64_t row = 0, i = 0; row < 25; ++row)
    for (std::int64_t column = 0; column < 41; ++column, ++i) {
      const auto apart = static_cast<double>(column - 20);
      line.elements<float>()[static_cast<std::size_t>(i)] = static_cast<float>(100 * std::exp(-apart * apart / 4));
    }
  const auto seen = resultsWith(pyramid.image, "box:size=1", line);
  CHECK(seen.at("lines")[12 * 41 + 20] == Approx(400 * std::sqrt(2.0) / std::pow(6, 1.5)).epsilon(0.03));
}

TEST_CASE("wrong templates are one sentence", "[template][unit]") {
  CHECK_THROWS_WITH(bankTemplate("gradeint"),
                    ContainsSubstring("no template gradeint") && ContainsSubstring("gradient, hessian"));
  json object = parseJson(std::string(templateFiles().front().text));
  CHECK_NOTHROW(templateFromJson("mine", object));
  json wrong = object;
  wrong["show"] = "nothing";
  CHECK_THROWS_WITH(templateFromJson("mine", wrong), ContainsSubstring("the template mine names a row"));
  wrong = object;
  wrong.erase("help");
  CHECK_THROWS_WITH(templateFromJson("mine", wrong), ContainsSubstring("mine") && ContainsSubstring("help"));
  wrong = object;
  wrong["schema"] = "stencilscope.bank/1";
  CHECK_THROWS_WITH(templateFromJson("mine", wrong), ContainsSubstring("does not have the schema"));
}
