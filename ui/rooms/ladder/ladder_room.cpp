#include "ui/rooms/ladder/ladder_room.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>

#include "core/base/error.h"
#include "core/ladder/bench_page.h"
#include "core/workload/catalog.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/model/session_model.h"
#include "ui/rooms/ladder/figure_chart.h"
#include "ui/rooms/ladder/ladder_setup.h"
#include "ui/rooms/ladder/ladder_table.h"
#include "ui/rooms/ladder/rung_details.h"

namespace sscope {

namespace {

constexpr int kRedrawDelayMilliseconds = 80;

// "bank-rates" is exported as "-rates".
QString stemOf(const FigureChart& chart) { return toQt(chart.figure().id).section(QLatin1Char('-'), 1); }

}  // namespace

LadderPage::LadderPage(const Toolbox& toolbox, LadderModel& model, QWidget* parent)
    : QWidget(parent), toolbox_(toolbox), model_(model) {
  setAccessibleName(tr("Ladders"));
  setup_ = new LadderSetup(toolbox, model, this);
  board_ = new FigureBoard(this);
  table_ = new LadderTable(this);
  details_ = new RungDetails(toolbox, this);
  tabs_ = named(new QTabWidget(this), "ladderTabs");
  tabs_->setDocumentMode(true);
  tabs_->addTab(table_, tr("Rows"));
  tabs_->addTab(details_, tr("Rung"));
  middle_ = new QStackedWidget(this);
  middle_->addWidget(buildEmpty());
  middle_->addWidget(board_);

  setup_->setMinimumWidth(em(this, 16));
  QSplitter* right = splitter(Qt::Vertical, {{middle_, 3, 30}, {tabs_, 2, 20}}, this);
  QSplitter* whole = splitter(Qt::Horizontal, {{setup_, 0, 19}, {right, 1, 80}}, this);
  auto* column = bareLayout<QVBoxLayout>(this);
  column->addWidget(whole);
  setFocusProxy(setup_->findChild<QWidget*>(QStringLiteral("ladderChoice")));

  redraw_.setSingleShot(true);
  redraw_.setInterval(kRedrawDelayMilliseconds);
  connect(&redraw_, &QTimer::timeout, this, &LadderPage::refresh);
  connect(&model_, &LadderModel::changed, this, [this](const QString& workload) {
    if (fromQt(workload) == workload_ && !redraw_.isActive()) redraw_.start();
  });
  connect(setup_, &LadderSetup::workloadChanged, this, [this](const QString& workload) {
    workload_ = fromQt(workload);
    details_->clear();
    showEmpty();
    refresh();
  });
  connect(setup_, &LadderSetup::rungPointed, this, [this](const QString& rung) {
    details_->showRung(workload_, fromQt(rung));
    tabs_->setCurrentWidget(details_);
  });
  // Moving in the list by key changes the explanation if it is open, but does not open it.
  connect(setup_, &LadderSetup::rungSelected, this, [this](const QString& rung) {
    if (tabs_->currentWidget() == details_) details_->showRung(workload_, fromQt(rung));
  });
  connect(board_, &FigureBoard::chosen, this, [this](const Measurement& measurement) {
    showMeasurement(measurement);
    table_->select(measurement);
    tabs_->setCurrentWidget(details_);
  });
  connect(table_, &LadderTable::chosen, this, &LadderPage::showMeasurement);
  connect(table_, &QTableView::doubleClicked, this, [this] { tabs_->setCurrentWidget(details_); });
  connect(table_, &QTableView::activated, this, [this] { tabs_->setCurrentWidget(details_); });
  connect(board_, &FigureBoard::exportRequested, this,
          [this](const FigureChart* chart, bool png) { Q_EMIT exportRequested(chartSuffix(stemOf(*chart), png)); });
  workload_ = setup_->choice().workload;
  showEmpty();
  refresh();
}

QWidget* LadderPage::buildEmpty() {
  auto* page = new QWidget(this);
  page->setAutoFillBackground(true);
  page->setBackgroundRole(QPalette::Base);
  empty_ = named(new QLabel(page), "ladderEmpty");
  empty_->setWordWrap(true);
  empty_->setTextFormat(Qt::RichText);
  empty_->setMaximumWidth(em(this, 44));
  empty_->setAlignment(Qt::AlignTop);
  auto* row = new QHBoxLayout(page);
  const int gap = em(this, 1.5);
  row->setContentsMargins(gap, gap, gap, gap);
  row->addStretch(1);
  row->addWidget(empty_, 20);
  row->addStretch(1);
  return upDownScroll(page, this);
}

void LadderPage::showEmpty() {
  const WorkloadKind* kind = findWorkloadKind(workload_);
  if (kind == nullptr) return;
  QStringList rungs;
  for (const Variant* rung : model_.rungs(workload_)) rungs << toQt(rung->name);
  empty_->setText(
      tr("<h3>%1</h3><p>A ladder is one computation in several versions, the rungs. Each rung adds one idea from a "
         "paper; "
         "the last one, <i>tuned</i>, is ours. Run the ladder to see what each idea gains on the devices of this "
         "machine, next to the numbers that the paper published for its devices.</p>"
         "<p>Every rung is verified against the reference in the same run; a wrong result gets no time. "
         "Published numbers are gray and dashed or hatched.</p>"
         "<p>Choose devices, sweep and rungs on the left and press <b>Run the ladder</b>. The figures are updated "
         "while it runs. Point at them to see numbers; click to see the explanation and the kernel.</p>"
         "<p><b>Rungs:</b> %2</p>")
          .arg(toQt(kind->title).toHtmlEscaped(), rungs.join(QStringLiteral(", ")).toHtmlEscaped()));
}

void LadderPage::refresh() {
  const LadderModel::Results results = model_.results(workload_);
  std::vector<Figure> figures = model_.figures(workload_);
  middle_->setCurrentIndex(figures.empty() ? 0 : 1);
  board_->setFigures(std::move(figures), results);
  table_->setRows(*results);
  tabs_->setTabText(0, results->empty() ? tr("Rows") : tr("Rows (%1)").arg(results->size()));
  Q_EMIT offersChanged();
}

void LadderPage::showMeasurement(const Measurement& measurement) { details_->showMeasurement(measurement); }

void LadderPage::run() { setup_->run(); }

void LadderPage::choose(const std::string& workload) { setup_->setWorkload(workload); }

QString LadderPage::exportStem() const { return toQt(workload_); }

std::vector<ExportOffer> LadderPage::exportOffers(double scale) const {
  const auto report = [this] {
    BenchReport made;
    made.machine = thisMachine();
    made.devices = toolbox_.engines->infos();
    made.results = *model_.results(workload_);
    if (!model_.sizeReason().isEmpty()) made.notes.push_back(fromQt(model_.sizeReason()));
    return made;
  };
  std::vector<ExportOffer> offers{
      {tr("Rows (CSV)"), QStringLiteral("-ladder.csv"), [report] { return writeText(toCsv(report())); }},
      {tr("Rows (JSON)"), QStringLiteral("-ladder.json"),
       [report] { return writeText(toJson(report()).dump(1) + "\n"); }},
      {tr("Report with figures (HTML)"), QStringLiteral("-ladder.html"),
       [report] { return writeText(toHtml(report())); }}};
  for (FigureChart* chart : board_->charts()) {
    const QString title = toQt(chart->figure().title);
    const auto present = [pointer = QPointer<FigureChart>(chart)] {
      if (!pointer)
        throw makeError(ErrorKind::NotFound, tr("the figure is no longer shown"), tr("run the ladder again"));
      return pointer.data();
    };
    offers.push_back({tr("%1 (PNG)").arg(title), chartSuffix(stemOf(*chart), true),
                      [present, scale] { return writeImage(present()->picture(scale)); }});
    offers.push_back({tr("%1 (CSV)").arg(title), chartSuffix(stemOf(*chart), false),
                      [present] { return writeText(present()->csv()); }});
  }
  return offers;
}

LadderRoom::LadderRoom(const Desk& desk, QObject* parent) : Room(parent), desk_(desk), model_(desk.toolbox) {
  page_ = new LadderPage(desk.toolbox, model_, &desk.window);
  // Filtering must also have freed its memory on the devices.
  model_.othersAtWork = [&live = desk.live] { return live.working(); };
  connect(&model_, &LadderModel::started, this, [this] {
    Q_EMIT started();
    Q_EMIT timingChanged();
  });
  connect(&model_, &LadderModel::progressed, this, &LadderRoom::tellProgress);
  connect(&model_, &LadderModel::ended, this, [this](const QString& outcome) {
    outcome_ = outcome;
    tell({.text = outcome, .everywhere = true});
    Q_EMIT timingChanged();
  });
  connect(page_, &LadderPage::exportRequested, this, &LadderRoom::exportRequested);
  connect(page_, &LadderPage::offersChanged, this, &LadderRoom::offersChanged);
  followSettings();
}

RoomSign LadderRoom::sign() const {
  return {QString::fromLatin1(kKey), tr("Ladders"), "ladders",
          tr("Time the rungs of a paper\u2019s ladder on every engine")};
}

QWidget& LadderRoom::page() { return *page_; }

RoomPanels LadderRoom::panels() const { return {{&desk_.enginesPanel}, 0}; }

void LadderRoom::setShown(bool shown) {
  Room::setShown(shown);
  if (model_.busy())
    tellProgress();
  else if (shown)
    tell({.text = outcome_.isEmpty() ? tr("no ladder has been run yet") : outcome_});
}

// While the room is shown, its page shows the progress.
void LadderRoom::tellProgress() {
  tell({.text = model_.progressText(),
        .busy = true,
        .fraction = model_.progress(),
        .everywhere = true,
        .ownBar = shown()});
}

void LadderRoom::runAgain() { page_->run(); }

std::vector<ExportOffer> LadderRoom::exportOffers(double scale) { return page_->exportOffers(scale); }

QString LadderRoom::exportStem() const { return page_->exportStem(); }

void LadderRoom::takeFocus() { page_->setFocus(); }

void LadderRoom::followSettings() {
  SessionModel& model = desk_.model;
  LadderSetup& setup = page_->setup();
  connect(&setup, &LadderSetup::settled, this, &LadderRoom::keep);
  connect(&setup, &LadderSetup::edited, this, [&model, &setup] { model.edit(setup.settings()); });
  // Undo and redo.
  connect(&model, &SessionModel::settingsChanged, this, [&model, &setup](const SettingsTable* table) {
    if (table != &LadderSettings::table()) return;
    const LadderSettings settings = model.settings<LadderSettings>();
    if (setup.settings() != settings) setup.restore(settings);
  });
  // A session without settings of this room leaves it unchanged.
  connect(&model, &SessionModel::replaced, this, [this, &model] {
    if (!model.session().holds(LadderSettings::table())) keep();
  });
  keep();
}

void LadderRoom::keep() { desk_.model.setSettings(page_->setup().settings()); }

void LadderRoom::restore(const Session& session) {
  if (const auto* settings = session.find<LadderSettings>()) page_->setup().restore(*settings);
}

void LadderRoom::remember() const { page_->setup().remember(); }

}  // namespace sscope

#include "moc_ladder_room.cpp"
