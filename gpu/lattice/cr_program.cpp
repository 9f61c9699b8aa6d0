#include "gpu/lattice/cr_program.h"
#include "gpu/run/launch_sizes.h"

#include <algorithm>

namespace sscope {

namespace {

constexpr std::int64_t kComponentGroup = 256, kColorGroup = 128, kReduceGroup = 256;
// Scalars of cr_common.h.
constexpr std::int32_t kApap = 0, kRr = 2, kRarNew = 4, kAlpha = 8, kMinusAlpha = 10, kBeta = 12, kOne = 14;

class Builder {
 public:
  Builder(const CrWorkload& workload, DiracDesign dirac, std::optional<DiracDesign> exact, std::int64_t summed)
      : workload_(workload), operator_(workload.sharedField(), workload.cr().wilson) {
    program_.fused = dirac.links == LinkOrder::Planes || dirac.links == LinkOrder::PlanesTwoRows;
    program_.dirac = std::move(dirac);
    program_.exact = std::move(exact);
    slice_ = workload.field().lattice().spatialVolume();
    rows_ = workload.field().lattice().extent(3);
    summed_ = summed > 0 ? summed : rows_;
  }

  CrProgram build() {
    buildSweeps();
    if (program_.fused) {
      buildFused();
    } else {
      buildPlain();
    }
    program_.executedPerSite = program_.dirac.executedPerSite + CrWorkload::kVectorOperations;
    program_.description = program_.dirac.description + "; " + std::to_string(program_.during.size()) +
                           " launches an iteration" +
                           (program_.fused ? ", sums in the sweeps that make their terms" : "") +
                           (program_.exact ? ", true residuals and the solution in float64" : "");
    return std::move(program_);
  }

 private:
  [[nodiscard]] CrLaunch launch(std::string name, const char* entry, std::int64_t group, std::int64_t itemsOfSlice,
                                std::vector<CrArgument> arguments) const {
    CrLaunch one;
    one.name = std::move(name);
    one.source.entry = entry;
    one.source.precision = program_.dirac.stored;  // sweeps compute in the precision of their fields
    one.source.group = {group, 1};
    one.columns = roundUp(itemsOfSlice, group);
    one.rows = rows_;
    one.operations = 20;
    one.arguments = std::move(arguments);
    defineDirac(one.source, operator_, false, program_.dirac.stored);
    complete(one);
    return one;
  }
  // Definitions of cr_common.h, and of sums.
  void complete(CrLaunch& one) const {
    one.source.extra.emplace_back("cr_common.h");
    one.source.define("HISTORY_LENGTH", kCrHistoryLength);
    one.source.define("GROUPS", one.columns / one.source.group.x);
    one.source.define("MIXED", program_.exact ? 1 : 0);
    defineOperator(one.source);
  }
  void defineOperator(KernelSource& source) const {
    source.define("GAMMA5", 1);
    source.define("TWIST", "(" + kernelLiteral(workload_.cr().twist, source.precision) + ")");
  }
  // A launch of one group.
  [[nodiscard]] CrLaunch single(std::string name, const char* entry, std::int64_t group,
                                std::vector<CrArgument> arguments) const {
    CrLaunch one = launch(std::move(name), entry, group, group, std::move(arguments));
    one.rows = 1;
    return one;
  }
  [[nodiscard]] CrLaunch scalars(const char* name, std::int64_t step) const {
    CrLaunch one = single(name, "cr_scalars", 1, {CrArray::Scalars});
    one.source.define("STEP", step);
    return one;
  }
  [[nodiscard]] CrLaunch elements(const char* name, const char* entry, std::vector<CrArgument> arguments) const {
    return launch(name, entry, kComponentGroup, 12 * slice_, std::move(arguments));
  }
  [[nodiscard]] CrLaunch colors(const char* name, const char* entry, std::vector<CrArgument> arguments) const {
    return launch(name, entry, kColorGroup, 3 * slice_, std::move(arguments));
  }
  [[nodiscard]] static std::int64_t groupsOf(const CrLaunch& one) { return one.columns / one.source.group.x; }
  [[nodiscard]] std::int32_t pairsOf(const CrLaunch& one) const {
    return static_cast<std::int32_t>(groupsOf(one) * summed_);
  }
  // Both lists of sums of groups have the length of the longer one.
  void note(const CrLaunch& one) {
    program_.squarePairs = std::max<std::int64_t>(program_.squarePairs, pairsOf(one));
    program_.productPairs = program_.squarePairs;
  }

