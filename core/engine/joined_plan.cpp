#include "core/engine/joined_plan.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/engine/joined_array.h"
#include "core/engine/joined_parts.h"
#include "core/engine/joiners.h"
#include "core/engine/plan_arrays.h"
#include "core/engine/run_trace.h"
#include "core/engine/traced_plan.h"
#include "core/engine/tuning_store.h"
#include "core/parts/partition.h"
#include "core/parts/thread_ranks.h"
#include "core/volume/volume_pool.h"

namespace sscope {

namespace {


constexpr double kUneven = 1.15;        // a run that takes so many times what equal ends would take is cut again
constexpr double kWorthCutting = 1e-3;  // seconds; what is shorter says more of starting than of speed
constexpr int kMostCuts = 2;            // after the first one
constexpr int kWarmRuns = 1;            // after each cut, that are not judged

// What one engine computes, and how it did.
struct Part {
  Engine* engine = nullptr;
  std::string name;  // namesOfParts
  PrepareOptions options;
  Range planes;  // of the outputs; none: it has nothing to do
  std::unique_ptr<Workload> workload;
  std::unique_ptr<Plan> plan;
  RunReport report;
  double seconds = 0;  // of the last run
};

// Equal ones where nobody predicts for one of the engines.
std::vector<double> predictedWeights(std::span<Engine* const> engines, std::span<const PrepareOptions> shares,
                                     const VariantTable& variants, const Workload& workload,
                                     const std::string& variant) {
  std::vector<double> weights;
  for (std::size_t k = 0; k < engines.size(); ++k) {
    const double seconds = variants.predict(*engines[k], workload, variant, shares[k]);
    if (!(seconds > 0)) return std::vector<double>(engines.size(), 1);
    weights.push_back(1 / seconds);
  }
  return weights;
}

// Measured ceilings are those of all engines together.
PrepareOptions withoutCeilings(const PrepareOptions& options) {
  return {.threads = options.threads,
          .deviceMemoryLimit = options.deviceMemoryLimit,
          .values = options.values,
          .impatient = options.impatient,
          .emptyCaches = options.emptyCaches,
          .trace = options.trace};
}

[[nodiscard]] Error cannotBeCut(const Workload& workload, const std::string& engines) {
  return {ErrorKind::Unsupported,
          "the workload " + std::string(workload.name()) + " cannot be cut into parts for " + engines,
          "choose one engine"};
}

class JoinedPlan final : public Plan {
 public:
  JoinedPlan(const JoinedEngine& engine, const VariantTable& variants, std::unique_ptr<Workload> whole,
             const std::string& variant, const PrepareOptions& options, const Control& control)
      : id_(engine.info().id),
        engines_(engine.parts()),
        variants_(variants),
        whole_(std::move(whole)),
        variant_(variant),
        axis_(slowestAxis(whole_->inputs().front().extent)),
        count_(whole_->outputs().front().extent[axis_]),
        threads_(static_cast<int>(engines_.size())),
        parts_(engines_.size()) {
    if (axis_ == 0)
      throw Error(ErrorKind::Unsupported, "data of a single row cannot be cut into parts for " + id_,
                  "choose one engine");
    const std::vector<std::string> names = namesOfParts(id_);
    const std::vector<PrepareOptions> shares = threadSharesOf(engines_, withoutCeilings(options));
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      parts_[k].engine = engines_[k];
      parts_[k].name = names[k];
      parts_[k].options = shares[k];
      if (options.trace) parts_[k].options.trace = std::make_shared<RunTrace>(options.trace, names[k]);
    }
    weights_ = predictedWeights(engines_, shares, variants_, *whole_, variant_);
    prepare(weights_, control);
  }

  RunReport run(const Inputs& inputs, std::span<const ArrayView> outputs, const Control& control) override {
    requireArrays(*whole_, inputs, outputs);
    return runParts(control, [&](Part& part, std::size_t, const Control& own) {
      const Box box = boxOf(part);
      std::vector<ArrayView> views;
      for (const ArrayView& output : outputs) views.push_back(viewOfBox(output, box));
      return part.plan->run(inputs, views, own);
    });
  }

