// Parts of a result are judged together: in any order, and however they are grouped.
#include "core/measure/judged_parts.h"

#include <algorithm>
#include <vector>

#include "core/base/error.h"
#include "tests/support/catch.h"

using namespace sscope;
using Catch::Matchers::ContainsSubstring;

namespace {

Verification part(std::vector<Verification::Output> outputs, double error = 0) {
  Verification found;
  found.full = true;
  found.relativeL2 = error;
  found.outputs = std::move(outputs);
  for (const Verification::Output& output : found.outputs) {
    found.compared += output.compared;
    found.unjudged += output.unjudged;
    found.undecided = found.undecided || output.compared == 0;
  }
  found.verified = !found.undecided;
  if (found.undecided) found.failure = "rounding decides every element, so that none can be judged";
  found.coverage = coverageOf({}, found);
  return found;
}

Verification wrong() {
  Verification found = part({{5, 0}, {5, 0}}, 0.5);
  found.verified = false;
  found.failure = "the relative error 0.5 exceeds 1e-06";
  return found;
}

std::string wordsOf(const Verification& found) {
  return std::to_string(static_cast<int>(verdictOf(found))) + " " + std::to_string(found.compared) + " " +
         std::to_string(found.unjudged) + " " + std::to_string(found.relativeL2) + " " + found.failure + " " +
         found.coverage;
}

// Every order of the parts, each grouped from the left, from the right and in two halves.
void requireSame(std::vector<std::size_t> order, const std::vector<Verification>& parts) {
  std::ranges::sort(order);
  std::vector<std::string> words;
  do {
    Verification left, right, first, second;
    for (std::size_t i = 0; i < order.size(); ++i) {
      left = joined(left, parts[order[i]]);
      right = joined(parts[order[order.size() - 1 - i]], right);
      Verification& half = i < order.size() / 2 ? first : second;
      half = joined(half, parts[order[i]]);
    }
    for (const Verification& all : {left, right, joined(first, second)}) words.push_back(wordsOf(all));
  } while (std::ranges::next_permutation(order).found);
  for (const std::string& one : words) CHECK(one == words.front());
}

}  // namespace

TEST_CASE("the judgment of parts does not depend on their order or grouping") {
  const std::vector<Verification> parts{part({{9, 0}, {9, 0}}, 1e-7), part({{0, 9}, {9, 0}}), part({{4, 5}, {0, 9}}),
                                        part({{9, 0}, {0, 9}}, 2e-7), Verification{},         wrong()};
  for (const std::vector<std::size_t>& some : std::vector<std::vector<std::size_t>>{
           {0, 1}, {1, 2}, {0, 1, 2}, {1, 1, 4}, {0, 1, 2, 3}, {0, 1, 4, 5}, {1, 2, 3, 5}})
    requireSame(some, parts);
}

TEST_CASE("a part that rounding decides leaves the others judged, and is counted") {
  const Verification open = part({{0, 9}}), right = part({{9, 0}});
  for (const Verification& both : {joined(open, right), joined(right, open)}) {
    CHECK(verdictOf(both) == Verdict::Verified);
    CHECK(both.compared == 9);
    CHECK(both.unjudged == 9);
    CHECK(both.failure.empty());
    CHECK_THAT(coverageOf("3 of 5 slabs", both), ContainsSubstring("3 of 5 slabs; 9 more cannot be judged"));
    CHECK_NOTHROW(requireVerified(both, "cpu:sse4"));
  }
  const Verification none = joined(open, open);
  CHECK(verdictOf(none) == Verdict::Undecided);
  CHECK_THROWS_WITH(requireVerified(none, "cpu:sse4"), ContainsSubstring("cannot be compared"));
  // Of two outputs each is judged somewhere, or not.
  CHECK(verdictOf(joined(part({{9, 0}, {0, 9}}), part({{0, 9}, {9, 0}}))) == Verdict::Verified);
  CHECK(verdictOf(joined(part({{9, 0}, {0, 9}}), part({{9, 0}, {0, 9}}))) == Verdict::Undecided);
}

TEST_CASE("one wrong part makes the whole wrong, and nothing compared says nothing") {
  for (const Verification& all : {joined(wrong(), part({{9, 0}})), joined(part({{0, 9}}), wrong())}) {
    CHECK(verdictOf(all) == Verdict::Wrong);
    CHECK_THROWS_WITH(requireVerified(all, "cpu:sse4"), ContainsSubstring("is wrong: the relative error 0.5"));
  }
  CHECK(verdictOf(joined({}, {})) == Verdict::NotCompared);
  CHECK(verdictOf(joined({}, part({{9, 0}}))) == Verdict::Verified);
}
