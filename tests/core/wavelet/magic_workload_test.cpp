// The workload magic: taps, counted work, and its reference against the formula of the paper.
#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/wavelet/workload/magic_workload.h"
#include "core/workload/noise.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

// At -8..+7.
constexpr std::array<double, 16> kPublishedTaps{8.4334247333529341094733325815816e-7,
                                                -0.1290557201342060969516786758559028e-4,
                                                0.8762984476210559564689161894116397e-4,
                                                -0.30158038132690463167163703826169879e-3,
                                                0.174723713672993903449447812749852942e-2,
                                                -0.942047030201080385922711540948195075e-2,
                                                0.2373821463724942397566389712597274535e-1,
                                                0.612625895831207982195380597e-1,
                                                0.9940415697834003993178616713,
                                                -0.604895289196983516002834636e-1,
                                                -0.2103025160930381434955489412839065067e-1,
                                                0.1337263414854794752733423467013220997e-1,
                                                -0.344128144493493857280881509686821861e-2,
                                                0.49443227688689919192282259476750972e-3,
                                                -0.5185986881173432922848639136911487e-4,
                                                2.72734492911979659657715313017228e-6};

MagicWorkload magic(const std::array<std::int64_t, 3>& n, const OptionValues& values) {
  return {{ElementType::f64, {n[0], n[1], n[2], 1}}, completeOptions(MagicWorkload::options(), values)};
}

OptionValue text(const std::string& t) { return t; }

std::vector<double> referenceOf(const MagicWorkload& workload, const Volume& input) {
  const ConstArrayView view = input.view();
  const auto extent = workload.outputs()[0].extent;
  std::vector<double> values(static_cast<std::size_t>(input.spec().elements()));
  workload.reference({&view, 1}, 0, {{0, 0, 0}, {extent[0], extent[1], extent[2]}}, values, {});
  return values;
}

std::int64_t wrapped(std::int64_t i, std::int64_t n) { return ((i % n) + n) % n; }

}  // namespace

TEST_CASE("the magic taps are the published ones, sum to 1, and turn around for the inverse") {
  const MagicWorkload forward = magic({4, 4, 4}, {});
  REQUIRE(forward.taps().size() == 16);
  CHECK(forward.first() == -8);
  for (std::size_t k = 0; k < 16; ++k) CHECK(std::abs(forward.taps()[k] - kPublishedTaps[k]) < 1e-12);
  double sum = 0;
  for (const double tap : forward.taps()) sum += tap;
  CHECK(std::abs(sum - 1) < 1e-12);
  for (std::int64_t order = 1; order <= 10; ++order)
    CHECK(magic({4, 4, 4}, {{"order", order}}).taps().size() == static_cast<std::size_t>(2 * order));
  const MagicWorkload inverse = magic({4, 4, 4}, {{"direction", text("inverse")}});
  CHECK(inverse.first() == -7);
  for (std::size_t k = 0; k < 16; ++k) CHECK(inverse.taps()[k] == forward.taps()[15 - k]);
}

TEST_CASE("magic counts two operations a tap, element and pass") {
  const MagicWorkload cube = magic({128, 126, 130}, {});
  CHECK(cube.work().operations == 3.0 * 32 * 128 * 126 * 130);
  CHECK(cube.work().bytes == 2.0 * 8 * 128 * 126 * 130 + 128);
  const MagicWorkload lines = magic({124, 132, 130}, {{"passes", text("lines")}, {"transposed", true}});
  CHECK(lines.work().operations == 32.0 * 124 * 17160);
  CHECK(lines.outputs()[0].extent == std::array<std::int64_t, 4>{17160, 124, 1, 1});
}

