// Five thousand damaged inputs of everything that reads what others wrote, decoded in this process under the sanitizers:
// an error in one sentence or a result that holds together, nothing else.

#include "tests/fuzz/targets.h"
#include "tests/io/mutation.h"
#include "tests/support/catch.h"
#include "tests/support/sampling.h"

namespace sscope::test {

namespace {

// `count` in all, ten times as many in a run of everything; how many were tried.
int tryDamaged(const std::vector<Target>& targets, int count) {
  const Sampling run = Sampling::ofRun();
  if (run.all) count *= 10;
  const auto first = static_cast<std::uint32_t>(run.seed * static_cast<std::uint64_t>(count));
  INFO(Sampling::howToRepeat());
  int tried = 0;
  for (const Target& target : targets) {
    INFO(target.name);
    const std::vector<std::string> seeds = target.seeds();
    for (const std::string& seed : seeds) CHECK(target.wrong(seed) == "");
    for (int n = 0; n < count / static_cast<int>(targets.size()); ++n, ++tried) {
      const std::string& whole = seeds[static_cast<std::size_t>(n) % seeds.size()];
      const std::string wrong = target.wrong(mutated(whole, first + static_cast<std::uint32_t>(n)));
      if (!wrong.empty()) FAIL_CHECK("number " << n << ": " << wrong);
    }
  }
  return tried;
}

}  // namespace

TEST_CASE("damaged volumes do no harm") { CHECK(tryDamaged(volumeTargets(), 2520) >= 2500); }

TEST_CASE("damaged configurations do no harm") { CHECK(tryDamaged(linkTargets(), 1050) >= 1000); }

TEST_CASE("damaged documents and words do no harm") { CHECK(tryDamaged(textTargets(), 1530) >= 1500); }

}  // namespace sscope::test
