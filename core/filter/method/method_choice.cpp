#include "core/filter/method/method_choice.h"

#include <algorithm>
#include <cmath>

#include "core/base/overloaded.h"

namespace sscope {

namespace {

MethodOutputs outputsOf(const FilterWorkload& workload, const std::array<std::int64_t, 3>& extent) {
  return {{extent[0], extent[1], extent[2], workload.input().extent[3]}, workload.precision(), workload.orderedAs()};
}

// The methods of one engine for one workload, as if its outputs had this extent.
class Chooser {
 public:
  Chooser(const FilterWorkload& workload, std::span<const Method> methods, const CostModel& model,
          const std::array<std::int64_t, 3>& extent)
      : workload_(workload), methods_(methods), model_(model), outputs_(outputsOf(workload, extent)) {}

  [[nodiscard]] const Method* find(MethodKind kind) const {
    const auto found = std::ranges::find(methods_, kind, &Method::kind);
    return found == methods_.end() ? nullptr : &*found;
  }
  [[nodiscard]] bool takes(MethodKind kind, const Operator& op) const {
    const Method* method = find(kind);
    return method != nullptr && takes(*method, op);
  }
  [[nodiscard]] bool takes(const Method& method, const Operator& op) const {
    return method.takes(op, workload_.precision()) && !(method.approximates && isInteger(workload_.outputType())) &&
           !(method.ofBytes && bytesOf(workload_.orderedAs()) != 1);
  }
  // Whether nobody has to ask for it.
  [[nodiscard]] bool suits(const Method& method, const Operator& op) const {
    return !method.onlyAsked && !method.together && takes(method, op) &&
           !(method.mixesOutputs && takes(MethodKind::Separable, op));
  }
  // Of one of so many operators that share work.
  [[nodiscard]] MethodWork work(const Method& method, const Operator& op, std::int64_t sharing) const {
    MethodWork work = method.work(op, outputs_);
    if (!method.shared || sharing < 2) return work;
    const MethodWork shared = method.shared(op, outputs_);
    const double others = 1 / static_cast<double>(sharing) - 1;
    work.multiplyAdds += others * shared.multiplyAdds;
    work.executed += others * shared.executed;
    return work;
  }
  // As if all that could share the method's work with it were computed so, which is not known before all have chosen.
  [[nodiscard]] double cost(const Method& method, const Operator& op) const {
    std::int64_t sharing = 1;
    if (method.shared)
      sharing = std::ranges::count_if(
          workload_.operators(), [&](const Operator& other) { return sharesWork(op, other) && suits(method, other); });
    return model_.multiplyAdds(work(method, op, sharing));
  }
  [[nodiscard]] MethodWork work(const std::vector<MethodKind>& chosen, std::size_t f) const {
    const auto& operators = workload_.operators();
    std::int64_t sharing = 0;
    for (std::size_t other = 0; other < chosen.size(); ++other)
      if (chosen[other] == chosen[f] && sharesWork(operators[f], operators[other])) ++sharing;
    return work(*find(chosen[f]), operators[f], sharing);
  }
  // Of the kinds that `allowed` names.
  template <class Allowed>
  [[nodiscard]] const Method& cheapest(const Operator& op, Allowed&& allowed) const {
    const Method* best = nullptr;
    for (const Method& method : methods_)
      if (allowed(method.kind) && suits(method, op) && (best == nullptr || cost(method, op) < cost(*best, op)))
        best = &method;
    return *best;
  }
  [[nodiscard]] const Method& cheapest(const Operator& op) const {
    return cheapest(op, [](MethodKind) { return true; });
  }
  // One sum over the box of all taps may give other NaN and Inf than passes: nobody chooses it unasked.
  [[nodiscard]] bool keepsPasses(const Operator& op) const {
    return takes(MethodKind::Separable, op) && workload_.denseMayDiffer(*op.stencil());
  }
  [[nodiscard]] MethodKind chosen(const Operator& op, MethodRequest request) const {
    if (request && takes(*request, op)) return *request;
    return keepsPasses(op) ? cheapest(op, keepsTerms).kind : cheapest(op).kind;
  }
  // Where NaN and Inf are right is asked once for a run, of passes or of sums over boxes (RunReport::writtenOut):
  // beside passes, filters that would differ run in passes, too.
  void keepToOneTruth(std::vector<MethodKind>& chosen) const {
    if (std::ranges::none_of(chosen, keepsTerms)) return;
    for (std::size_t f = 0; f < chosen.size(); ++f)
      if (const Operator& op = workload_.operators()[f]; keepsPasses(op) && !keepsTerms(chosen[f]))
        chosen[f] = cheapest(op, keepsTerms).kind;
  }
  using Group = std::vector<std::size_t>;
  // Those that are computed together, in the order of their first. `asked`: whatever time it takes.
  [[nodiscard]] std::vector<Group> joined(std::vector<MethodKind>& chosen, const Method& method, bool asked) const {
    std::vector<Group> groups;
    Group left;
    for (std::size_t f = 0; f < chosen.size(); ++f)
      if (asked ? chosen[f] == method.kind : joins(chosen, method, f)) left.push_back(f);
    while (!left.empty()) {
      Group best{left.front()};
      // One that makes a group slower may be worth it with the next; and if not, it is left out.
      for (const bool each : {true, false}) {
        Group group{left.front()};
        for (const std::size_t f : std::span(left).subspan(1)) {
          Group more = group;
          more.push_back(f);
          if (!timeOf(method, more)) continue;
          if (each && !asked && saving(chosen, method, more) <= saving(chosen, method, group)) continue;
          group = std::move(more);
          if (asked || saving(chosen, method, group) > saving(chosen, method, best)) best = group;
        }
      }
      std::erase_if(left, [&](std::size_t f) { return std::ranges::find(best, f) != best.end(); });
      if (asked || saving(chosen, method, best) > 0) groups.push_back(std::move(best));
    }
    for (const Group& group : groups)
      for (const std::size_t f : group) chosen[f] = method.kind;
    return groups;
  }
  [[nodiscard]] double seconds(const MethodChoice& choice) const {
    MethodWork work;
    for (std::size_t f = 0; f < choice.methods.size(); ++f)
      if (!isTogether(choice, f)) work += this->work(choice.methods, f);
    for (const Group& group : choice.together) work += workOf(choice, group);
    return model_.seconds(work, bytes());
  }
  [[nodiscard]] double executed(const MethodChoice& choice) const {
    double sum = 0;
    for (const Group& group : choice.together) sum += workOf(choice, group).executed;
    const std::vector<MethodKind>& chosen = choice.methods;
    for (std::size_t f = 0; f < chosen.size(); ++f) {
      if (isTogether(choice, f)) continue;
      const Operator& op = workload_.operators()[f];
      const MethodWork work = this->work(chosen, f);
      const bool passes = keepsTerms(chosen[f]);
      const std::int64_t taps = passes ? factored(*op.stencil()).separableTaps() : op.taps();
      const double counted = (op.stencil() != nullptr ? 2 : 1) * outputs_.count() * static_cast<double>(taps);
      sum += work.executed > 0 ? work.executed : counted;
    }
    return sum;
  }
  // "dense: a, b; separable: c".
  [[nodiscard]] std::string grouped(const std::vector<MethodKind>& chosen) const {
    std::string text;
    for (const Method& method : methods_) {
      std::string names;
      for (std::size_t f = 0; f < chosen.size(); ++f)
        if (chosen[f] == method.kind) names += (names.empty() ? "" : ", ") + workload_.operators()[f].name;
      if (!names.empty()) text += (text.empty() ? "" : "; ") + std::string(toString(method.kind)) + ": " + names;
    }
    return text;
  }
  [[nodiscard]] std::string why(const std::vector<MethodKind>& chosen) const {
    const auto& operators = workload_.operators();
    if (operators.size() == 1) return whyOne(operators[0], chosen[0]);
    const bool exact = std::ranges::any_of(operators, [this](const Operator& op) { return keepsPasses(op); });
    return grouped(chosen) + " (fewer estimated operations per voxel" +
           (exact ? "; sums of products in passes, which keep NaN and Inf in place)" : ")");
  }