  // Parts stay on devices; where the processor computes one, all go to the host's memory.
  ResidentRun runResident(const Inputs& inputs, std::span<const ArraySpec> specs, VolumePool& memory,
                          const Control& control) override {
    if (!onDevices()) return Plan::runResident(inputs, specs, memory, control);
    requireArrays(whole_->inputs(), whole_->outputs(), inputs, specs);
    std::vector<std::vector<std::shared_ptr<ResidentArray>>> pieces(parts_.size());
    pools_.resize(parts_.size());
    ResidentRun ran;
    ran.report = runParts(control, [&](Part& part, std::size_t k, const Control& own) {
      ResidentRun one = part.plan->runResident(inputs, part.workload->outputs(), pools_[k], own);
      pieces[k] = std::move(one.outputs);
      return std::move(one.report);
    });
    for (std::size_t i = 0; i < specs.size(); ++i) {
      std::vector<std::shared_ptr<ResidentArray>> own;
      for (auto& piece : pieces)
        if (!piece.empty()) own.push_back(std::move(piece[i]));
      ran.outputs.push_back(own.size() == 1 ? std::move(own.front())
                                            : joinedArray(ran.report.engine, axis_, std::move(own)));
    }
    return ran;
  }

  [[nodiscard]] bool overlapsCopies() const override {
    return onDevices() && std::ranges::any_of(parts_, [](const Part& p) { return p.plan && p.plan->overlapsCopies(); });
  }

  [[nodiscard]] bool adopt(const Workload& workload, const Control& control) override {
    if (!prepared_) return false;
    std::unique_ptr<Workload> whole = workload.cutTo(wholeOf(workload));
    if (whole == nullptr || whole->inputs() != whole_->inputs() || whole->outputs() != whole_->outputs()) return false;
    whole_ = std::move(whole);
    prepared_ = false;
    std::vector<char> adopted(parts_.size(), 1);
    forParts(control, [&](Part& part, std::size_t k, const Control& own) {
      part.workload = whole_->cutTo(boxOf(part));
      adopted[k] = part.plan->adopt(*part.workload, own) ? 1 : 0;
    });
    prepared_ = std::ranges::all_of(adopted, [](char one) { return one != 0; });
    return prepared_;
  }

  // Engines that are not alike may choose other methods or round differently, and where they meet depends on their
  // speed.
  [[nodiscard]] std::int64_t grain() const override { return alike() ? grain_ : 0; }

  [[nodiscard]] std::int64_t scratchBytes() const override {
    std::int64_t sum = 0;
    for (const Part& part : parts_)
      if (part.plan) sum += part.plan->scratchBytes();
    return sum;
  }

  [[nodiscard]] std::vector<PlanBuffer> buffers() const override {
    std::vector<PlanBuffer> all;
    for (const Part& part : parts_) {
      if (!part.plan) continue;
      for (PlanBuffer& one : part.plan->buffers()) {
        if (one.engine.empty()) one.engine = part.name;
        all.push_back(std::move(one));
      }
    }
    return all;
  }

  [[nodiscard]] std::string description() const override {
    std::string text;
    for (const Part& part : parts_)
      text += (text.empty() ? "" : "; ") + planesText(part) + (part.plan ? ", " + part.plan->description() : "");
    return text;
  }

  // The box of all outputs.
  static Box wholeOf(const Workload& workload) {
    const auto [nx, ny, nz, nc] = workload.outputs().front().extent;
    return {{0, 0, 0}, {nx, ny, nz}};
  }

 private:
  [[nodiscard]] bool onDevices() const {
    return std::ranges::all_of(engines_, [](const Engine* one) { return one->info().isDevice(); });
  }
  // Levels of the processor have names of their own; devices have those of their model.
  [[nodiscard]] bool alike() const {
    const EngineInfo& first = engines_.front()->info();
    return std::ranges::all_of(engines_, [&](const Engine* one) {
      const EngineInfo& info = one->info();
      return info.kind == first.kind && info.name == first.name && info.driver == first.driver &&
             info.isProcessor == first.isProcessor && info.fp64 == first.fp64;
    });
  }
  [[nodiscard]] Box boxOf(const Part& part) const {
    return reach::slab(whole_->outputs().front().extent, axis_, part.planes);
  }
  [[nodiscard]] std::string planesText(const Part& part) const {
    if (part.planes.size() == 0) return part.name + ": none of " + std::to_string(count_);
    return part.name + ": " + std::to_string(part.planes.size()) + " of " + std::to_string(count_);
  }

