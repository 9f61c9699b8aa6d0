#include "core/compare/lane_agreement.h"

#include <utility>

#include "core/base/error.h"
#include "core/base/words.h"
#include "core/compare/whole_result.h"

namespace sscope::compare {

AgreementTable agreementsWith(const RaceTrack& track, const RaceWish& wish, std::optional<std::size_t> base,
                              const Control& control) {
  const ConstArrayView input = std::as_const(*wish.input).view();
  const auto steps = static_cast<double>(wish.contenders.size() + (base ? 0 : 1));
  double step = 0;
  const auto next = [&] {
    const Control part = control.part(step / steps, (step + 1) / steps);
    ++step;
    return part;
  };
  AgreementTable table;
  std::vector<Volume> wanted;
  if (base) {
    const BenchRow& contender = wish.contenders.at(*base);
    WholeResult result = wholeResult(track, *wish.workload, input, contender, wish.how.threads, next());
    table.base = laneName(contender, result.report.variant);
    wanted = std::move(result.outputs);
  } else {
    table.base = kReferenceName;
    const Control part = next();
    const std::size_t count = wish.workload->outputs().size();
    for (std::size_t index = 0; index < count; ++index)
      wanted.push_back(referenceResult(*wish.workload, {&input, 1}, index,
                                       part.part(static_cast<double>(index) / static_cast<double>(count),
                                                 static_cast<double>(index + 1) / static_cast<double>(count))));
  }
  for (std::size_t i = 0; i < wish.contenders.size(); ++i) {
    if (base == i) continue;
    const BenchRow& contender = wish.contenders[i];
    LaneAgreement lane{laneName(contender, ""), {}, {}};
    const Control part = next();
    try {
      const WholeResult result = wholeResult(track, *wish.workload, input, contender, wish.how.threads, part);
      lane.lane = laneName(contender, result.report.variant);
      for (std::size_t index = 0; index < wanted.size(); ++index)
        lane.outputs.push_back(
            agreementOf(result.outputs[index].view(), std::as_const(wanted[index]).view(), {control.stop, {}}));
    } catch (const Canceled&) {
      throw;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::Memory) throw;
      lane.reason = error.what();
    } catch (const std::exception& error) {
      lane.reason = wordsOf(error);
    }
    table.lanes.push_back(std::move(lane));
  }
  return table;
}

}  // namespace sscope::compare
