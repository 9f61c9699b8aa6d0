#include "ui/rooms/lattice/lattice_page.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QStackedLayout>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "core/base/error.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/curve_chart.h"
#include "ui/controls/number_box.h"
#include "ui/rooms/lattice/lattice_plots.h"
#include "ui/rooms/lattice/solve_panel.h"

namespace sscope {

namespace {
constexpr int kMostFrames = 30;
}

TimePlayer::TimePlayer(QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  const int gap = em(this, 0.3);
  row->setContentsMargins(gap, gap / 2, gap, gap / 2);
  row->setSpacing(2 * gap);
  play_ = named(new QToolButton(this), "latticePlay");
  slider_ = named(new QSlider(Qt::Horizontal, this), "latticeTime", tr("Time slice"));
  slider_->setToolTip(tr("The time slice that is shown; comma and period step it"));
  slider_->setPageStep(4);
  label_ = named(new QLabel(this), "latticeTimeText");
  label_->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("t 000 / 000")));
  rate_ = named(new NumberBox(tr("Time slices per second"), this), "latticeRate");
  rate_->setWhole(true);
  rate_->setRange(1, kMostFrames);
  rate_->setStep([](double value, int steps) { return value + steps; });
  rate_->setValue(framesPerSecond_);
  rate_->setToolTip(tr("How many time slices per second to play, 1 to %1").arg(kMostFrames));
  unit_ = quietLabel(tr("slices/s"), this);
  row->addWidget(play_);
  row->addWidget(slider_, 1);
  row->addWidget(label_);
  row->addWidget(rate_);
  row->addWidget(unit_);
  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, [this] { step(1); });
  connect(play_, &QToolButton::clicked, this, [this] { setPlaying(!playing()); });
  connect(slider_, &QSlider::valueChanged, this, [this](int slice) {
    showSlice();
    Q_EMIT sliceChanged(slice, playing() || slider_->isSliderDown());
  });
  connect(slider_, &QSlider::sliderReleased, this, [this] { Q_EMIT sliceChanged(slice(), playing()); });
  connect(rate_, &NumberBox::valueEdited, this, [this](double rate) {
    framesPerSecond_ = static_cast<int>(rate);
    if (playing()) setPlaying(true);
  });
  setPlaying(false);
  setSlices(1);
}

void TimePlayer::setSlices(int slices) {
  timeless_.reset();
  slices_ = std::max(slices, 1);
  if (slices_ < 2) setPlaying(false);
  slider_->setRange(0, slices_ - 1);
  for (QWidget* each : {static_cast<QWidget*>(play_), static_cast<QWidget*>(slider_), static_cast<QWidget*>(rate_)})
    each->setEnabled(slices_ > 1);
  showSlice();
}

void TimePlayer::setTimeless(const QString& why) {
  setSlices(1);
  timeless_ = why;
  showSlice();
}

int TimePlayer::slice() const { return slider_->value(); }
void TimePlayer::setSlice(int slice) { slider_->setValue(slice); }

void TimePlayer::setPlaying(bool playing) {
  if (playing && slices_ > 1) {
    timer_.start(1000 / framesPerSecond_);
  } else if (timer_.isActive()) {
    timer_.stop();
    Q_EMIT sliceChanged(slice(), false);
  }
  play_->setIcon(icon(timer_.isActive() ? "pause" : "play"));
  play_->setToolTip(timer_.isActive() ? tr("Pause (Space)") : tr("Play the time slices in a loop (Space)"));
  play_->setAccessibleName(timer_.isActive() ? tr("Pause") : tr("Play the time slices"));
}

void TimePlayer::step(int by) { slider_->setValue(((slice() + by) % slices_ + slices_) % slices_); }

void TimePlayer::showSlice() { label_->setText(timeless_.value_or(tr("t %1 / %2").arg(slice()).arg(slices_ - 1))); }

namespace {
// Of offered fields, in the order of SolveField.
constexpr std::array<const char*, 3> kSolveKeys{"solve-source", "solve-solution", "solve-residual"};

// Only the heat bath's chart can be empty beside a field.
void refuseEmpty(const CurveChart& chart) {
  if (chart.plot().curves.empty())
    throw makeError(ErrorKind::NotFound,
                    LatticePage::tr("there are no sweeps to export: the configuration was not generated here"),
                    LatticePage::tr("generate one first"));
}
}  // namespace

