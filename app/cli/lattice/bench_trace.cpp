#include "app/cli/lattice/bench_trace.h"

#include "core/lattice/job/cr_trace.h"

namespace sscope::cli {

std::string traceRows(const Workshop& workshop, const Workload& workload, const ConstArrayView& input,
                      std::span<const Measurement> results, int threads, std::vector<NamedTrace>& traces,
                      const Control& control) {
  const auto& cr = workloadAs<CrWorkload>(workload);
  std::string text;
  for (const Measurement& m : results) {
    if (!m.hasFigures()) continue;
    Engine& engine = workshop.engines.at(m.engine);
    PrepareOptions options;
    options.threads = threads;
    // The values that the row was timed with.
    for (const Option& option : workshop.variants.at("cr", engine.info().kind, m.variant).options)
      if (m.params.contains(option.name)) options.values[option.name] = optionFromJson(option, m.params[option.name]);
    NamedTrace& one =
        traces.emplace_back(NamedTrace{m.engine + " " + m.variant, traceCr(engine, workshop.variants, m.variant, cr,
                                                                           input, options, {control.stop, {}})});
    text += "\nkernels of " + one.name + ", traced:\n" + sharesTable(one.trace);
  }
  return text;
}

}  // namespace sscope::cli