  using List = std::vector<CrLaunch>;
  void addNorm(List& list, CrArray of, std::int32_t to) {
    CrLaunch norm = elements("xnrm2", "cr_xnrm2", {of, CrArray::Squares});
    norm.source.define("PLANES", program_.fused ? 1 : 0);
    addSum(list, std::move(norm), CrArray::Squares, to);
  }
  void addSum(List& list, CrLaunch sum, CrArray groups, std::int32_t to) {
    note(sum);
    CrLaunch reduce = single("reduction", "cr_reduce", kReduceGroup, {groups, CrArray::Scalars, to, pairsOf(sum)});
    reduce.adds = {{groups, groupsOf(sum)}};
    list.push_back(std::move(sum));
    list.push_back(std::move(reduce));
  }
  void addAxpy(List& list, CrArray x, CrArray y, std::int32_t factor) {
    list.push_back(elements("xaxpy", "cr_xaxpy", {x, y, CrArray::Scalars, factor}));
  }
  void addScale(List& list, CrArray y, std::int32_t factor) {
    list.push_back(elements("xscal", "cr_xscal", {y, CrArray::Scalars, factor}));
  }
  // The launches of the design, gamma_5 and twist included.
  void addOperator(List& list, CrArray in, CrArray out) {
    const auto arrayOf = [&](DiracArray array) {
      return array == DiracArray::Input ? in : array == DiracArray::Output ? out : CrArray::Middle;
    };
    for (const DiracStep& step : program_.dirac.steps) {
      CrLaunch one;
      one.name = nameOf(step.source.entry);
      one.source = step.source;
      defineOperator(one.source);
      one.columns = step.columns;
      one.rows = rows_;
      one.operations = step.operationsPerSite * static_cast<double>(slice_) / static_cast<double>(step.columns);
      one.arguments = {in, arrayOf(step.from), arrayOf(step.to), CrArray::Links, CrArray::Neighbors, step.direction};
      list.push_back(std::move(one));
    }
  }
  static std::string nameOf(const std::string& entry) {
    if (entry == "dirac_spin_product") return "xgemm34x44";
    if (entry == "dirac_color_product") return "xgemm33x34";
    return "stencilCore";
  }

  // The launches of the start and the end.
  void buildSweeps() {
    CrLaunch start =
        launch("start", "cr_start", kColorGroup, slice_,
               {CrArray::Source, CrArray::R, CrArray::P, CrArray::X, program_.exact ? CrArray::Whole : CrArray::X});
    start.source.define("PLANES", program_.fused ? 1 : 0);
    program_.before.push_back(std::move(start));
    addNorm(program_.before, CrArray::R, kRr);
  }

  // Algorithm 1, an operation a launch, as the paper's first versions.
  void buildPlain() {
    addOperator(program_.before, CrArray::P, CrArray::Ap);
    addDot(program_.before, CrArray::R, CrArray::Ap);
    program_.before.push_back(scalars("scalars", 0));
    List& list = program_.during;
    addNorm(list, CrArray::Ap, kApap);
    list.push_back(scalars("scalars", 1));
    addAxpy(list, CrArray::P, CrArray::X, kAlpha);
    addAxpy(list, CrArray::Ap, CrArray::R, kMinusAlpha);
    addNorm(list, CrArray::R, kRr);
    addOperator(list, CrArray::R, CrArray::Ar);
    addDot(list, CrArray::R, CrArray::Ar);
    list.push_back(scalars("scalars", 2));
    addScale(list, CrArray::P, kBeta);
    addAxpy(list, CrArray::R, CrArray::P, kOne);
    addScale(list, CrArray::Ap, kBeta);
    addAxpy(list, CrArray::Ar, CrArray::Ap, kOne);
  }
  void addDot(List& list, CrArray x, CrArray y) {
    addSum(list, elements("dot", "cr_dot", {x, y, CrArray::Products}), CrArray::Products, kRarNew);
  }