  // work(part, its place, control) at once for each that has planes. Errors name the engine.
  template <class Work>
  void forParts(const Control& control, const Work& work) {
    threads_.run(control, [&](reach::Communicator& communicator, const Control& own) {
      const auto k = static_cast<std::size_t>(communicator.rank());
      Part& part = parts_[k];
      if (part.planes.size() == 0) return;
      try {
        work(part, k, own);
      } catch (const Canceled&) {
        throw;
      } catch (const Error& error) {
        const std::string what = error.what();
        if (what.find(part.engine->info().id) != std::string::npos) throw;
        throw Error(error.kind(), part.name + ": " + what);
      }
    });
  }

  // Cuts and prepares, again where plans say that parts must begin at multiples of more than one plane.
  void prepare(const std::vector<double>& weights, const Control& control) {
    cut(weights);
    prepareParts(control);
    std::int64_t grain = 1;
    bool promised = true;
    for (const Part& part : parts_)
      if (part.plan) {
        promised = promised && part.plan->grain() > 0;
        grain = std::lcm(grain, std::max<std::int64_t>(part.plan->grain(), 1));
      }
    grain_ = promised ? grain : 0;
    if (std::ranges::all_of(parts_, [&](const Part& part) { return part.planes.begin % grain == 0; })) return;
    step_ = grain;
    cut(weights);
    prepareParts(control);
  }

  void cut(const std::vector<double>& weights) {
    const std::vector<Range> steps = reach::weighted((count_ + step_ - 1) / step_, weights);
    for (std::size_t k = 0; k < parts_.size(); ++k)
      parts_[k].planes = {std::min(steps[k].begin * step_, count_), std::min(steps[k].end * step_, count_)};
  }

  // Canceled, it is done again before the next run.
  void prepareParts(const Control& control) {
    prepared_ = false;
    for (Part& part : parts_) part.plan.reset();
    for (Part& part : parts_) part.workload.reset();
    forParts(control, [&](Part& part, std::size_t, const Control& own) {
      part.workload = whole_->cutTo(boxOf(part));
      if (part.workload == nullptr) throw cannotBeCut(*whole_, id_);
      PrepareOptions how = part.options;
      if (how.values.empty()) how.values = tunedForWhole(part);
      part.plan = variants_.prepare(*part.engine, *part.workload, variant_, how, own);
    });
    runs_ = 0;
    prepared_ = true;
  }

  // What a search has found for the whole serves a part of it.
  [[nodiscard]] OptionValues tunedForWhole(const Part& part) const {
    const Variant& row = variants_.at(whole_->name(), part.engine->info().kind, variant_);
    const std::optional<TunedTiles> tuned = rememberedTiles(row, part.engine->info(), *whole_);
    return tuned ? tuned->values : OptionValues();
  }

  template <class Run>
  RunReport runParts(const Control& control, const Run& run) {
    control.check();
    if (!newWeights_.empty() || !prepared_) {
      if (!newWeights_.empty()) weights_ = std::exchange(newWeights_, {});
      prepare(weights_, control);
    }
    const Stopwatch watch;
    forParts(control, [&](Part& part, std::size_t k, const Control& own) {
      const Stopwatch one;
      part.report = run(part, k, own);
      part.seconds = one.seconds();
    });
    const double seconds = watch.seconds();
    judge();
    return reportOf(seconds);
  }

  // What parts are weighed by: devices by their own clock, because copies share a bus and the host's memory with each
  // other and say little about the device.
  [[nodiscard]] double weighedSeconds(const Part& part) const {
    const double kernel = part.report.phases.kernel;
    return onDevices() && kernel > 0 ? kernel : part.seconds;
  }

  // Whether engines ended so far apart that other parts would serve better.
  void judge() {
    if (++runs_ <= kWarmRuns || cuts_ >= kMostCuts) return;
    std::vector<double> speeds;
    double longest = 0, all = 0;
    for (const Part& part : parts_) {
      if (part.planes.size() == 0) return;  // there are not enough planes to share
      const double seconds = weighedSeconds(part);
      longest = std::max(longest, seconds);
      speeds.push_back(static_cast<double>(part.planes.size()) / std::max(seconds, 1e-9));
      all += speeds.back();
    }
    if (longest < kWorthCutting || longest < kUneven * static_cast<double>(count_) / all) return;
    ++cuts_;
    newWeights_ = std::move(speeds);
  }

