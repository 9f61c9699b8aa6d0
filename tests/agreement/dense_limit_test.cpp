// Processors and devices refuse the same filters, in the same words.
#include <set>

#include "core/filter/workload/filter_workload.h"
#include "tests/agreement/machine.h"
#include "tests/support/catch.h"
#include "tests/support/support.h"

using namespace sscope;

namespace {

Operator separableBox(std::int64_t size) {
  Stencil filter;
  const AxisTaps taps{std::vector<double>(static_cast<std::size_t>(size), 1.0 / static_cast<double>(size)), size / 2};
  filter.terms = {{{taps, taps, taps}}};
  return {"box", filter};
}

Operator denseNoise(std::int64_t size) {
  Stencil filter;
  filter.dense = {{size, size, size}, {0, 0, 0}, {}};
  for (std::int64_t i = 0; i < filter.dense.count(); ++i)
    filter.dense.weights.push_back(static_cast<double>(1 + i % 7 * i % 3));
  return {"noise", filter};
}

}  // namespace

TEST_CASE_METHOD(test::TestMachine, "every engine refuses dense runs beyond one limit") {
  const ArraySpec input{ElementType::f32, {8, 8, 8, 1}};
  const auto reasons = [&](const Operator& filter, const std::string& row) {
    const FilterWorkload workload({filter}, Boundary::nearest, 0, input, ElementType::f32);
    std::set<std::string> found;
    for (Engine* engine : engines.available()) {
      if (engine->info().kind == EngineKind::Peer) continue;
      for (const Variant* variant : variants.rows("filter", engine->info().kind))
        if (variant->name == row)
          found.insert(variant->unsupported ? variant->unsupported(engine->info(), workload) : std::string());
    }
    return found;
  };
  using Reasons = std::set<std::string>;
  // 65^3 taps are the most.
  CHECK(reasons(separableBox(65), "dense") == Reasons{""});
  CHECK(reasons(denseNoise(65), "auto") == Reasons{""});
  const std::string tooMany = " has 287496 taps when written out; more than 274625 are not run densely";
  CHECK(reasons(separableBox(66), "dense") == Reasons{"box" + tooMany});
  CHECK(reasons(denseNoise(66), "dense") == Reasons{"noise" + tooMany});
  CHECK(reasons(denseNoise(66), "auto") == Reasons{"noise" + tooMany});
  CHECK(reasons(separableBox(66), "auto") == Reasons{""});
}
