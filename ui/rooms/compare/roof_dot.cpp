#include "ui/rooms/compare/roof_dot.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/engine_colors.h"
#include "ui/model/engine_times.h"

namespace sscope {

namespace {

struct RoofText {
  Q_DECLARE_TR_FUNCTIONS(RoofText)
};

QString wordsOf(const RoofDot& dot, const Verification& found) {
  return RoofText::tr("%1: %2 of %3 at %4 operations per byte, %5 % of the roof, measured on %6; %7")
      .arg(dot.name, formatGflops(dot.gflops), formatGflops(dot.allowed()), formatNumber(dot.intensity),
           formatNumber(100 * dot.gflops / dot.allowed()), toQt(dot.roofs.date.substr(0, 10)),
           toQt(verificationText(found)));
}

}  // namespace

double RoofDot::allowed() const { return std::min(roofs.gflops(precision), intensity * roofs.gbs); }

std::vector<RoofDot> roofDots(const compare::Comparison& comparison, bool foreign) {
  std::vector<RoofDot> dots;
  for (const compare::Lane& lane : comparison.lanes) {
    const Measurement& m = lane.measurement;
    if (!lane.hasFigures() || !m.ceilings || !(m.bytes > 0) || !(m.leastOperations() > 0)) continue;
    if (!(m.ceilings->gbs > 0) || !(m.ceilings->gflops(m.precision) > 0)) continue;
    RoofDot dot;
    dot.engine = m.engine;
    dot.name = foreign ? toQt(comparison.where() + ": " + lane.name()) : toQt(lane.name());
    dot.color = foreign ? absentColor() : engineColor(m.engine);
    dot.intensity = m.leastOperations() / m.bytes;
    dot.gflops = m.leastOperations() / lane.kernel().median * 1e-9;
    dot.roofs = *m.ceilings;
    dot.precision = m.precision;
    dot.integers = m.ofIntegers();
    dot.words = wordsOf(dot, m.verification);
    dots.push_back(std::move(dot));
  }
  return dots;
}

std::vector<Roof> roofsOf(const RoofDot& dot) {
  const Ceilings& c = dot.roofs;
  const double peak = c.gflops(dot.precision);
  std::vector<Roof> roofs;
  const auto add = [&](double gbs, double top, Qt::PenStyle style, const QString& what, const QString& rate) {
    if (gbs > 0 && top > 0)
      roofs.push_back(
          {gbs, top, style, roofs.empty(),
           RoofText::tr("%1: %2, %3, measured on %4").arg(dot.name, what, rate, toQt(c.date.substr(0, 10)))});
  };
  const auto gbs = [](double value) { return RoofText::tr("%1 GB/s").arg(formatNumber(value)); };
  add(c.gbs, peak, Qt::SolidLine, RoofText::tr("copies and multiply-adds"),
      RoofText::tr("%1 and %2").arg(gbs(c.gbs), formatGflops(peak)));
  add(c.gbsCache, peak, Qt::DashLine, RoofText::tr("the second-level cache"), gbs(c.gbsCache));
  add(c.gbsLocal, peak, Qt::DashDotLine, RoofText::tr("local memory"), gbs(c.gbsLocal));
  if (dot.precision == Precision::f32)
    add(c.gbs, c.gflopsLoaded, Qt::DotLine, RoofText::tr("multiply-adds that load"), formatGflops(c.gflopsLoaded));
  if (dot.integers)
    add(c.gbs, c.gopsInteger, Qt::DashDotDotLine, RoofText::tr("multiply-adds of integers"),
        RoofText::tr("%1 GOP/s").arg(formatNumber(c.gopsInteger)));
  return roofs;
}

}  // namespace sscope