  [[nodiscard]] RunReport reportOf(double seconds) const {
    std::vector<Engine*> engines;
    std::vector<RunReport> reports;
    std::string shares;
    double counted = 0, own = 0;  // operations of the parts, by their variants and by their workloads
    for (const Part& part : parts_) {
      shares += (shares.empty() ? "" : ", ") + planesText(part);
      if (!part.plan) continue;
      counted += part.report.operations;
      own += part.workload->work().operations;
      engines.push_back(part.engine);
      reports.push_back(part.report);
    }
    RunReport report = joinedReport(engines, reports, whole_->work());
    // Dense filters count more than the workload does; what parts compute around their own does not count.
    if (own > 0) report.operations *= counted / own;
    report.phases.total = seconds;
    report.why += (report.why.empty() ? "" : "; ") + ("planes along " + std::string(1, "xyz"[axis_])) + ": " + shares;
    for (const Part& part : parts_) {
      if (!part.plan) continue;
      const auto planes = static_cast<double>(part.planes.size());
      note({part.name, planes, planes / static_cast<double>(count_), part.seconds}, report.launch);
    }
    return report;
  }

  std::string id_;
  std::vector<Engine*> engines_;
  const VariantTable& variants_;
  std::unique_ptr<Workload> whole_;
  std::string variant_;
  std::size_t axis_;
  std::int64_t count_;      // planes of the outputs
  std::int64_t step_ = 1;   // parts begin at multiples of so many
  std::int64_t grain_ = 1;  // of the parts' plans; 0: parts differ from the whole in roundings
  reach::ThreadRanks threads_;
  std::vector<Part> parts_;
  std::vector<VolumePool> pools_;  // of parts whose results come to the host's memory after all
  int runs_ = 0;                   // since it was cut
  int cuts_ = 0;
  std::vector<double> weights_;     // that it is cut by
  std::vector<double> newWeights_;  // not empty: to be cut by before the next run
  bool prepared_ = false;
};

}  // namespace

namespace {

// By the plan that devices have for this; null: there is none.
std::unique_ptr<Plan> preparedTogether(const JoinedEngine& engine, const VariantTable& variants,
                                       const std::string& variant, const Workload& workload,
                                       std::span<const double> weights, const PrepareOptions& options,
                                       const Control& control) {
  const std::vector<Engine*>& parts = engine.parts();
  if (!std::ranges::all_of(parts, [](const Engine* one) { return one->info().isDevice(); })) return nullptr;
  const Variant& row = variants.at(workload.name(), parts.front()->info().kind, variant);
  if (!row.prepareTogether) return nullptr;
  PrepareOptions complete = options;
  complete.values = completeOptions(row.options, options.values);
  return row.prepareTogether(parts, workload, weights, complete, control);
}

}  // namespace

std::unique_ptr<Plan> prepareJoined(const JoinedEngine& engine, const VariantTable& variants, const Workload& workload,
                                    const std::string& variant, const PrepareOptions& options, const Control& control) {
  for (const Joiner& joiner : joiners()) {
    if (joiner.workload != workload.name()) continue;
    // Ranks ask each other's plans for more than a traced plan shows.
    PrepareOptions own = withoutCeilings(options);
    own.trace.reset();
    const auto recorded = [&](std::unique_ptr<Plan> plan) {
      return options.trace ? traced(std::move(plan), std::string(workload.name()), options.trace) : std::move(plan);
    };
    std::vector<double> weights =
        predictedWeights(engine.parts(), threadSharesOf(engine.parts(), own), variants, workload, variant);
    if (std::ranges::adjacent_find(weights, std::not_equal_to<>()) == weights.end()) weights.clear();
    if (std::unique_ptr<Plan> plan = preparedTogether(engine, variants, variant, workload, weights, own, control))
      return recorded(std::move(plan));
    return recorded(joiner.prepare(engine.parts(), variants, variant, workload, weights, own, control));
  }
  std::unique_ptr<Workload> whole = workload.cutTo(JoinedPlan::wholeOf(workload));
  if (whole == nullptr || whole->name() != workload.name()) throw cannotBeCut(workload, engine.info().id);
  return std::make_unique<JoinedPlan>(engine, variants, std::move(whole), variant, options, control);
}

double predictJoined(const JoinedEngine& engine, const VariantTable& variants, const Workload& workload,
                     const std::string& variant, const PrepareOptions& options) {
  double speed = 0;
  const std::vector<PrepareOptions> shares = threadSharesOf(engine.parts(), withoutCeilings(options));
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const double seconds = variants.predict(*engine.parts()[k], workload, variant, shares[k]);
    if (!(seconds > 0)) return 0;
    speed += 1 / seconds;
  }
  return 1 / speed;
}

}  // namespace sscope