LatticePage::LatticePage(const Toolbox& toolbox, LatticeController& controller, QWidget* parent)
    : QWidget(parent), toolbox_(toolbox), controller_(controller) {
  setAccessibleName(tr("Lattice room"));
  tabs_ = named(new QTabWidget(this), "latticeTabs");
  tabs_->setDocumentMode(true);
  fields_ = new LatticeFields(controller, tabs_);
  tabs_->addTab(fields_, tr("Fields"));
  solve_ = new SolvePanel(toolbox, tabs_);
  tabs_->addTab(solve_, tr("Solve"));
  stack_ = new QStackedLayout(this);
  stack_->addWidget(buildBeginning());
  stack_->addWidget(tabs_);
  connect(&controller_, &LatticeController::configurationChanged, this, &LatticePage::showStack);
  connect(&controller_, &LatticeController::started, this, &LatticePage::showStack);
  connect(&controller_, &LatticeController::ended, this, &LatticePage::showStack);
  connect(&controller_, &LatticeController::fieldChanged, this, &LatticePage::offersChanged);
  connect(fields_, &LatticeFields::componentChanged, this, &LatticePage::offersChanged);
  connect(fields_, &LatticeFields::exportRequested, this, &LatticePage::exportRequested);
  followSolve();
  showStack();
}

bool LatticePage::solving() const { return tabs_->currentWidget() == solve_; }

void LatticePage::followSolve() {
  connect(&controller_, &LatticeController::configurationChanged, this,
          [this] { solve_->setConfiguration(controller_.configuration()); });
  connect(solve_, &SolvePanel::densitiesChanged, this, &LatticePage::offerFields);
  connect(solve_, &SolvePanel::fieldRequested, this, &LatticePage::showField);
  connect(solve_, &SolvePanel::offersChanged, this, &LatticePage::offersChanged);
  connect(solve_, &SolvePanel::exportRequested, this, &LatticePage::exportRequested);
  connect(tabs_, &QTabWidget::currentChanged, this, &LatticePage::offersChanged);
}

// |psi|^2 of what was solved, beside the fields of the links; those of the last solve until the next one has some.
void LatticePage::offerFields() {
  const std::shared_ptr<const SolveDensities> held = solve_->densities();
  if (!held && solve_->controller().busy()) return;
  std::vector<OfferedField> fields;
  if (held)
    fields = {{kSolveKeys[0], tr("|\u03c8|\u00b2 of the source"), {held, &held->source}},
              {kSolveKeys[1], tr("|\u03c8|\u00b2 of the solution"), {held, &held->solution}},
              {kSolveKeys[2], tr("|\u03c8|\u00b2 of the residual"), {held, &held->residual}}};
  controller_.offer(std::move(fields));
}

// A point source is zero everywhere else: the planes and the time go where it is.
void LatticePage::showField(SolveField field) {
  const SolveJob& job = solve_->controller().job();
  if (job.source.point) {
    const auto& site = job.source.site;
    const auto shown = controller_.field();
    shown && !shown->loop ? fields_->player().setSlice(site[3]) : fields_->setSlice(site[3]);
    fields_->views().setCrosshair({site[0], site[1], site[2]});
  }
  controller_.choose(kSolveKeys[static_cast<std::size_t>(field)]);
  tabs_->setCurrentWidget(fields_);
}

QWidget* LatticePage::buildBeginning() {
  auto* page = new QWidget(this);
  auto* title = new QLabel(tr("Drop a gauge configuration here, or generate one"), page);
  QFont large = title->font();
  large.setPointSizeF(large.pointSizeF() * 1.5);
  title->setFont(large);
  title->setAlignment(Qt::AlignCenter);
  title->setWordWrap(true);
  auto* hint = quietLabel(tr("Files of NERSC, ILDG and MILC v5 are read; their checksum, plaquette, link trace and "
                             "unitarity are checked before anything is shown. The heat bath makes a lattice of "
                             "8\u00a0\u00d7\u00a08\u00a0\u00d7\u00a08\u00a0\u00d7\u00a08 sites in a few seconds."),
                          page);
  hint->setAlignment(Qt::AlignCenter);
  hint->setWordWrap(true);
  auto* open = named(new QPushButton(icon("open"), tr("Open a configuration\u2026"), page), "latticeBeginOpen");
  open->setToolTip(tr("Choose a file (Ctrl+O)"));
  auto* generate = named(new QPushButton(icon("lattice"), tr("Generate one"), page), "latticeBeginGenerate");
  generate->setToolTip(tr("Choose the size and the coupling of a heat bath"));
  connect(open, &QPushButton::clicked, this, &LatticePage::openRequested);
  connect(generate, &QPushButton::clicked, this, &LatticePage::generateRequested);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  buttons->addWidget(open);
  buttons->addWidget(generate);
  buttons->addStretch(1);
  auto* column = new QVBoxLayout(page);
  column->setSpacing(em(this, 0.8));
  column->setContentsMargins(em(this, 3), 0, em(this, 3), 0);
  column->addStretch(2);
  column->addWidget(title);
  column->addWidget(hint);
  column->addLayout(buttons);
  column->addStretch(3);
  return page;
}

