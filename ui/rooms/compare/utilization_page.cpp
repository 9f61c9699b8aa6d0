#include "ui/rooms/compare/utilization_page.h"

#include <QCoreApplication>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/engine_colors.h"

namespace sscope {

namespace {

struct LoadText {
  Q_DECLARE_TR_FUNCTIONS(Utilization)
};

using Clock = LoadMonitor::Clock;
using Moment = LoadMonitor::Moment;

const QString kUtilization = QStringLiteral("utilization");
constexpr double kGibibyte = 1024.0 * 1024 * 1024, kGap = std::numeric_limits<double>::quiet_NaN();
const QColor kProcessorColor(0x00, 0x72, 0xb2);

double secondsAt(Clock::time_point at, Clock::time_point now) {
  return std::chrono::duration<double>(at - now).count();
}

class Strips {
 public:
  Strips(const LoadMonitor& monitor, Clock::time_point now) : monitor_(monitor), now_(now) {}

  [[nodiscard]] std::vector<Strip> all() const {
    std::vector<Strip> strips{cores()};
    if (monitor_.moments().empty()) return strips;
    const MachineLoad& last = monitor_.moments().back().machine;
    strips.push_back(machine(LoadText::tr("memory"), LoadText::tr("GiB"), last.memoryTotal / kGibibyte,
                             [](const MachineLoad& load) { return scaled(load.memoryBytes, 1 / kGibibyte); }));
    strips.push_back(machine(LoadText::tr("clock, mean"), LoadText::tr("MHz"), 0,
                             [](const MachineLoad& load) { return load.megahertz; }));
    strips.push_back(
        machine(LoadText::tr("processor"), LoadText::tr("W"), 0, [](const MachineLoad& load) { return load.watts; }));
    addDevices(strips);
    strips.push_back(runs(LoadText::tr("runs, moved"), LoadText::tr("GB/s"), &LoadMonitor::Run::gbs));
    strips.push_back(runs(LoadText::tr("runs, computed"), LoadText::tr("GFLOP/s"), &LoadMonitor::Run::gflops));
    return strips;
  }

 private:
  static LoadFigure scaled(LoadFigure figure, double factor) {
    figure.value *= factor;
    return figure;
  }

  // A row for each core.
  [[nodiscard]] Strip cores() const {
    Strip strip{LoadText::tr("cores, busy"), QStringLiteral("%"), Strip::Kind::Rows, 100, {}, {}};
    for (const Moment& moment : monitor_.moments()) {
      const std::vector<double>& percent = moment.machine.cores.percent;
      if (percent.size() > strip.series.size()) strip.series.resize(percent.size());
      for (std::size_t core = 0; core < strip.series.size(); ++core)
        strip.series[core].points.emplace_back(secondsAt(moment.at, now_),
                                               core < percent.size() ? percent[core] : kGap);
    }
    for (std::size_t core = 0; core < strip.series.size(); ++core)
      strip.series[core].name = LoadText::tr("core %1").arg(core);
    if (strip.series.empty())
      strip.unavailable = monitor_.moments().empty() ? LoadText::tr("nothing was read yet")
                                                     : toQt(monitor_.moments().back().machine.cores.unavailable);
    return strip;
  }

  using Figure = std::function<LoadFigure(const MachineLoad&)>;
  [[nodiscard]] Strip machine(const QString& name, const QString& unit, double highest, const Figure& figure) const {
    Strip strip{name, unit, Strip::Kind::Lines, highest, {{{}, kProcessorColor, {}}}, {}};
    bool any = false;
    for (const Moment& moment : monitor_.moments()) {
      const LoadFigure value = figure(moment.machine);
      any |= value.unavailable.empty();
      strip.series[0].points.emplace_back(secondsAt(moment.at, now_), value.unavailable.empty() ? value.value : kGap);
    }
    if (any) return strip;
    strip.series.clear();
    strip.unavailable = toQt(figure(monitor_.moments().back().machine).unavailable);
    return strip;
  }