  // Three sweeps; launches of one group add up their sums and compute the scalars.
  void buildFused() {
    const CrLaunch first = fusedOperator(CrArray::P, CrArray::Ap);
    addSum(program_.before, first, CrArray::Products, kRarNew);
    addNorm(program_.before, CrArray::Ap, kApap);
    program_.before.push_back(scalars("scalars", 0));
    program_.before.push_back(scalars("scalars", 1));
    CrLaunch residual =
        colors("residual", "cr_residual", {CrArray::R, CrArray::Ap, CrArray::Scalars, CrArray::Squares});
    CrLaunch directions =
        colors("directions", "cr_directions",
               {CrArray::R, CrArray::Ar, CrArray::X, CrArray::P, CrArray::Ap, CrArray::Scalars, CrArray::Squares});
    CrLaunch apply = fusedOperator(CrArray::R, CrArray::Ar);
    note(residual);
    std::vector<CrLaunch> renewal;
    if (program_.exact) renewal = {collect(), trueResidual(residual)};
    CrLaunch both = launch("reduction", "cr_reduce_both", kReduceGroup, 2 * kReduceGroup,
                           {CrArray::Products, CrArray::Squares, CrArray::Scalars, pairsOf(apply), pairsOf(residual)});
    both.rows = 1;
    both.adds = {{CrArray::Products, groupsOf(apply)}, {CrArray::Squares, groupsOf(residual)}};
    List& list = program_.during;
    list = {std::move(residual)};
    list.insert(list.end(), renewal.begin(), renewal.end());
    list.insert(list.end(), {std::move(apply), std::move(both), scalars("scalars", 2)});
    addSum(list, std::move(directions), CrArray::Squares, kApap);
    list.push_back(scalars("scalars", 1));
    if (program_.exact) {
      program_.after =
          launch("planes to sites", "cr_result", kColorGroup, slice_, {CrArray::Whole, CrArray::X, CrArray::R});
      return;
    }
    CrLaunch after;
    const DiracStep& planes = program_.dirac.steps.back();
    after.name = "planes to sites";
    after.source = planes.source;
    after.columns = planes.columns;
    after.rows = rows_;
    after.arguments = {CrArray::X, CrArray::X, CrArray::R, CrArray::Links, CrArray::Neighbors, std::int32_t{0}};
    program_.after = std::move(after);
  }
  [[nodiscard]] CrLaunch fusedOperator(CrArray in, CrArray out) const {
    CrLaunch one =
        operatorOf(program_.dirac, "operator and dot", "cr_operator", {in, out, CrArray::Links, CrArray::Products});
    one.neighborsOf = in;
    return one;
  }
  // Kernels of their own around the hops of a design.
  [[nodiscard]] CrLaunch operatorOf(const DiracDesign& design, const char* name, const char* entry,
                                    std::vector<CrArgument> arguments) const {
    const auto main = std::find_if(design.steps.begin(), design.steps.end(),
                                   [](const DiracStep& step) { return step.phase == DiracPhase::Kernel; });
    CrLaunch one;
    one.name = name;
    one.source = main->source;
    one.source.entry = entry;
    one.columns = main->columns;
    one.rows = rows_;
    one.operations = lattice::kDiracOperations;
    one.arguments = std::move(arguments);
    complete(one);
    return one;
  }
  // Both have an effect only in iterations whose true residual is due.
  [[nodiscard]] CrLaunch collect() const {
    return elements("collect", "cr_collect", {CrArray::X, CrArray::P, CrArray::Whole, CrArray::Scalars});
  }
  // Its squares replace those of `residual`.
  [[nodiscard]] CrLaunch trueResidual(const CrLaunch& residual) const {
    CrLaunch one = operatorOf(
        *program_.exact, "true residual", "cr_true_residual",
        {CrArray::Source, CrArray::Whole, CrArray::WholeLinks, CrArray::R, CrArray::Scalars, CrArray::Squares});
    one.source.define("SQUARE_GROUPS", residual.columns / residual.source.group.x);
    one.neighborsOf = CrArray::Whole;
    return one;
  }

  const CrWorkload& workload_;
  const DiracWorkload operator_;
  CrProgram program_;
  std::int64_t slice_ = 0, rows_ = 0, summed_ = 0;
};

}  // namespace

std::string nameOf(CrArray array) {
  switch (array) {
    case CrArray::Source: return "source";
    case CrArray::R: return "residual";
    case CrArray::P: return "direction";
    case CrArray::Ap: return "operator on the direction";
    case CrArray::Ar: return "operator on the residual";
    case CrArray::X: return "solution";
    case CrArray::Middle: return "between two steps of the operator";
    case CrArray::Links: return "links";
    case CrArray::Neighbors: return "neighbors";
    case CrArray::Scalars: return "scalars";
    case CrArray::Squares: return "squares of groups";
    case CrArray::Products: return "products of groups";
    case CrArray::Whole: return "solution in float64";
    case CrArray::WholeLinks: return "links in float64";
  }
  return {};
}

CrProgram makeCrProgram(const CrWorkload& workload, DiracDesign dirac, std::optional<DiracDesign> exact,
                        std::int64_t summed) {
  return Builder(workload, std::move(dirac), std::move(exact), summed).build();
}

}  // namespace sscope
