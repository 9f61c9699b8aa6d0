// The Wilson flow over ranks: the bits of one process.

#include <cstring>

#include "core/base/error.h"
#include "core/lattice/heat_bath.h"
#include "core/lattice/ranks/rank_flow.h"
#include "core/lattice/ranks/spread.h"
#include "core/parts/thread_ranks.h"
#include "tests/support/catch.h"

using namespace sscope;
using namespace sscope::lattice;

namespace {

bool sameBits(const CloverSums& a, const CloverSums& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

TEST_CASE("the Wilson flow over ranks has the bits of one process") {
  // Rows longer and shorter than vectors; parts of several slices and of one, where what is around comes from several
  // ranks, or from all of the lattice more than once.
  for (const std::array<int, 4>& extents : {std::array{5, 2, 3, 9}, std::array{3, 4, 1, 4}, std::array{9, 1, 2, 2}}) {
    const GaugeField start = hotStart(Lattice(extents), 7);
    WilsonFlow alone(start, {});
    std::vector<CloverSums> expected{alone.sums({})};
    for (int k = 0; k < 3; ++k) {
      alone.step(0.02 + 0.01 * k, {});
      expected.push_back(alone.sums({}));
    }
    const GaugeField ended = alone.field({});
    for (const int count : {1, 2, 3, 4}) {
      if (count > extents[3]) continue;
      INFO(start.lattice().text() << " on " << count);
      const std::vector<LatticePart> parts = latticeParts(start.lattice(), count);
      std::vector<std::vector<CloverSums>> sums(static_cast<std::size_t>(count));
      std::vector<GaugeField> fields(static_cast<std::size_t>(count));
      reach::ThreadRanks(count).run({}, [&](reach::Communicator& ranks, const Control& control) {
        const auto rank = static_cast<std::size_t>(ranks.rank());
        RankFlow flow(ranks, parts[rank], linksOf(start, parts[rank], control), control);
        sums[rank].push_back(flow.sums(ranks, control));
        for (int k = 0; k < 3; ++k) {
          flow.step(0.02 + 0.01 * k, ranks, control);
          sums[rank].push_back(flow.sums(ranks, control));
        }
        fields[rank] = flow.field(control);
      });
      for (std::size_t rank = 0; rank < sums.size(); ++rank) {
        for (std::size_t k = 0; k < expected.size(); ++k) CHECK(sameBits(sums[rank][k], expected[k]));
        CHECK(fields[rank] == linksOf(ended, parts[rank], {}));
      }
    }
  }
}

TEST_CASE("observables over ranks are collected with the bits of one process") {
  for (const std::array<int, 4>& extents : {std::array{5, 2, 3, 9}, std::array{3, 4, 1, 4}, std::array{9, 1, 2, 2}}) {
    const GaugeField field = hotStart(Lattice(extents), 11);
    for (const int count : {1, 2, 4}) {
      if (count > extents[3]) continue;
      INFO(field.lattice().text() << " on " << count);
      const std::vector<LatticePart> parts = latticeParts(field.lattice(), count);
      reach::ThreadRanks(count).run({}, [&](reach::Communicator& ranks, const Control& control) {
        const GaugeField own = linksOf(field, parts[static_cast<std::size_t>(ranks.rank())], control);
        const RankFlow flow(ranks, parts[static_cast<std::size_t>(ranks.rank())], own, control);
        for (const ObservableInfo& one : observables()) {
          if (one.observable == Observable::Polyakov) continue;
          const std::vector<double> values = collected(flow.densities(one.observable, control), parts, ranks, control);
          if (ranks.rank() == 0)
            CHECK(values == densities(field, one.observable, control));
          else
            CHECK(values.empty());
        }
        const GaugeField whole = collected(own, parts, ranks, control);
        CHECK(whole == (ranks.rank() == 0 ? field : GaugeField()));
      });
    }
  }
  // Parts that are cut along z, too.
  const GaugeField field = hotStart(Lattice({2, 3, 4, 2}), 5);
  const std::vector<LatticePart> parts = latticeParts(field.lattice(), 4);
  reach::ThreadRanks(4).run({}, [&](reach::Communicator& ranks, const Control& control) {
    const GaugeField own = linksOf(field, parts[static_cast<std::size_t>(ranks.rank())], control);
    CHECK(collected(own, parts, ranks, control) == (ranks.rank() == 0 ? field : GaugeField()));
  });
}

TEST_CASE("the Wilson flow says how many ranks a lattice has time slices for") {
  const GaugeField start = hotStart(Lattice({2, 2, 4, 2}), 7);
  const std::vector<LatticePart> parts = latticeParts(start.lattice(), 4);
  const auto run = [&] {
    reach::ThreadRanks(4).run({}, [&](reach::Communicator& ranks, const Control& control) {
      const LatticePart& part = parts[static_cast<std::size_t>(ranks.rank())];
      RankFlow(ranks, part, linksOf(start, part, control), control);
    });
  };
  CHECK_THROWS_WITH(run(), Catch::Matchers::ContainsSubstring("too few time slices to flow on 4 ranks"));
}
