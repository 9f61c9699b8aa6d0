#include "gpu/filter/formula_text.h"

#include <cmath>
#include <set>

#include "gpu/device/kernel_source.h"

namespace sscope {

namespace {

std::string text(std::int64_t number) { return std::to_string(number); }

// Names of offsets: x0_m3 for three voxels before.
std::string named(char axis, std::size_t input, std::int64_t offset) {
  return std::string(1, axis) + text(static_cast<std::int64_t>(input)) + (offset < 0 ? "_m" : "_p") +
         text(std::abs(offset));
}

// The text of a formula's steps, shared by both kinds of kernels.
class Steps {
 public:
  Steps(const FormulaProgram& program, const std::vector<double>& uniforms, Precision precision)
      : program_(program), uniforms_(uniforms), precision_(precision) {}
  virtual ~Steps() = default;

 protected:
  // A read of the formula, and a number of the buffer, as expressions.
  [[nodiscard]] virtual std::string read(std::size_t r) const = 0;
  [[nodiscard]] virtual std::string numberAt(std::size_t place) const = 0;

  std::string number(std::size_t uniform) {
    const double value = uniforms_[uniform];
    const double held = precision_ == Precision::f32 ? static_cast<double>(static_cast<float>(value)) : value;
    if (program_.uniforms[uniform].fixed && std::isfinite(held)) return "(" + kernelLiteral(value, precision_) + ")";
    result_.numbers.push_back(uniform);
    return numberAt(result_.numbers.size() - 1);
  }

  // The last of them is the value `last()`.
  std::string steps() {
    std::string lines;
    for (std::size_t s = 0; s < program_.steps.size(); ++s) lines += line(s);
    return lines;
  }
  [[nodiscard]] std::string last() const { return "v" + text(std::ssize(program_.steps) - 1); }

  std::string line(std::size_t s) {
    const FormulaStep& step = program_.steps[s];
    const auto v = [&](std::size_t i) { return "v" + text(step.from[i]); };
    const std::string own = text(static_cast<std::int64_t>(s));
    if (const std::size_t results = resultsOf(step.op); results > 1) {
      const bool vectors = step.op == StepOp::EigenSystem;
      std::string call = "  REAL v" + own + "[" + text(static_cast<std::int64_t>(results)) + "];\n  " +
                         (vectors ? "eigensystem_of(" : "eigenvalues_of(");
      for (std::size_t i = 0; i < 6; ++i) call += v(i) + ", ";
      if (!vectors) call += step.op == StepOp::EigenAbs ? "1, " : "0, ";
      return call + "v" + own + ");\n";
    }
    return "  const REAL v" + own + " = " + expression(step, v) + ";\n";
  }

