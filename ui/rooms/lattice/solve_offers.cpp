// What a solve leaves the window as.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "ui/base/text.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/bar_chart.h"
#include "ui/charts/timeline_chart.h"
#include "ui/rooms/lattice/solve_correlator.h"
#include "ui/rooms/lattice/solve_kernels.h"
#include "ui/rooms/lattice/solve_panel.h"
#include "ui/rooms/lattice/solve_plots.h"

namespace sscope {

namespace {

const QString kResidualSuffix = QStringLiteral("-residuals.csv"), kTraceSuffix = QStringLiteral("-trace.json"),
              kSharesSuffix = QStringLiteral("-kernel-shares.csv"),
              kCorrelatorSuffix = QStringLiteral("-correlator.csv");

std::string traceJson(const std::vector<SolveLine>& lines) {
  std::vector<NamedTrace> traces;
  for (const SolveLine& line : lines)
    if (line.run && !line.run->trace.spans.empty())
      traces.push_back({line.run->engine + ' ' + line.run->variant, line.run->trace});
  if (traces.empty())
    throw makeError(ErrorKind::NotFound, SolvePanel::tr("there is no trace to export yet"),
                    SolvePanel::tr("solve first"));
  return chromeTrace(traces).dump();
}

// Charts of a tab that was never seen have no size yet.
QImage pictureOf(Plot& chart, double scale) {
  const QSize least = chart.minimumSizeHint();
  if (chart.width() < least.width() || chart.height() < least.height()) chart.resize(chart.sizeHint());
  return chart.picture(scale);
}

}  // namespace

std::vector<Plot*> SolvePanel::charts() const {
  return {residual_, &kernels_->bars(), &kernels_->timeline(), &correlator_->correlator(), &correlator_->mass()};
}

std::vector<ExportOffer> SolvePanel::exportOffers(double scale) {
  std::vector<ExportOffer> offers;
  offers.push_back({tr("Residuals (CSV)"), kResidualSuffix, [this] {
                      if (controller_.lines().empty())
                        throw makeError(ErrorKind::NotFound, tr("there is no residual to export yet"),
                                        tr("solve first"));
                      return writeText(residualCsv(controller_.lines()));
                    }});
  offers.push_back({tr("Correlator and effective mass (CSV)"), kCorrelatorSuffix, [this] {
                      const SolveRun* run = correlatorRun(controller_.lines());
                      if (!run)
                        throw makeError(ErrorKind::NotFound, tr("there is no correlator to export yet"),
                                        tr("solve for a whole propagator first"));
                      return writeText(correlatorCsv(*run, correlator_->free()));
                    }});
  offers.push_back({tr("Traces of the kernels (JSON, for Perfetto or chrome://tracing)"), kTraceSuffix,
                    [this] { return writeText(traceJson(controller_.lines())); }});
  for (Plot* chart : charts())
    offers.push_back({tr("Chart: %1 (PNG)").arg(chart->title()), chartSuffix(chart->stem(), true),
                      [chart, scale] { return writeImage(pictureOf(*chart, scale)); }});
  offers.push_back({tr("Kernel shares (CSV)"), kSharesSuffix, [this] { return writeText(kernels_->bars().csv()); }});
  return offers;
}

// The numbers of most charts are exported with those of others.
QString SolvePanel::offerOf(const Plot& chart, bool png) const {
  if (png) return chartSuffix(chart.stem(), true);
  if (&chart == residual_) return kResidualSuffix;
  if (&chart == &kernels_->timeline()) return kTraceSuffix;
  return &chart == &kernels_->bars() ? kSharesSuffix : kCorrelatorSuffix;
}

}  // namespace sscope