TEST_CASE("the reference of magic is the triple sum of the paper, also when the taps wrap many times") {
  for (const std::array<std::int64_t, 3>& n : {std::array<std::int64_t, 3>{5, 3, 1}, {2, 17, 4}, {1, 1, 19}})
    for (const char* direction : {"forward", "inverse"}) {
      const MagicWorkload workload = magic(n, {{"direction", text(direction)}});
      const Volume input = noiseVolume({n[0], n[1], n[2], 1}, ElementType::f64, 11, {});
      const auto in = input.elements<double>();
      const std::vector<double> got = referenceOf(workload, input);
      const auto w = workload.taps();
      std::size_t at = 0;
      for (std::int64_t z = 0; z < n[2]; ++z)
        for (std::int64_t y = 0; y < n[1]; ++y)
          for (std::int64_t x = 0; x < n[0]; ++x, ++at) {
            double sum = 0;
            for (std::int64_t k = 0; k < 16; ++k)
              for (std::int64_t j = 0; j < 16; ++j)
                for (std::int64_t i = 0; i < 16; ++i) {
                  const std::int64_t f = workload.first();
                  const std::int64_t from =
                      (wrapped(z + f + k, n[2]) * n[1] + wrapped(y + f + j, n[1])) * n[0] + wrapped(x + f + i, n[0]);
                  sum += w[static_cast<std::size_t>(k)] * w[static_cast<std::size_t>(j)] *
                         w[static_cast<std::size_t>(i)] * in[static_cast<std::size_t>(from)];
                }
            REQUIRE(std::abs(got[at] - sum) < 1e-13);
          }
    }
}

TEST_CASE("the inverse of magic is the adjoint of the forward filter") {
  for (const char* passes : {"3d", "lines"}) {
    const Volume x = noiseVolume({17, 6, 5, 1}, ElementType::f64, 1, {});
    const Volume y = noiseVolume({17, 6, 5, 1}, ElementType::f64, 2, {});
    const auto forward = referenceOf(magic({17, 6, 5}, {{"passes", text(passes)}}), y);
    const auto inverse = referenceOf(magic({17, 6, 5}, {{"passes", text(passes)}, {"direction", text("inverse")}}), x);
    double left = 0, right = 0;
    for (std::size_t i = 0; i < forward.size(); ++i) {
      left += inverse[i] * y.elements<double>()[i];
      right += x.elements<double>()[i] * forward[i];
    }
    CHECK(std::abs(left - right) < 1e-13 * std::abs(right));
  }
}

TEST_CASE("transposed lines are the lines as columns") {
  const Volume input = noiseVolume({7, 3, 4, 1}, ElementType::f64, 1, {});
  const auto straight = referenceOf(magic({7, 3, 4}, {{"passes", text("lines")}}), input);
  const auto turned = referenceOf(magic({7, 3, 4}, {{"passes", text("lines")}, {"transposed", true}}), input);
  for (std::size_t l = 0; l < 12; ++l)
    for (std::size_t i = 0; i < 7; ++i) CHECK(turned[i * 12 + l] == straight[l * 7 + i]);
}

TEST_CASE_METHOD(test::InFolder, "taps come from a file of numbers") {
  const auto file = [&](const std::string& content) {
    writeTextFile(folder / "taps", content);
    return (folder / "taps").string();
  };
  CHECK(readTaps(file("[0.25, 0.5, 0.25]")) == std::vector<double>{0.25, 0.5, 0.25});
  CHECK(readTaps(file("0.25 +0.5,\n 2.5e-1\n")) == std::vector<double>{0.25, 0.5, 0.25});
  const MagicWorkload three = magic({9, 1, 1}, {{"taps", text(file("1 2 4"))}});
  CHECK(three.first() == -1);
  CHECK(three.parameters().at("taps").get<std::string>().starts_with("3 of their own"));
  const MagicWorkload back = magic({9, 1, 1}, {{"taps", text(file("1 2"))}, {"direction", text("inverse")}});
  CHECK(back.first() == 0);
  CHECK(back.taps()[0] == 2);
  for (const char* bad : {"", "1", "[1]", "1 two", "[1, \"2\"]", "{\"taps\": [1, 2]}", "[1, 2", "1 nan", "1 1e999"})
    CHECK_THROWS_AS(readTaps(file(bad)), Error);
  std::string many;
  for (int i = 0; i < 65; ++i) many += "1 ";
  CHECK_THROWS_AS(readTaps(file(many)), Error);
  CHECK_THROWS_AS(readTaps((folder / "nothing").string()), Error);
}

TEST_CASE("magic says what it does not take") {
  const OptionValues values = completeOptions(MagicWorkload::options(), {});
  CHECK_THROWS_AS(MagicWorkload({ElementType::f32, {4, 4, 4, 1}}, values), Error);
  CHECK_THROWS_AS(MagicWorkload({ElementType::f64, {4, 4, 4, 2}}, values), Error);
  CHECK_THROWS_AS(magic({4, 4, 4}, {{"transposed", true}}), Error);
  CHECK_THROWS_AS(magic({4, 4, 4}, {{"order", std::int64_t{11}}}), Error);
}
