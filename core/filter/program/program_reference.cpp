#include "core/filter/program/program_reference.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/memory.h"
#include "core/base/memory_gate.h"
#include "core/base/overloaded.h"
#include "core/filter/formula/workload/formula_truth.h"
#include "core/filter/formula/workload/formula_workload.h"
#include "core/filter/workload/filter_reference.h"
#include "core/volume/volume.h"
#include "core/workload/tolerance.h"

namespace sscope {

namespace {

// What a node gives in its box, and the scales of the errors of that; no scales where none are wanted or all are zero.
struct NodeValues {
  Box box;
  std::vector<double> values, scales;
};

class Evaluation {
 public:
  Evaluation(const ProgramWorkload& workload, const ConstArrayView& input, bool scaled, bool underflow,
             const Control& control)
      : workload_(workload), input_(input), scaled_(scaled), underflow_(underflow), control_(control) {
    if (workload.precision() == Precision::f64 && !isInteger(workload.outputType()))
      own_ = acceptedElementError(ElementType::f64, workload.termsPerOutput()) / workload.tolerance();
  }

  // All nodes that the output needs.
  NodeValues of(std::size_t output, const Box& box) {
    FilterProgram one = workload_.program();
    one.outputs = {one.outputs.at(output)};
    const ProgramBoxes boxes = neededBoxes(one, box, workload_.extent(), workload_.boundary());
    const std::vector<std::size_t> last = lastReaders(one, boxes);
    const std::int64_t bytes = peakBytes(one, boxes, last);
    if (bytes < kMuch) return computed(one, boxes, last);
    requireMemory(bytes);
    static MemoryGate gate(kMostTogether);
    const MemoryGate::Pass pass(gate, bytes, control_);
    return tbb::this_task_arena::isolate([&] { return computed(one, boxes, last); });
  }

 private:
  static constexpr std::int64_t kThinnest = 8;  // of slabs
  // Evaluations of less memory begin at once; of others as many as fit.
  static constexpr std::int64_t kMuch = std::int64_t{64} << 20, kMostTogether = std::int64_t{2} << 30;

  // Which node is the last to read each.
  [[nodiscard]] static std::vector<std::size_t> lastReaders(const FilterProgram& one, const ProgramBoxes& boxes) {
    std::vector<std::size_t> last(one.nodes.size());
    for (std::size_t n = 0; n < one.nodes.size(); ++n)
      for (const std::size_t input : one.nodes[n].inputs)
        if (input != kSource && !isEmpty(boxes.nodes[n])) last[input] = n;
    return last;
  }

  // Of what is held at once.
  [[nodiscard]] std::int64_t peakBytes(const FilterProgram& one, const ProgramBoxes& boxes,
                                       const std::vector<std::size_t>& last) const {
    const auto bytesOfNode = [&](std::size_t n) {
      const std::int64_t values = isEmpty(boxes.nodes[n]) ? 0 : boxes.nodes[n].voxels() * components();
      return values * static_cast<std::int64_t>(sizeof(double)) * (scaled_ ? 2 : 1);
    };
    std::int64_t held = 0, peak = 0;
    for (std::size_t n = 0; n < one.nodes.size(); ++n) {
      held += bytesOfNode(n);
      peak = std::max(peak, held);
      for (std::size_t before = 0; before < n; ++before)
        if (last[before] == n && before != one.outputs.front().node) held -= bytesOfNode(before);
    }
    return peak;
  }

  NodeValues computed(const FilterProgram& one, const ProgramBoxes& boxes, const std::vector<std::size_t>& last) {
    nodes_.assign(one.nodes.size(), {});
    const std::size_t result = one.outputs.front().node;
    for (std::size_t n = 0; n < one.nodes.size(); ++n) {
      nodes_[n].box = boxes.nodes[n];
      if (isEmpty(nodes_[n].box)) continue;
      last_ = n == result;
      compute(one.nodes[n], nodes_[n]);
      for (const std::size_t input : one.nodes[n].inputs)
        if (input != kSource && input != result && last[input] == n) nodes_[input] = {};
    }
    return std::move(nodes_[result]);
  }

  [[nodiscard]] std::int64_t components() const { return workload_.input().extent[3]; }

  [[nodiscard]] ConstArrayView viewOf(const Box& box, const std::vector<double>& values) const {
    return denseView({ElementType::f64, {box.size(0), box.size(1), box.size(2), components()}},
                     reinterpret_cast<const std::byte*>(values.data()));
  }

