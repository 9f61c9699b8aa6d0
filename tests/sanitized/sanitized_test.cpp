// Ten thousand damaged inputs of everything that reads what others wrote, decoded in this process under the sanitizers:
// an error in one sentence or a result that holds together, nothing else.

#include "tests/fuzz/targets.h"
#include "tests/io/mutation.h"
#include "tests/support/catch.h"

namespace sscope::test {

namespace {

// `count` in all, the same in every run; how many were tried.
int tryDamaged(const std::vector<Target>& targets, int count) {
  int tried = 0;
  for (const Target& target : targets) {
    INFO(target.name);
    const std::vector<std::string> seeds = target.seeds();
    for (const std::string& seed : seeds) CHECK(target.wrong(seed) == "");
    for (int n = 0; n < count / static_cast<int>(targets.size()); ++n, ++tried) {
      const std::string& whole = seeds[static_cast<std::size_t>(n) % seeds.size()];
      const std::string wrong = target.wrong(mutated(whole, static_cast<std::uint32_t>(n)));
      if (!wrong.empty()) FAIL_CHECK("number " << n << ": " << wrong);
    }
  }
  return tried;
}

}  // namespace

TEST_CASE("five thousand damaged volumes do no harm") { CHECK(tryDamaged(volumeTargets(), 5040) >= 5000); }

TEST_CASE("two thousand damaged configurations do no harm") { CHECK(tryDamaged(linkTargets(), 2100) >= 2000); }

TEST_CASE("three thousand damaged documents and words do no harm") { CHECK(tryDamaged(textTargets(), 3060) >= 3000); }

}  // namespace sscope::test
