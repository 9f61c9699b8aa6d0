#include "core/measure/kernel_trace.h"

#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

const KernelTrace kTrace{{{"dot", 0, 0.001, 0}, {"stencil", 0.001, 0.005, 1}, {"dot", 0.005, 0.006, 1}}};

}  // namespace

TEST_CASE("shares of a trace are the largest first and make one") {
  const std::vector<KernelShare> shares = kernelShares(kTrace);
  REQUIRE(shares.size() == 2);
  CHECK(shares[0].kernel == "stencil");
  CHECK(shares[0].launches == 1);
  CHECK(shares[0].seconds == Approx(0.004));
  CHECK(shares[0].share == Approx(4.0 / 6));
  CHECK(shares[1].kernel == "dot");
  CHECK(shares[1].launches == 2);
  CHECK(shares[1].share == Approx(2.0 / 6));
  CHECK(kernelShares({}).empty());
  CHECK(sharesTable(kTrace).find("66.7") != std::string::npos);
}

TEST_CASE("a trace is written as Chrome's events, in microseconds") {
  const nlohmann::json document = chromeTrace({{"cuda:0 tuned", kTrace}});
  int kernels = 0, iterations = 0;
  for (const auto& event : document.at("traceEvents")) {
    if (event.at("ph") == "M") continue;
    CHECK(event.at("pid") == 1);
    (event.at("tid") == 1 ? kernels : iterations) += 1;
    if (event.at("name") == "stencil") {
      CHECK(event.at("ts").get<double>() == Approx(1000));
      CHECK(event.at("dur").get<double>() == Approx(4000));
      CHECK(event.at("args").at("iteration") == 1);
    }
    if (event.at("name") == "iteration 1") CHECK(event.at("dur").get<double>() == Approx(5000));
  }
  CHECK(kernels == 3);
  CHECK(iterations == 2);
  CHECK(document.at("traceEvents").at(0).at("args").at("name") == "cuda:0 tuned");
}