  // The operator on data that cover `covered`; `outside`: the constant there.
  [[nodiscard]] std::vector<double> run(const Operator& op, const ConstArrayView& data, const Box& covered,
                                        const Box& box, bool magnitude, double outside) const {
    Box inside = box;
    for (std::size_t a = 0; a < 3; ++a) {
      inside.begin[a] -= covered.begin[a];
      inside.end[a] -= covered.begin[a];
    }
    std::vector<double> values(static_cast<std::size_t>(box.voxels() * components()));
    // In slabs, side by side.
    const std::size_t axis = inside.size(2) > 1 ? 2 : 1;
    const std::int64_t thick = std::max<std::int64_t>(kThinnest, 2 * op.size()[axis]);
    const std::int64_t count = inside.end[axis] - inside.begin[axis];
    const std::int64_t parts = std::max<std::int64_t>(1, count / thick);
    const std::int64_t each = box.voxels() * components() / count;
    tbb::parallel_for(std::int64_t{0}, parts, [&](std::int64_t part) {
      Box slab = inside;
      slab.begin[axis] = inside.begin[axis] + part * count / parts;
      slab.end[axis] = inside.begin[axis] + (part + 1) * count / parts;
      const std::int64_t from = (slab.begin[axis] - inside.begin[axis]) * each;
      filterReference(op, workload_.boundary(), outside, data, slab, magnitude,
                      std::span(values).subspan(static_cast<std::size_t>(from),
                                                static_cast<std::size_t>(slab.voxels() * components())),
                      control_);
    });
    return values;
  }

  void compute(const ProgramNode& node, NodeValues& result) {
    if (node.op.formula() != nullptr) return computeFormula(node, result);
    const std::size_t from = node.inputs.front();
    if (from == kSource) {
      const auto& extent = workload_.extent();
      const Box whole{{0, 0, 0}, extent};
      result.values = run(node.op, input_, whole, result.box, false, workload_.constant());
      if (!scaled_ || node.op.window() != nullptr) return;
      result.scales = run(node.op, input_, whole, result.box, true, workload_.constant());
      for (double& scale : result.scales) scale *= own();
      return;
    }
    const NodeValues& in = nodes_[from];
    result.values = run(node.op, viewOf(in.box, in.values), in.box, result.box, false, workload_.constant());
    if (!scaled_) return;
    const auto scalesOf = [&](const std::vector<double>& values) {
      return run(node.op, viewOf(in.box, values), in.box, result.box, true, workload_.constant());
    };
    const auto largest = [&] {
      return in.scales.empty() ? std::vector<double>() : largestAround(node.op, in, result.box);
    };
    std::visit(Overloaded{[&](const Stencil&) { result.scales = scalesOf(summed(in)); },
                          [&](const RankWindow&) { result.scales = largest(); },
                          [&](const RangeWindow& window) {
                            const std::vector<double> before = largest();
                            result.scales = scalesOf(in.values);
                            const double gain = gainOf(window);
                            for (std::size_t i = 0; i < before.size(); ++i) result.scales[i] += gain * before[i];
                          },
                          [](const Formula&) {},  // computeFormula()
                          [&](const EntropyWindow& window) {
                            result.scales = scalesOf(in.values);
                            if (!in.scales.empty()) addDoubtfulBins(window, in, result);
                          }},
               node.op.kind);
  }

  // Values that may lie in one bin or in another change an entropy by so much each.
  void addDoubtfulBins(const EntropyWindow& window, const NodeValues& in, NodeValues& result) const {
    const std::vector<double> edges = binEdges(window);
    const double tolerance = workload_.tolerance();
    std::vector<double> doubtful(in.values.size());
    for (std::size_t i = 0; i < doubtful.size(); ++i) {
      const double error = tolerance * in.scales[i];
      const bool certain =
          std::isfinite(error) && binOf(edges, in.values[i] - error) == binOf(edges, in.values[i] + error);
      doubtful[i] = certain ? 0 : 1;
    }
    Stencil sum;
    sum.dense = {window.shape.size, window.shape.anchor, {}};
    sum.dense.weights.assign(static_cast<std::size_t>(sum.dense.count()), 0.0);
    for (const auto& [x, y, z] : window.shape.members)
      sum.dense.weights[static_cast<std::size_t>((z * sum.dense.size[1] + y) * sum.dense.size[0] + x)] = 1;
    const std::vector<double> counts = run(sum, viewOf(in.box, doubtful), in.box, result.box, false, 0.0);
    const double each = entropyPerValue(window.count()) / tolerance;
    for (std::size_t i = 0; i < counts.size(); ++i) result.scales[i] += each * counts[i];
  }

  // The largest scale of the values that an output reads: no order statistic moves by more than that.
  [[nodiscard]] std::vector<double> largestAround(const Operator& op, const NodeValues& in, const Box& box) const {
    RankWindow window;
    if (op.window() != nullptr) {
      window = *op.window();
    } else {
      window.size = op.size();
      window.anchor = op.anchor();
      window.members.clear();
      for (std::int64_t z = 0; z < window.size[2]; ++z)
        for (std::int64_t y = 0; y < window.size[1]; ++y)
          for (std::int64_t x = 0; x < window.size[0]; ++x) window.members.push_back({x, y, z});
    }
    window.rank = window.count() - 1;
    return run(window, viewOf(in.box, in.scales), in.box, box, false, 0.0);
  }

  // By how much more than its values a mean weighted by likeness can move, to first order. With weights exp(-t) of
  // t = d^2 / (2 s^2) the mean of d^2 over n values is at most 2 s^2 (1 + log n), and differences of both the value and
  // the voxel move the weights.
  [[nodiscard]] static double gainOf(const RangeWindow& window) {
    return 1 + 8 * (1 + std::log(static_cast<double>(std::max<std::int64_t>(window.count(), 1))));
  }

