#include "core/cpu/filter/formula_code.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace sscope::cpu {

namespace {

class Assembler {
 public:
  Assembler(const FormulaProgram& program, std::size_t reads) : steps_(program.steps), slot_(steps_.size()) {
    code_.reads = reads;
    code_.uniforms = program.uniforms.size();
  }

  FormulaCode assemble() {
    findLastUses();
    for (std::size_t s = 0; s < steps_.size(); ++s) place(s);
    finish(steps_.size() - 1);
    return std::move(code_);
  }

 private:
  // A register belongs to a step (several registers to a step with several results) until the last step that reads it.
  void findLastUses() {
    last_.resize(steps_.size());
    for (std::size_t s = 0; s < steps_.size(); ++s) last_[s] = s;
    for (std::size_t s = steps_.size(); s-- > 0;)
      for (std::size_t i = 0; i < operandsOf(steps_[s].op); ++i) {
        std::size_t& last = last_[steps_[s].from[i]];
        last = std::max(last, steps_[s].op == StepOp::Pick ? last_[s] : s);
      }
    if (!steps_.empty()) keep(steps_.size() - 1);
  }
  // Beyond the last step.
  void keep(std::size_t s) {
    last_[s] = steps_.size();
    if (steps_[s].op == StepOp::Pick) keep(steps_[s].from[0]);
  }

  [[nodiscard]] bool single(std::uint16_t slot) const {
    return slot >= code_.firstUniform() && slot < code_.firstRegister();
  }