  template <class V>
  std::string expression(const FormulaStep& step, const V& v) {
    const auto call = [&](const char* name) {
      std::string text = std::string(name) + "(" + v(0);
      for (std::size_t i = 1; i < operandsOf(step.op); ++i) text += ", " + v(i);
      return text + ")";
    };
    const auto infix = [&](const char* sign) { return v(0) + " " + sign + " " + v(1); };
    const auto truth = [&](const std::string& condition) { return "truth_of(" + condition + ")"; };
    const auto is = [&](std::size_t i) { return "(" + v(i) + " != NOTHING)"; };
    const auto index = static_cast<std::size_t>(step.index);
    switch (step.op) {
      case StepOp::Read: return read(index);
      case StepOp::Uniform: return number(index);
      case StepOp::Position: return "(REAL)(" + std::string(1, "xyz"[index]) + "0 + " + "xyz"[index] + ")";
      case StepOp::Copy: return v(0);
      case StepOp::Pick: return v(0) + "[" + text(step.index) + "]";
      case StepOp::Negate: return "-" + v(0);
      case StepOp::Add: return infix("+");
      case StepOp::Subtract: return infix("-");
      case StepOp::Multiply: return infix("*");
      case StepOp::Divide: return infix("/");
      case StepOp::MultiplyAdd: return "FMA(" + v(0) + ", " + v(1) + ", " + v(2) + ")";
      case StepOp::MultiplySubtract: return "FMA(" + v(0) + ", " + v(1) + ", -" + v(2) + ")";
      case StepOp::NegativeMultiplyAdd: return "FMA(-" + v(0) + ", " + v(1) + ", " + v(2) + ")";
      case StepOp::Less: return truth(infix("<"));
      case StepOp::LessEqual: return truth(infix("<="));
      case StepOp::Equal: return truth(infix("=="));
      case StepOp::NotEqual: return truth(infix("!="));
      case StepOp::And: return truth(is(0) + " && " + is(1));
      case StepOp::Or: return truth(is(0) + " || " + is(1));
      case StepOp::Not: return truth(v(0) + " == NOTHING");
      case StepOp::Select: return is(0) + " ? " + v(1) + " : " + v(2);
      case StepOp::Min: return call("least_of");
      case StepOp::Max: return call("most_of");
      case StepOp::Abs: return call("fabs");
      case StepOp::Sqrt: return call("sqrt");
      case StepOp::Exp: return call("exp");
      case StepOp::Log: return call("log");
      case StepOp::Log2: return call("log2");
      case StepOp::Log10: return call("log10");
      case StepOp::Sin: return call("sin");
      case StepOp::Cos: return call("cos");
      case StepOp::Tan: return call("tan");
      case StepOp::Asin: return call("asin");
      case StepOp::Acos: return call("acos");
      case StepOp::Atan: return call("atan");
      case StepOp::Atan2: return call("atan2");
      case StepOp::Sinh: return call("sinh");
      case StepOp::Cosh: return call("cosh");
      case StepOp::Tanh: return call("tanh");
      case StepOp::Floor: return call("floor");
      case StepOp::Ceil: return call("ceil");
      case StepOp::Round: return call("rint");
      case StepOp::Sign: return call("sign_of");
      case StepOp::Hypot: return call("hypotenuse_of");
      case StepOp::Power: return call("pow");
      case StepOp::Mod: return call("modulo_of");
      case StepOp::IsNan: return truth(v(0) + " != " + v(0));
      case StepOp::IsFinite: return truth(v(0) + " - " + v(0) + " == NOTHING");
      case StepOp::Eigen:
      case StepOp::EigenAbs:
      case StepOp::EigenSystem: break;
    }
    return "NOTHING";
  }

  const FormulaProgram& program_;
  const std::vector<double>& uniforms_;
  const Precision precision_;
  FormulaText result_;
};

class Rows : public Steps {
 public:
  Rows(const FormulaWorkload& workload, const FormulaProgram& program, const std::vector<double>& uniforms)
      : Steps(program, uniforms, workload.precision()), workload_(workload) {}