void LatticePage::showStack() {
  const bool working = controller_.configuration() || controller_.activity() == LatticeController::Activity::Generating;
  stack_->setCurrentIndex(working ? 1 : 0);
}

QString LatticePage::exportStem() const {
  return controller_.configuration() ? controller_.name().section(QLatin1Char('.'), 0, 0).replace(u' ', u'-')
                                     : QStringLiteral("lattice");
}

std::vector<ExportOffer> LatticePage::exportOffers(double scale) {
  if (solving()) return solve_->exportOffers(scale);
  std::vector<ExportOffer> offers;
  const std::shared_ptr<const ShownField> shown = controller_.field();
  const QString stem = QLatin1Char('-') + (shown ? shown->stem : QStringLiteral("field"));
  // What is there when the export starts, so that the file holds what is seen then.
  const auto field = [&](const QString& title, const QString& suffix, bool all) {
    ExportOffer offer{
        title, suffix, [this, all] {
          const std::shared_ptr<const ShownField> held = controller_.field();
          if (!held)
            throw makeError(ErrorKind::NotFound, tr("there is no field to export yet"),
                            tr("open a configuration first"));
          return ExportOffer::Writer([io = toolbox_.io, volume = held->volume, all, component = fields_->component()](
                                         const std::filesystem::path& path, const Control& control) {
            WriteOptions how;
            how.metadata.inSpace = false;
            io->write(path, all ? volume->clone() : componentOf(*volume, component), how, control);
          });
        }};
    offer.volume = true;
    if (shown) {
      offer.shape = shown->volume->shape();
      if (!all) offer.shape.components = 1;
      offer.type = shown->volume->type();
    }
    offers.push_back(std::move(offer));
  };
  const bool loop = shown && shown->loop;
  field(loop ? tr("Field: the part that is shown") : tr("Field: this time slice"),
        stem + (loop ? QStringLiteral(".nrrd") : QStringLiteral("-slice%1.nrrd").arg(fields_->player().slice())),
        false);
  field(loop ? tr("Field: all parts, as components") : tr("Field: all time slices, as components"),
        stem + QStringLiteral("-all.nrrd"), true);
  offers.push_back({tr("Picture of the views (PNG)"), stem + QStringLiteral(".png"),
                    [this] { return writeImage(fields_->renderToImage()); }});
  offers.push_back({tr("Flow curve (CSV)"), QStringLiteral("-flow.csv"),
                    [this] { return writeText(flowCsv(controller_.curve())); }});
  for (CurveChart* chart : fields_->charts())
    addChart(
        offers, chart->title(), chart->stem(),
        [chart, scale] {
          refuseEmpty(*chart);
          return chart->picture(scale);
        },
        [chart] {
          refuseEmpty(*chart);
          return chart->csv();
        });
  return offers;
}

bool LatticePage::takeKey(int key) {
  if (!controller_.configuration() || tabs_->currentWidget() != fields_) return false;
  using Layout = VolumeViews::Layout;
  TimePlayer& player = fields_->player();
  switch (key) {
    case Qt::Key_Space: player.setPlaying(!player.playing()); return true;
    case Qt::Key_Comma: player.step(-1); return true;
    case Qt::Key_Period: player.step(1); return true;
    case Qt::Key_0: fields_->views().setViewLayout(Layout::All); return true;
    case Qt::Key_1: fields_->toggleLayout(Layout::Axial); return true;
    case Qt::Key_2: fields_->toggleLayout(Layout::Coronal); return true;
    case Qt::Key_3: fields_->toggleLayout(Layout::Sagittal); return true;
    case Qt::Key_4: fields_->toggleLayout(Layout::Volume); return true;
    default: return false;
  }
}

void LatticePage::keyPressEvent(QKeyEvent* event) {
  if (!takeKey(event->key())) QWidget::keyPressEvent(event);
}

}  // namespace sscope

#include "moc_lattice_page.cpp"