  // A strip for each quantity with a line for each device that tells it; the reasons of those that tell nothing.
  void addDevices(std::vector<Strip>& strips) const {
    using Value = std::optional<double> DeviceLoad::*;
    const auto add = [&](const QString& name, const QString& unit, double highest, Value value, double factor) {
      Strip strip{name, unit, Strip::Kind::Lines, highest, {}, {}};
      for (const auto& [id, load] : monitor_.moments().back().devices) {
        StripSeries series{toQt(id), engineColor(id), {}};
        bool any = false;
        for (const Moment& moment : monitor_.moments()) {
          const auto found = moment.devices.find(id);
          const bool known = found != moment.devices.end() && (found->second.*value).has_value();
          any |= known;
          series.points.emplace_back(secondsAt(moment.at, now_), known ? *(found->second.*value) * factor : kGap);
        }
        if (any) strip.series.push_back(std::move(series));
      }
      if (!strip.series.empty()) strips.push_back(std::move(strip));
    };
    double memory = 0;
    for (const auto& [id, load] : monitor_.moments().back().devices)
      memory = std::max(memory, load.memoryTotal.value_or(0) / kGibibyte);
    add(LoadText::tr("devices, busy"), QStringLiteral("%"), 100, &DeviceLoad::busy, 1);
    add(LoadText::tr("devices, memory"), LoadText::tr("GiB"), memory, &DeviceLoad::memoryBytes, 1 / kGibibyte);
    add(LoadText::tr("devices, clock"), LoadText::tr("MHz"), 0, &DeviceLoad::megahertz, 1);
    add(LoadText::tr("devices"), LoadText::tr("W"), 0, &DeviceLoad::watts, 1);
    for (const auto& [id, load] : monitor_.moments().back().devices)
      if (!load.unavailable.empty())
        strips.push_back({toQt(id), {}, Strip::Kind::Lines, 0, {}, toQt(load.unavailable)});
    if (monitor_.moments().back().devices.empty())
      strips.push_back({LoadText::tr("GPUs"), {}, Strip::Kind::Lines, 0, {}, LoadText::tr("no GPU reports its load")});
  }

  [[nodiscard]] Strip runs(const QString& name, const QString& unit, double LoadMonitor::Run::*value) const {
    Strip strip{name, unit, Strip::Kind::Dots, 0, {}, {}};
    for (const LoadMonitor::Run& run : monitor_.runs()) {
      auto series = std::ranges::find(strip.series, run.lane, &StripSeries::name);
      if (series == strip.series.end()) series = strip.series.insert(series, {run.lane, engineColor(run.engine), {}});
      if (run.*value > 0) series->points.emplace_back(secondsAt(run.at, now_), run.*value);
    }
    std::erase_if(strip.series, [](const StripSeries& series) { return series.points.empty(); });
    if (strip.series.empty()) strip.unavailable = LoadText::tr("no race ran in the last minute");
    return strip;
  }

  const LoadMonitor& monitor_;
  Clock::time_point now_;
};

}  // namespace

std::vector<Strip> loadStrips(const LoadMonitor& monitor, Clock::time_point now) { return Strips(monitor, now).all(); }

UtilizationPage::UtilizationPage(LoadMonitor& monitor, QWidget* parent) : QWidget(parent), monitor_(monitor) {
  setAccessibleName(tr("Utilization of the machine"));
  chart_ = new StripChart(this);
  chart_->setObjectName(QStringLiteral("utilization"));
  auto* area = new QScrollArea(this);
  area->setWidget(chart_);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setFocusPolicy(Qt::NoFocus);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(area);
  connect(chart_, &Chart::exportRequested, this,
          [this](bool png) { Q_EMIT exportRequested(chartSuffix(kUtilization, png)); });
  connect(&monitor_, &LoadMonitor::changed, this, [this] {
    if (isVisible()) refresh();
  });
  refresh();
}

void UtilizationPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void UtilizationPage::refresh() {
  StripPlot plot{tr("Utilization, the last minute"), kUtilization, {}, -60, 0, {}};
  plot.note = tr("All programs together. While something is timed, it is read only between two repetitions.");
  plot.strips = loadStrips(monitor_, Clock::now());
  chart_->setPlot(std::move(plot));
}

void UtilizationPage::addOffers(std::vector<ExportOffer>& offers, double scale) const {
  StripChart* chart = chart_;
  addChart(
      offers, tr("utilization"), kUtilization, [chart, scale] { return chart->picture(scale); },
      [chart] { return chart->csv(); });
  offers.push_back({tr("Chart: utilization (SVG)"), QLatin1Char('-') + kUtilization + QStringLiteral(".svg"),
                    [chart] { return writeText(chart->svg()); }});
}

}  // namespace sscope

#include "moc_utilization_page.cpp"