 private:
  [[nodiscard]] std::optional<MethodWork> workOf(const Method& method, const Group& group) const {
    std::vector<const Operator*> ops;
    for (const std::size_t f : group) ops.push_back(&workload_.operators()[f]);
    return method.together(ops, outputs_);
  }
  [[nodiscard]] MethodWork workOf(const MethodChoice& choice, const Group& group) const {
    const Method& method = *find(choice.methods[group.front()]);
    if (const auto work = workOf(method, group)) return *work;
    MethodWork alone;
    for (const std::size_t f : group) alone += method.work(workload_.operators()[f], outputs_);
    return alone;
  }
  [[nodiscard]] std::optional<double> timeOf(const Method& method, const Group& group) const {
    const auto work = workOf(method, group);
    return work ? std::optional(model_.multiplyAdds(*work)) : std::nullopt;
  }
  // What a group saves of the time that its operators take as was chosen for them.
  [[nodiscard]] double saving(const std::vector<MethodKind>& chosen, const Method& method, const Group& group) const {
    double apart = 0;
    for (const std::size_t f : group) apart += cost(*find(chosen[f]), workload_.operators()[f]);
    return apart - timeOf(method, group).value_or(apart);
  }
  // Only what keeps its terms anyway, or alone takes less time so, is worth a try.
  [[nodiscard]] bool joins(const std::vector<MethodKind>& chosen, const Method& method, std::size_t f) const {
    return takes(method, workload_.operators()[f]) && (keepsTerms(chosen[f]) || saving(chosen, method, {f}) > 0);
  }
  [[nodiscard]] static bool isTogether(const MethodChoice& choice, std::size_t f) {
    return std::ranges::any_of(choice.together,
                               [&](const Group& group) { return std::ranges::find(group, f) != group.end(); });
  }
  // What is read and written once: of the input no more than the outputs need, which for a slice is little.
  [[nodiscard]] double bytes() const {
    const Box& region = workload_.region();
    const Box read = workload_.reach({{0, 0, 0}, {region.size(0), region.size(1), region.size(2)}});
    const ArraySpec& input = workload_.input();
    double bytes = static_cast<double>(read.voxels() * input.extent[3]) * static_cast<double>(bytesOf(input.type));
    for (const ArraySpec& output : workload_.outputs()) bytes += static_cast<double>(output.bytes());
    return bytes;
  }
  [[nodiscard]] std::string estimate(MethodKind kind, const Operator& op) const {
    return std::to_string(static_cast<std::int64_t>(std::lround(cost(*find(kind), op) / outputs_.count())));
  }
  // Of the first operator, where all its terms are computed together.
  [[nodiscard]] std::string byOneKernel(MethodKind chosen) const {
    const Method& method = *find(chosen);
    const auto time = method.together ? timeOf(method, {0}) : std::nullopt;
    if (!time) return {};
    return ", " + std::to_string(std::lround(*time / outputs_.count())) + " with all terms in one kernel";
  }
  [[nodiscard]] std::string whyOne(const Operator& op, MethodKind chosen) const {
    const std::string name(toString(chosen));
    return name +
           std::visit(Overloaded{[&](const Stencil&) { return whyTaps(op, chosen); },
                                 [&](const RankWindow& window) { return whyRanks(op, window); },
                                 [&](const RangeWindow&) {
                                   return ": means weighted by likeness, of " + std::to_string(op.taps()) +
                                          " values, estimated as " + estimate(chosen, op) + " operations per voxel";
                                 },
                                 [&](const Formula&) { return std::string(": a formula"); },
                                 [&](const EntropyWindow&) {
                                   return ": the entropy of " + std::to_string(op.taps()) + " values, estimated as " +
                                          estimate(chosen, op) + " operations per voxel";
                                 }},
                      op.kind);
  }
  [[nodiscard]] std::string whyRanks(const Operator& op, const RankWindow& window) const {
    std::string found = ": " + window.text() + ", estimated operations per voxel";
    for (const Method& method : methods_)
      if (takes(method, op))
        found += (found.ends_with("voxel") ? ": " : ", ") + estimate(method.kind, op) + " by " +
                 std::string(toString(method.kind));
    return found;
  }
  [[nodiscard]] std::string whyTaps(const Operator& op, MethodKind chosen) const {
    if (!takes(MethodKind::Separable, op)) {
      const Method* transforms = find(MethodKind::Fft);
      const bool few = takes(MethodKind::LowRank, op), transformed = transforms != nullptr && suits(*transforms, op);
      const std::string why = few ? ": " : ": the taps cannot be factored";
      if (!few && !transformed) return why;
      return why + (few ? "" : "; ") + "estimated " + estimate(MethodKind::Dense, op) +
             " operations per voxel densely" +
             (few ? ", " + estimate(MethodKind::LowRank, op) + " as a sum of few products of lines" : "") +
             (transformed ? ", " + estimate(MethodKind::Fft, op) + " by transforms" : "");
    }
    const bool forNaN = keepsPasses(op) && cheapest(op).kind == MethodKind::Dense;
    return ": estimated " + estimate(MethodKind::Dense, op) + " operations per voxel densely, " +
           estimate(MethodKind::Separable, op) + " in passes" +
           (takes(MethodKind::Fused, op) ? ", " + estimate(MethodKind::Fused, op) + " along all axes at once" : "") +
           byOneKernel(chosen) + (forNaN ? ", which keep NaN and Inf where the terms reach" : "");
  }

