#include "app/cli/compare/compare_looks.h"

#include <algorithm>
#include <string_view>

#include "app/cli/options.h"
#include "core/base/error.h"
#include "core/compare/break_even.h"
#include "core/compare/lane_explanation.h"
#include "core/live/quiet_gate.h"

namespace sscope::cli {

namespace {

constexpr const char* kReference = "reference";

// The index of "cpu:avx2" or "cpu:avx2/separable" among the contenders; empty: the reference.
std::optional<std::size_t> baseOf(const std::string& name, const std::vector<BenchRow>& contenders) {
  if (name == kReference) return {};
  std::string known = kReference;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    const BenchRow& row = contenders[i];
    const std::string whole = row.variant.empty() ? row.engine : row.engine + "/" + row.variant;
    if (name == row.engine || name == whole) return i;
    known += ", " + whole;
  }
  throw Error(ErrorKind::Usage, name.empty() ? "--agreement names no contender" : "no contender is called " + name,
              "compare with one of " + known);
}

// "sigma=1,2,4".
void readVaried(const std::string& text, compare::BreakEvenAxes& axes) {
  const std::size_t equals = text.find('=');
  axes.parameter = text.substr(0, equals);
  if (axes.parameter.empty() || equals == std::string::npos)
    throw Error(ErrorKind::Usage, "--vary " + text + " is not valid",
                "write OPTION=VALUE,VALUE,... such as sigma=1,2,4");
  axes.values = compare::numbersFrom(std::string_view(text).substr(equals + 1));
}

// The axes of the map; empty: no map is wanted.
std::optional<compare::BreakEvenAxes> axesOf(const LookChoice& options, const compare::Case& what) {
  if (options.edges.empty() && options.vary.empty()) return {};
  compare::BreakEvenAxes axes;
  axes.edges = options.edges;
  if (axes.edges.empty()) axes.edges = {what.input->shape().nx};
  if (!options.vary.empty()) readVaried(options.vary, axes);
  compare::requireDistinct(axes);
  if (!options.vary.empty()) {
    // An unknown option is refused before anything is timed.
    try {
      static_cast<void>(compare::makeWorkload(compare::withParameter(what.recipe, axes.parameter, axes.values.front()),
                                              what.input->spec(), what.input->geometry()));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::BadData) throw;  // the kind for a bad recipe in a file
      throw Error(ErrorKind::Usage, "--vary " + options.vary + " is not valid: " + error.what());
    }
  }
  return axes;
}

}  // namespace

void addLookOptions(CLI::App& command, LookChoice& choice) {
  command
      .add_option("--agreement", choice.agreement,
                  "Compare all elements of all results with those of a contender, or of the (slow) reference")
      ->type_name("ENGINE[/VARIANT]|reference");
  command.add_flag("--contract", choice.contract,
                   "Let every contender compute small probes (impulse, boundaries, ramp, NaN ...), verified in full");
  command.add_flag("--explain", choice.explain,
                   "Say why every contender ran as it did, and where its time and its data went");
  addNumbersOption(command, "--edges", choice.edges, {"N,N...", 1, compare::kMostOnAxis, 1, compare::kLongestEdge},
                   "Map which engine wins where: sizes of noise, voxels along each edge");
  command.add_option("--vary", choice.vary, "The other side of the map: an option of the filters or of the workload")
      ->type_name("OPTION=V,V...");
}

LookPlan planned(const LookChoice& choice, const compare::Case& what, const std::vector<BenchRow>& contenders) {
  LookPlan plan{choice.agreement.has_value(), choice.contract, choice.explain, {}, axesOf(choice, what)};
  if (plan.agreement) plan.base = baseOf(*choice.agreement, contenders);
  return plan;
}

void look(Program& program, const Workshop& workshop, const compare::Case& what, const LookPlan& plan,
          const compare::Comparison& result, Looks& looks) try {
  QuietGate gate;
  const compare::RaceTrack track{workshop.engines, workshop.variants, gate};
  const Control control = program.control();
  if (plan.explain) looks.explained = result.lanes;
  if (plan.agreement)
    looks.agreement =
        compare::agreementsWith(track, {what.workload, what.input, result.contenders, result.how}, plan.base, control);
  if (plan.contract) {
    const auto make = [&](const ArraySpec& spec) {
      return compare::makeWorkload(result.recipe, spec, what.input->geometry());
    };
    const auto adjoint = [&](const Workload& workload, std::size_t output) {
      return compare::adjointOf(result.recipe, workload, output);
    };
    looks.contract =
        compare::probed(track, make, adjoint, what.input->spec(), result.contenders, result.how.threads, control);
  }
  const auto filled = [&](const compare::BreakEvenMap& map) {
    looks.map = map;
    program.log("mapped " + counted(static_cast<std::int64_t>(map.done), "cell"));
  };
  if (plan.axes)
    looks.map = compare::breakEven(
        track, {result.recipe, what.input->geometry(), result.contenders, *plan.axes, result.how}, filled, {}, control);
} catch (const Canceled&) {
  looks.stopped = looks.map
                      ? stoppedAfter(static_cast<std::int64_t>(looks.map->done), "cell", std::ssize(looks.map->cells)) +
                            " of the map"
                      : "stopped after the race";
  throw;
}

std::string textOf(const Looks& looks) {
  std::string text;
  if (!looks.explained.empty()) text += "\n" + compare::explanationText(looks.explained);
  if (looks.agreement) text += "\n" + toText(*looks.agreement);
  if (looks.contract) text += "\n" + toText(*looks.contract);
  if (looks.map) text += "\n" + toText(*looks.map);
  return text;
}

std::vector<compare::PageSection> sectionsOf(const Looks& looks) {
  std::vector<compare::PageSection> sections;
  if (!looks.explained.empty()) sections.push_back({"Explanations", compare::explanationHtml(looks.explained)});
  if (looks.agreement) sections.push_back({"Agreement", toHtml(*looks.agreement)});
  if (looks.contract) sections.push_back({"Contract", toHtml(*looks.contract)});
  if (looks.map) sections.push_back({"Break-even", toHtml(*looks.map)});
  return sections;
}

void addTo(nlohmann::json& document, const Looks& looks) {
  if (looks.agreement) document["agreement"] = toJson(*looks.agreement);
  if (looks.contract) document["contract"] = toJson(*looks.contract);
  if (looks.map) document["break_even"] = toJson(*looks.map);
  if (!looks.stopped.empty()) document["stopped"] = looks.stopped;
}

void requireKept(const Looks& looks) {
  if (!looks.contract) return;
  for (const compare::LaneContract& lane : looks.contract->lanes)
    for (const compare::ProbeOutcome& outcome : lane.outcomes)
      if (!outcome.failure.empty())
        throw Error(ErrorKind::Device, lane.lane + " fails the probe " + outcome.probe + ": " + outcome.failure);
}

}  // namespace sscope::cli