  std::uint16_t take() {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint16_t>(code_.firstRegister() + code_.registers));
      ++code_.registers;
    }
    const std::uint16_t slot = free_.back();
    free_.pop_back();
    return slot;
  }

  void place(std::size_t s) {
    const FormulaStep& step = steps_[s];
    const auto index = static_cast<std::size_t>(step.index);
    switch (step.op) {
      case StepOp::Read: slot_[s] = static_cast<std::uint16_t>(index); return;
      case StepOp::Uniform: slot_[s] = static_cast<std::uint16_t>(code_.firstUniform() + index); return;
      case StepOp::Position:
        if (index == 0) break;
        slot_[s] = static_cast<std::uint16_t>(code_.firstPosition() + index - 1);
        return;
      case StepOp::Pick: slot_[s] = picks_[step.from[0]][index]; return;
      default: break;
    }
    if (chained(s)) return;
    open_ = kNone;
    FormulaInstruction instruction;
    instruction.op = step.op;
    for (std::size_t i = 0; i < operandsOf(step.op); ++i) {
      instruction.from[i] = slot_[step.from[i]];
      if (single(instruction.from[i])) instruction.uniform |= static_cast<std::uint8_t>(1U << i);
    }
    widenAlone(instruction, operandsOf(step.op));
    // Values are computed one vector at a time, so the result may replace an operand.
    release(s);
    const std::size_t count = resultsOf(step.op);
    for (std::size_t i = 0; i < count; ++i) instruction.to[i] = take();
    slot_[s] = instruction.to[0];
    if (count > 1) picks_[s] = {instruction.to.begin(), instruction.to.begin() + static_cast<std::ptrdiff_t>(count)};
    code_.instructions.push_back(instruction);
  }

  // Adds a step to the chain that ends with one of its operands, or begins a chain; false if it cannot be a link.
  bool chained(std::size_t s) {
    const FormulaStep& step = steps_[s];
    if (operandsOf(step.op) == 1 && single(slot_[step.from[0]])) return false;
    std::optional<ChainLink> link;
    if (open_ != kNone && last_[open_] == s) link = linkOf(step, open_);
    if (!link) {
      // Loads the first operand or, for a product that is added to something, the addend.
      const bool product = step.op == StepOp::MultiplyAdd || step.op == StepOp::MultiplySubtract ||
                           step.op == StepOp::NegativeMultiplyAdd;
      const std::size_t first = step.from[product ? 2 : 0];
      link = linkOf(step, first);
      if (!link) return false;
      FormulaInstruction chain;
      chain.firstLink = static_cast<std::uint32_t>(code_.links.size());
      chain.links = 1;
      code_.links.push_back(linked(ChainOp::Load, {first}));
      code_.instructions.push_back(chain);
    }
    FormulaInstruction& chain = code_.instructions.back();
    code_.links.push_back(*link);
    ++chain.links;
    release(s);
    chain.to[0] = slot_[s] = take();
    open_ = s;
    return true;
  }

  // Step `step` as a link after the value of `v`; empty where there is no such link.
  [[nodiscard]] std::optional<ChainLink> linkOf(const FormulaStep& step, std::size_t v) const {
    const auto& from = step.from;
    const bool a = from[0] == v, b = operandsOf(step.op) > 1 && from[1] == v,
               c = operandsOf(step.op) > 2 && from[2] == v;
    const auto one = [&](ChainOp first, ChainOp second) -> std::optional<ChainLink> {
      if (a == b) return std::nullopt;
      return linked(a ? first : second, {from[a ? 1 : 0]});
    };
    const auto three = [&](ChainOp sum, ChainOp scaled) -> std::optional<ChainLink> {
      if (c && !a && !b) return linked(sum, {from[0], from[1]});
      if (c || a == b) return std::nullopt;
      return linked(scaled, {from[a ? 1 : 0], from[2]});
    };
    switch (step.op) {
      case StepOp::Negate: return linked(ChainOp::Negate, {});
      case StepOp::Abs: return linked(ChainOp::Abs, {});
      case StepOp::Sqrt: return linked(ChainOp::Sqrt, {});
      case StepOp::Add: return one(ChainOp::Add, ChainOp::Add);
      case StepOp::Subtract: return one(ChainOp::Subtract, ChainOp::From);
      case StepOp::Multiply:
        if (a && b) return linked(ChainOp::Square, {});
        return one(ChainOp::Multiply, ChainOp::Multiply);
      case StepOp::Divide: return one(ChainOp::DivideBy, ChainOp::DivideInto);
      case StepOp::Min: return one(ChainOp::Min, ChainOp::Min);
      case StepOp::Max: return one(ChainOp::Max, ChainOp::Max);
      case StepOp::MultiplyAdd:
        if (a && b && !c) return linked(ChainOp::SquareAdd, {from[2]});
        return three(ChainOp::ProductAdd, ChainOp::ScaleAdd);
      case StepOp::MultiplySubtract: return three(ChainOp::ProductLess, ChainOp::ScaleLess);
      case StepOp::NegativeMultiplyAdd: return three(ChainOp::LessProduct, ChainOp::LessScaled);
      default: return std::nullopt;
    }
  }

  [[nodiscard]] ChainLink linked(ChainOp op, std::initializer_list<std::size_t> operands) const {
    ChainLink link;
    link.op = op;
    std::size_t i = 0;
    for (const std::size_t operand : operands) {
      const std::uint16_t slot = slot_[operand];
      (i == 0 ? link.a : link.b) = slot;
      if (single(slot)) link.uniform |= static_cast<std::uint8_t>(1U << i);
      ++i;
    }
    return link;
  }

  // A function of a single number, such as the voxel's y, reads a row of it.
  void widenAlone(FormulaInstruction& instruction, std::size_t operands) {
    if (operands != 1 || instruction.uniform == 0) return;
    instruction.from[0] = copied(instruction.from[0]);
    instruction.uniform = 0;
    widened_ = instruction.from[0];
  }
  std::uint16_t copied(std::uint16_t from) {
    FormulaInstruction copy;
    copy.from[0] = copy.from[1] = from;
    copy.uniform = single(from) ? 3 : 0;
    copy.to[0] = take();
    code_.instructions.push_back(copy);
    return copy.to[0];
  }

  // The registers that step s reads last.
  void release(std::size_t s) {
    if (widened_ != 0) free_.push_back(std::exchange(widened_, std::uint16_t{0}));
    std::vector<std::size_t> done;
    for (std::size_t i = 0; i < operandsOf(steps_[s].op); ++i) {
      std::size_t owner = steps_[s].from[i];
      if (steps_[owner].op == StepOp::Pick) owner = steps_[owner].from[0];
      if (last_[owner] == s && std::ranges::find(done, owner) == done.end()) done.push_back(owner);
    }
    for (const std::size_t owner : done) {
      if (slot_[owner] < code_.firstRegister()) continue;
      if (resultsOf(steps_[owner].op) > 1) {
        for (const std::uint16_t slot : picks_[owner]) free_.push_back(slot);
      } else {
        free_.push_back(slot_[owner]);
      }
    }
  }

  void finish(std::size_t last) {
    code_.result = slot_[last];
    if (code_.result < code_.firstRegister()) code_.result = copied(code_.result);
  }

  const std::vector<FormulaStep>& steps_;
  FormulaCode code_;
  std::vector<std::uint16_t> slot_;  // of each step
  std::map<std::size_t, std::vector<std::uint16_t>> picks_;
  std::vector<std::size_t> last_;
  std::vector<std::uint16_t> free_;
  std::uint16_t widened_ = 0;
  static constexpr std::size_t kNone = ~std::size_t{0};
  std::size_t open_ = kNone;  // the step at the end of the chain that is the last instruction
};

}  // namespace

FormulaCode formulaCode(const FormulaProgram& program, std::size_t reads) {
  return Assembler(program, reads).assemble();
}

}  // namespace sscope::cpu