  FormulaText write() {
    const std::string body = stored();
    result_.text = parameters() + places() + body;
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::size_t inputs() const { return workload_.setting().inputs.size(); }

  [[nodiscard]] std::string parameters() const {
    std::string list = "KERNEL void formula_rows(";
    for (std::size_t i = 0; i < inputs(); ++i)
      list += "GLOBAL const " + std::string(toString(workload_.setting().inputs[i].spec.type)) + "* RESTRICT in" +
              text(static_cast<std::int64_t>(i)) + ", ";
    list +=
        "GLOBAL OUT* destination, GLOBAL const i32* RESTRICT places, GLOBAL const REAL* RESTRICT numbers,\n"
        "    GLOBAL u32* RESTRICT saturated, i32 length, i32 rows, i32 components, i32 x0, i32 y0, i32 z0,\n    ";
    for (std::size_t i = 0; i < inputs(); ++i) {
      const std::string n = text(static_cast<std::int64_t>(i));
      list += "i32 places" + n + "_x, i32 places" + n + "_y, i32 places" + n + "_z, i32 voxel" + n + ", i64 row" + n +
              ", i64 slice" + n + ",\n    ";
    }
    return list + "i32 first, i32 count) {\n";
  }

  // The position of the work item, and the indices of all neighbors along each axis.
  [[nodiscard]] std::string places() const {
    std::string lines =
        "  const i32 l = GLOBAL_ID(0), g = GLOBAL_ID(1);\n"
        "  if (l >= length || g >= count) return;\n"
        "  const i32 x = l / components, c = l % components, y = (first + g) % rows, z = (first + g) / rows;\n";
    std::set<std::string> known;
    for (const FormulaRead& read : workload_.formula().reads())
      for (std::size_t a = 0; a < 3; ++a) {
        const char axis = "xyz"[a];
        const std::string name = named(axis, read.input, read.offset[a]);
        if (!known.insert(name).second) continue;
        const std::int64_t shift = read.offset[a] - workload_.formula().reach(read.input).low[a];
        lines += "  const i32 " + name + " = places[places" + text(static_cast<std::int64_t>(read.input)) + "_" + axis +
                 " + " + axis + " + " + text(shift) + "];\n";
      }
    return lines;
  }

  [[nodiscard]] std::string numberAt(std::size_t place) const override {
    return "numbers[" + text(static_cast<std::int64_t>(place)) + "]";
  }

  [[nodiscard]] std::string read(std::size_t r) const override {
    const FormulaRead& one = workload_.formula().reads()[r];
    const std::string n = text(static_cast<std::int64_t>(one.input));
    const std::string x = named('x', one.input, one.offset[0]), y = named('y', one.input, one.offset[1]),
                      z = named('z', one.input, one.offset[2]);
    const bool shared = workload_.setting().inputs[one.input].spec.extent[3] == 1;
    const std::string value = "(REAL)in" + n + "[" + z + " * slice" + n + " + " + y + " * row" + n + " + " + x +
                              " * voxel" + n + (shared ? "" : " + c") + "]";
    if (workload_.setting().boundary != Boundary::constant) return value;
    return "(" + x + " | " + y + " | " + z + ") < 0 ? outside : " + value;
  }

  std::string stored() {
    std::string lines = steps();
    lines += "  u32 lost = 0;\n  destination[((i64)z * rows + y) * length + l] = rounded_element(" + last() +
             ", &lost);\n  count_lost(saturated, lost);\n}\n";
    // Placed behind the uniforms, whose number is known now.
    const std::string outside = workload_.setting().boundary == Boundary::constant
                                    ? "  const REAL outside = numbers[" + text(std::ssize(result_.numbers)) + "];\n"
                                    : "";
    return outside + lines;
  }

  const FormulaWorkload& workload_;
};

class Function : public Steps {
 public:
  Function(const Formula& formula, const FormulaProgram& program, const std::vector<double>& uniforms,
           Precision precision)
      : Steps(program, uniforms, precision), formula_(formula) {}

  FormulaText write(const std::string& name) {
    const std::string body = steps();
    std::string parameters;
    const auto add = [&](const char* kind, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i)
        parameters += (parameters.empty() ? "" : ", ") + std::string("REAL ") + kind + std::to_string(i);
    };
    add("in", formula_.inputs().size());
    add("number", result_.numbers.size());
    result_.text = "FUNCTION REAL " + name + "(" + parameters + ") {\n" + body + "  return " + last() + ";\n}\n";
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::string numberAt(std::size_t place) const override { return "number" + std::to_string(place); }
  [[nodiscard]] std::string read(std::size_t r) const override {
    return "in" + std::to_string(formula_.reads()[r].input);
  }

  const Formula& formula_;
};

}  // namespace

FormulaText formulaText(const FormulaWorkload& workload, const FormulaProgram& program,
                        const std::vector<double>& uniforms) {
  return Rows(workload, program, uniforms).write();
}

FormulaText formulaFunction(const std::string& name, const Formula& formula, const FormulaProgram& program,
                            const std::vector<double>& uniforms, Precision precision) {
  return Function(formula, program, uniforms, precision).write(name);
}

}  // namespace sscope
