#include "core/filter/job/slab_run.h"

#include <algorithm>
#include <string_view>

#include "core/volume/not_finite.h"

namespace sscope {

void addPart(RunReport& sum, const RunReport& part, double outputBytes) {
  if (sum.engine.empty()) {
    sum = part;
    return;
  }
  sum.phases += part.phases;
  sum.operations += part.operations;
  sum.executedOperations += part.executedOperations;
  sum.bytes += outputBytes;
  sum.predictedSeconds += part.predictedSeconds;
  sum.tiles += part.tiles;
  sum.writtenOut = sum.writtenOut || part.writtenOut;
  for (std::size_t f = 0; f < sum.saturated.size(); ++f) sum.saturated[f] += part.saturated[f];
}

void addPart(std::optional<Verification>& all, const Verification& one) {
  if (!all) {
    all = one;
    return;
  }
  all->verified = all->verified && (one.verified || one.undecided);
  all->undecided = all->undecided && one.undecided;
  all->full = all->full && one.full;
  all->relativeL2 = std::max(all->relativeL2, one.relativeL2);
  all->maximumUlp = std::max(all->maximumUlp, one.maximumUlp);
  all->largestShare = std::max(all->largestShare, one.largestShare);
  all->compared += one.compared;
  all->unjudged += one.unjudged;
  all->wrong += one.wrong;
  all->nonFinite += one.nonFinite;
  all->off += one.off;
  if (!one.undecided && all->failure.empty()) all->failure = one.failure;
}

std::string coverageOf(const std::string& part, const Verification& verification) {
  constexpr std::string_view kAll = "full volume";
  const std::string& all = verification.coverage;
  if (all.starts_with(kAll)) return part + all.substr(kAll.size());
  return all.empty() ? part : part + ", " + all;
}

std::int64_t nonFiniteOf(const std::vector<Volume>& volumes, const Control& control) {
  std::int64_t count = 0;
  for (const Volume& volume : volumes) count += countNonFinite(volume, control);
  return count;
}

}  // namespace sscope