  // The formula as a workload whose inputs are the values of the nodes.
  [[nodiscard]] FormulaSetting settingOf(const ProgramNode& node, const Box& box) const {
    FormulaSetting setting;
    const Box whole{{0, 0, 0}, workload_.extent()};
    for (const std::size_t input : node.inputs) {
      const Box& covered = input == kSource ? whole : nodes_[input].box;
      const ElementType type = input == kSource ? workload_.input().type : ElementType::f64;
      setting.inputs.push_back({{type, {covered.size(0), covered.size(1), covered.size(2), components()}}, covered});
    }
    setting.volume = workload_.extent();
    setting.boundary = workload_.boundary();
    setting.constant = workload_.constant();
    setting.region = box;
    setting.spacing = workload_.spacing();
    setting.output = workload_.outputType();
    setting.components = components();
    return setting;
  }

  void computeFormula(const ProgramNode& node, NodeValues& result) const {
    const FormulaWorkload formula(*node.op.formula(), settingOf(node, result.box));
    std::vector<ConstArrayView> values, scales;
    for (const std::size_t input : node.inputs) {
      values.push_back(input == kSource ? input_ : viewOf(nodes_[input].box, nodes_[input].values));
      const bool exact = input == kSource || nodes_[input].scales.empty();
      scales.push_back(exact ? ConstArrayView() : viewOf(nodes_[input].box, nodes_[input].scales));
    }
    const Box all{{0, 0, 0}, {result.box.size(0), result.box.size(1), result.box.size(2)}};
    result.values.resize(static_cast<std::size_t>(all.voxels() * components()));
    if (scaled_) result.scales.resize(result.values.size());
    formulaTruth(formula, values, all, result.values, result.scales,
                 {workload_.precision(), last_ || own_ == 1 ? workload_.outputType() : ElementType::f64,
                  workload_.tolerance(), scales, underflow_},
                 control_);
  }

  // The scale of a node's own errors: what it leaves for others is of the arithmetic's precision, which may be more
  // than the output's.
  [[nodiscard]] double own() const { return last_ ? 1 : own_; }

  // |values| and their errors' scales together.
  [[nodiscard]] std::vector<double> summed(const NodeValues& in) const {
    std::vector<double> sums(in.values.size());
    for (std::size_t i = 0; i < sums.size(); ++i)
      sums[i] = own() * std::abs(in.values[i]) + (in.scales.empty() ? 0 : in.scales[i]);
    return sums;
  }

  const ProgramWorkload& workload_;
  const ConstArrayView& input_;
  bool scaled_, underflow_;
  const Control& control_;
  double own_ = 1;
  bool last_ = false;  // what is computed is the output itself
  std::vector<NodeValues> nodes_;
};

// With errors; elements that nothing but underflow would let pass cannot be judged.
NodeValues judged(const ProgramWorkload& workload, const ConstArrayView& input, std::size_t output, const Box& box,
                  const Control& control) {
  NodeValues all = Evaluation(workload, input, true, true, control).of(output, box);
  if (workload.judgment(output) == Judgment::Enclosed)
    judgeUnderflow(all.values, all.scales, workload.tolerance(),
                   [&] { return Evaluation(workload, input, true, false, control).of(output, box).scales; });
  return all;
}

}  // namespace

void programReference(const ProgramWorkload& workload, const ConstArrayView& input, std::size_t output, const Box& box,
                      std::span<double> values, std::span<double> magnitudes, const Control& control) {
  const NodeValues result = magnitudes.empty() ? Evaluation(workload, input, false, true, control).of(output, box)
                                               : judged(workload, input, output, box, control);
  // The output's node may have a larger box, where others read it.
  const Box& have = result.box;
  const auto row = static_cast<std::size_t>(box.size(0) * workload.input().extent[3]);
  const auto width = static_cast<std::size_t>(have.size(0) * workload.input().extent[3]);
  std::size_t to = 0;
  for (std::int64_t z = box.begin[2]; z < box.end[2]; ++z)
    for (std::int64_t y = box.begin[1]; y < box.end[1]; ++y, to += row) {
      const auto line = static_cast<std::size_t>((z - have.begin[2]) * have.size(1) + (y - have.begin[1]));
      const std::size_t from =
          line * width + static_cast<std::size_t>((box.begin[0] - have.begin[0]) * workload.input().extent[3]);
      std::copy_n(result.values.begin() + static_cast<std::ptrdiff_t>(from), row,
                  values.begin() + static_cast<std::ptrdiff_t>(to));
      if (magnitudes.empty()) continue;
      if (result.scales.empty()) {
        std::fill_n(magnitudes.begin() + static_cast<std::ptrdiff_t>(to), row, 0.0);
      } else {
        std::copy_n(result.scales.begin() + static_cast<std::ptrdiff_t>(from), row,
                    magnitudes.begin() + static_cast<std::ptrdiff_t>(to));
      }
    }
}

}  // namespace sscope
