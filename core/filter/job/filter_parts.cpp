#include "core/filter/job/filter_parts.h"

#include "core/base/stopwatch.h"
#include "core/volume/not_finite.h"

namespace sscope {

FilterResult FilterParts::run(const FilterJob& job, const Volume& input, const Control& control) {
  const Stopwatch watch;
  const PreparedFilter prepared(engines_, variants_, job, input, control);
  FilterResult part = prepared.makeRoom(pool_);
  prepared.run(part, control);
  part.report.phases.total = watch.seconds();
  const bool first = sums_.report.engine.empty();
  addPart(sums_.report, part.report, first ? part.report.bytes : static_cast<double>(prepared.outputBytes()));
  sums_.names = part.names;
  for (const Volume& output : part.outputs) sums_.nonFinite += countNonFinite(output, control);
  sums_.lastSteps.resize(part.lastSteps.size());
  for (std::size_t f = 0; f < part.lastSteps.size(); ++f) sums_.lastSteps[f] += part.lastSteps[f];
  return part;
}

void FilterParts::verify(const FilterJob& job, const Volume& input, const FilterResult& part,
                         const VerifyOptions& options, bool strict, const Control& control) {
  const Verification found = verifyPart(job, input, part, options, control);
  judged_.add(found);
  if (strict && verdictOf(found) == Verdict::Wrong) requireVerified(found, part.report.engine);
}

FilterSums FilterParts::sums(std::size_t parts, const std::string& called) const {
  FilterSums all = sums_;
  all.verification = judged_.of(parts, called);
  return all;
}

}  // namespace sscope