  const FilterWorkload& workload_;
  std::span<const Method> methods_;
  const CostModel& model_;
  MethodOutputs outputs_;
};

bool linear(const Operator& op) { return op.stencil() != nullptr; }

}  // namespace

MethodChoice chooseMethods(const FilterWorkload& workload, std::span<const Method> methods, const CostModel& model,
                           MethodRequest request) {
  const Chooser chooser(workload, methods, model, workload.planned());
  MethodChoice choice;
  std::string others;  // which the requested method does not take
  for (const Operator& op : workload.operators()) {
    choice.methods.push_back(chooser.chosen(op, request));
    if (request && !chooser.takes(*request, op)) others += (others.empty() ? "" : ", ") + op.name;
  }
  for (const Method& method : methods)
    if (method.together && (request ? request == method.kind : !method.onlyAsked))
      choice.together = chooser.joined(choice.methods, method, request.has_value());
  chooser.keepToOneTruth(choice.methods);
  const Box& region = workload.region();
  const Chooser counting(workload, methods, model, {region.size(0), region.size(1), region.size(2)});
  choice.seconds = counting.seconds(choice);
  choice.executed = counting.executed(choice);
  if (!request) {
    choice.why = chooser.why(choice.methods);
  } else if (!others.empty()) {
    choice.why = *request == MethodKind::Separable && std::ranges::all_of(workload.operators(), linear)
                     ? others + " cannot be factored and runs densely"
                     : std::string(toString(*request)) + " does not suit all: " + chooser.grouped(choice.methods);
  }
  return choice;
}

std::string methodRestriction(const FilterWorkload& workload, std::span<const Method> methods, MethodRequest request) {
  const bool dense = request == MethodKind::Dense;
  if (!request) return denseRestriction(workload, dense);
  const auto method = std::ranges::find(methods, *request, &Method::kind);
  if (method == methods.end()) return "there is no such method here";
  if (method->approximates && isInteger(workload.outputType())) return "integers must be exact";
  if (method->ofBytes && bytesOf(workload.orderedAs()) != 1) return "it counts elements of 8 bits";
  const auto takes = [&](const Operator& op) { return method->takes(op, workload.precision()); };
  if (std::ranges::none_of(workload.operators(), takes)) return "no filter of the bank is " + method->what;
  return denseRestriction(workload, dense);
}

RunReport reportOf(const FilterWorkload& workload, const MethodChoice& choice, MethodRequest request) {
  std::vector<MethodKind> kinds = choice.methods;
  std::ranges::sort(kinds);
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  RunReport report;
  for (const MethodKind kind : kinds)
    report.variant += (report.variant.empty() ? "" : "+") + std::string(toString(kind));
  report.why = choice.why;
  report.writtenOut = std::ranges::none_of(kinds, keepsTerms);
  const bool dense = request == MethodKind::Dense || request == MethodKind::DenseBaked ||
                     request == MethodKind::LowRank || request == MethodKind::Fft;
  const Work work = dense || (request && keepsTerms(*request)) ? workload.workAs(dense) : workload.work();
  report.operations = work.operations;
  report.executedOperations = choice.executed == work.operations ? 0 : choice.executed;
  report.bytes = work.bytes;
  report.predictedSeconds = choice.seconds;
  return report;
}

void reportSummedTiles(RunReport& report, const std::string& filter, std::int64_t summed, std::int64_t tiles) {
  report.launch[kLookedAtTiles] += static_cast<double>(tiles);
  if (summed == 0) return;
  report.launch[kSummedTiles] += static_cast<double>(summed);
  report.why += (report.why.empty() ? "" : "; ") + (filter.empty() ? filter : filter + ": ") + "sums in " +
                std::to_string(summed) + " of " + std::to_string(tiles) +
                " tiles, whose numbers differ too much for transforms";
}

}  // namespace sscope
