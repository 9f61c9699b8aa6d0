#include "ui/rooms/compare/compare_page.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedLayout>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/error.h"
#include "core/compare/capsule.h"
#include "core/compare/compare_page.h"
#include "core/filter/job/bank_case.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/controls/labels.h"
#include "ui/controls/setting_controls.h"
#include "ui/panels/previews.h"
#include "ui/rooms/compare/lane_board.h"
#include "ui/rooms/compare/look_pages.h"
#include "ui/rooms/compare/race_setup.h"
#include "ui/rooms/compare/roofline_chart.h"

namespace sscope {

namespace {

// The file name stems of the charts.
const QString kLanes = QStringLiteral("lanes"), kRoofline = QStringLiteral("roofline");

QString sentence(const std::string& text) {
  if (text.empty()) return {};
  return toQt(text) + (text.ends_with('.') ? QString() : QStringLiteral("."));
}

}  // namespace

ComparePage::ComparePage(const Parts& parts, QWidget* parent) : QWidget(parent), parts_(parts) {
  setAccessibleName(tr("Compare room"));
  bar_ = new RaceBar(parts_.setup.controls(), this);
  shelf_ = new CapsuleShelf(*this);
  roofline_ = new RooflineChart(this);
  roofline_->setObjectName(QStringLiteral("roofline"));
  tabs_ = new QTabWidget(this);
  tabs_->setObjectName(QStringLiteral("raceTabs"));
  tabs_->setDocumentMode(true);
  tabs_->tabBar()->setAccessibleName(tr("Figures of the race"));
  tabs_->addTab(buildLanes(), tr("Lanes"));
  tabs_->addTab(roofline_, tr("Roofline"));
  looks_ = new LookPages({parts_.model, parts_.race, parts_.looks, parts_.load, parts_.setup}, *tabs_);
  auto* below = new QWidget(this);
  stack_ = new QStackedLayout(below);
  stack_->addWidget(tabs_);
  notice_ = new Notice(tr("Message of the Compare room"), below);
  notice_->setObjectName(QStringLiteral("compareNotice"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(bar_);
  column->addWidget(below, 1);
  follow();
  setFocusProxy(bar_->findChild<QWidget*>(QStringLiteral("race")));
}

QWidget* ComparePage::buildLanes() {
  const auto numbers = [this] {
    const auto own = parts_.race.comparison();
    return compare::lanesCsv(own ? own.get() : nullptr, others());
  };
  board_ = new LaneBoard(numbers, this);
  board_->setObjectName(QStringLiteral("laneBoard"));
  scroll_ = upDownScroll(board_, this);
  scroll_->viewport()->setBackgroundRole(QPalette::Base);
  lanes_ = new QStackedWidget(this);
  lanes_->addWidget(buildEmpty());
  lanes_->addWidget(scroll_);
  return lanes_;
}

void ComparePage::follow() {
  connect(bar_, &RaceBar::raceClicked, this, [this] {
    if (parts_.race.busy())
      parts_.race.cancel();
    else
      Q_EMIT raceRequested();
  });
  connect(bar_, &RaceBar::addRequested, shelf_, &CapsuleShelf::choose);
  connect(bar_, &RaceBar::clearRequested, shelf_, &CapsuleShelf::clear);
  connect(bar_, &RaceBar::exportRequested, this, [this] { Q_EMIT exportRequested({}); });
  connect(board_, &Chart::exportRequested, this,
          [this](bool png) { Q_EMIT exportRequested(chartSuffix(kLanes, png)); });
  connect(roofline_, &Chart::exportRequested, this,
          [this](bool png) { Q_EMIT exportRequested(chartSuffix(kRoofline, png)); });
  connect(board_, &LaneBoard::laneShown, this, [this](const QRect& area) {
    scroll_->ensureVisible(area.center().x(), area.center().y(), 0, area.height() / 2);
  });
  connect(shelf_, &CapsuleShelf::failed, this, &ComparePage::showError);
  connect(shelf_, &CapsuleShelf::changed, this, [this] {
    bar_->showCapsules(static_cast<int>(shelf_->capsules().size()));
    showError({});
    refresh();
    refreshRoofline();
    Q_EMIT offersChanged();
  });
  connect(&parts_.race, &RaceModel::moved, this, &ComparePage::refresh);
  connect(&parts_.race, &RaceModel::started, this, [this] {
    stale_ = false;
    showError({});
    bar_->showBusy(true);
    Q_EMIT offersChanged();
  });
  connect(&parts_.race, &RaceModel::failed, this, &ComparePage::showError);
  connect(&parts_.race, &RaceModel::ended, this, [this] {
    bar_->showBusy(false);
    if (const auto own = parts_.race.comparison()) roofline_->add(roofDots(*own, false));
    refreshRoofline();
    refresh();
    Q_EMIT offersChanged();
  });
  connect(&parts_.model, &SessionModel::dataChanged, this, &ComparePage::showStack);
  connect(&parts_.model, &SessionModel::settingsChanged, this, &ComparePage::showStack);
  connect(looks_, &LookPages::failed, this, &ComparePage::showError);
  connect(looks_, &LookPages::raceRequested, this, [this](const RaceJob& job) {
    tabs_->setCurrentWidget(lanes_);
    Q_EMIT raceAtRequested(job);
    board_->setFocus();
  });
  connect(looks_, &LookPages::exportRequested, this, &ComparePage::exportRequested);
  connect(looks_, &LookPages::offersChanged, this, &ComparePage::offersChanged);
}

QWidget* ComparePage::buildEmpty() {
  auto* page = new QWidget(this);
  page->setAutoFillBackground(true);
  page->setBackgroundRole(QPalette::Base);
  auto* empty = new QLabel(page);
  empty->setObjectName(QStringLiteral("raceEmpty"));
  empty->setWordWrap(true);
  empty->setTextFormat(Qt::RichText);
  empty->setMaximumWidth(em(this, 44));
  empty->setAlignment(Qt::AlignTop);
  empty->setText(tr(
      "<h3>Which engine is faster at this job?</h3>"
      "<p>Press <b>Race</b>. Every contender computes the job from nothing, one after the other, and its picture fills "
      "in as its parts are finished. Then all of them take turns while the window does not redraw: these repetitions "
      "are quoted, as medians with quartiles.</p>"
      "<p>Every result is compared with the reference before and after it is timed; a wrong one gets no time. What "
      "other programs disturbed is marked with <b>!</b> and the reason.</p>"
      "<p>Choose the job and the contenders in the Race panel. Capsules of other machines appear beside yours in "
      "gray: <b>Add capsules</b>. <b>Export</b> writes yours.</p>"));
  auto* row = new QHBoxLayout(page);
  const int gap = em(this, 1.5);
  row->setContentsMargins(gap, gap, gap, gap);
  row->addStretch(1);
  row->addWidget(empty, 20);
  row->addStretch(1);
  return upDownScroll(page, this);
}

void ComparePage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  showStack();
}

void ComparePage::showStack() {
  const bool lanes = !board_->lanes().empty();
  const bool needsData = parts_.model.settings<CompareSettings>().job == kBankCase && !parts_.model.hasData();
  lanes_->setCurrentIndex(lanes ? 1 : 0);
  if (!lanes && needsData && gallery_ == nullptr && isVisible()) {
    gallery_ = new SampleGallery(parts_.toolbox, this);
    // It is made when the window already has its size, which it must not change.
    gallery_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    stack_->addWidget(gallery_);
    connect(gallery_, &SampleGallery::chosen, this,
            [this](const std::string& name) { parts_.loader.openSample(name); });
    connect(gallery_, &SampleGallery::openRequested, this, &ComparePage::openRequested);
  }
  stack_->setCurrentIndex(!lanes && needsData && gallery_ ? 1 : 0);
}

void ComparePage::setStale(bool stale) {
  if (stale == stale_) return;
  stale_ = stale;
  refresh();
}

void ComparePage::showError(const QString& message) { notice_->showMessage(Notice::Kind::Error, message); }

namespace {

// Compares what is known of a running race, whose recipe is complete only after it has ended.
bool mayBeOf(const compare::CaseRecipe& running, const compare::CaseRecipe& other) {
  return running.computes == other.computes && running.parameters == other.parameters &&
         running.data.from == other.data.from && running.data.name == other.data.name;
}

}  // namespace

std::vector<const compare::Comparison*> ComparePage::drawnCapsules() const {
  const auto own = parts_.race.comparison();
  std::vector<const compare::Comparison*> drawn;
  for (const auto& capsule : shelf_->capsules())
    if (own ? sameCase(*own, *capsule) : parts_.race.lanes().empty() || mayBeOf(parts_.race.recipe(), capsule->recipe))
      drawn.push_back(capsule.get());
  return drawn;
}

std::vector<compare::Comparison> ComparePage::others() const {
  std::vector<compare::Comparison> copies;
  for (const compare::Comparison* capsule : drawnCapsules()) copies.push_back(*capsule);
  return copies;
}

QStringList ComparePage::sentences() const {
  QStringList all;
  const auto add = [&all](const QString& text) {
    if (!text.isEmpty() && !all.contains(text)) all << text;
  };
  const auto own = parts_.race.comparison();
  if (stale_) add(tr("What is raced at has changed since then: race again (F5)."));
  if (own) {
    add(sentence(compare::standingText(own->lanes, compare::Times::Total)));
    add(sentence(compare::standingText(own->lanes, compare::Times::Kernel)));
    for (const std::string& note : own->notes) add(toQt(note));
  }
  for (const compare::Comparison* capsule : drawnCapsules()) {
    const std::string there = compare::standingText(capsule->lanes, compare::Times::Total);
    if (!there.empty()) add(tr("On %1, %2").arg(toQt(capsule->where()), sentence(there)));
    if (own) add(sentence(compare::replayText(compare::replayed(*capsule, *own, compare::Times::Total))));
  }
  if (const auto left = shelf_->capsules().size() - drawnCapsules().size(); left > 0)
    add(tr("%n capsule(s) of another job or other data are not drawn.", nullptr, static_cast<int>(left)));
  return all;
}

void ComparePage::refresh() {
  std::vector<DrawnLane> lanes = drawnLanes(parts_.race.lanes(), parts_.race.busy());
  const std::vector<const compare::Comparison*> capsules = drawnCapsules();
  for (const compare::Comparison* capsule : capsules)
    for (DrawnLane& lane : drawnLanes(*capsule)) lanes.push_back(std::move(lane));
  QString title;
  if (!parts_.race.lanes().empty())
    title = toQt(compare::titleOf(parts_.race.recipe()));
  else if (!capsules.empty())
    title = toQt(compare::titleOf(capsules.front()->recipe));
  const bool busy = parts_.race.busy();
  board_->setLanes(title, busy ? QStringList() : sentences(), std::move(lanes), parts_.race.window());
  bar_->showDoing(busy ? parts_.race.progressText() : QString());
  showStack();
}

void ComparePage::refreshRoofline() {
  std::vector<RoofDot> dots;
  for (const compare::Comparison* capsule : drawnCapsules())
    for (RoofDot& dot : roofDots(*capsule, true)) dots.push_back(std::move(dot));
  roofline_->setForeign(std::move(dots));
}

std::vector<ExportOffer> ComparePage::exportOffers(double scale) const {
  std::vector<ExportOffer> offers;
  LaneBoard* board = board_;
  addChart(
      offers, tr("lanes"), kLanes, [board, scale] { return board->picture(scale); }, [board] { return board->csv(); });
  offers.push_back({tr("Chart: lanes (SVG)"), QLatin1Char('-') + kLanes + QStringLiteral(".svg"),
                    [board] { return writeText(board->svg()); }});
  RooflineChart* roofline = roofline_;
  addChart(
      offers, tr("roofline"), kRoofline, [roofline, scale] { return roofline->picture(scale); },
      [roofline] { return roofline->csv(); });
  offers.push_back({tr("Chart: roofline (SVG)"), QLatin1Char('-') + kRoofline + QStringLiteral(".svg"),
                    [roofline] { return writeText(roofline->svg()); }});
  looks_->addOffers(offers, scale);
  const auto whole = [this] {
    auto own = parts_.race.comparison();
    if (!own) throw makeError(ErrorKind::NotFound, tr("no race has come to its end yet"), tr("race first"));
    return own;
  };
  offers.push_back({tr("Page (HTML)"), QStringLiteral("-compare.html"),
                    [this, whole] { return writeText(compare::toPage(*whole(), others())); }});
  offers.push_back({tr("Capsule (JSON)"), QStringLiteral("-capsule.json"), [whole] {
                      const auto own = whole();
                      if (const std::string why = compare::notPortable(own->recipe); !why.empty())
                        throw makeError(ErrorKind::Unsupported,
                                        tr("this cannot be put in a capsule: %1").arg(toQt(why)),
                                        tr("export the page"));
                      return writeText(compare::capsuleOf(*own).dump(1) + "\n");
                    }});
  return offers;
}

RaceBar::RaceBar(SettingControls& controls, QWidget* parent) : TwoRowBar(parent) {
  race_ = new QPushButton(this);
  race_->setObjectName(QStringLiteral("race"));
  race_->setIcon(icon("compare"));
  doing_ = new ElidedLabel(this);
  doing_->setObjectName(QStringLiteral("raceDoing"));
  doing_->setAccessibleName(tr("What the race does"));
  first()->addWidget(race_);
  first()->addWidget(doing_, 1);
  SettingField& again = controls.field("again");
  again.setParent(this);
  second()->addWidget(&again);
  QToolButton* add = button("open", tr("Add capsules…"),
                            tr("Opens capsules or pages of other machines, as gray lanes beside these"), "addCapsules");
  clear_ = button("close", {}, tr("Removes the lanes of other machines"), "clearCapsules");
  QToolButton* save =
      button("export", tr("Export…"), tr("Pictures, numbers, the page and the capsule (Ctrl+E)"), "exportRace");
  connect(race_, &QPushButton::clicked, this, &RaceBar::raceClicked);
  connect(add, &QToolButton::clicked, this, &RaceBar::addRequested);
  connect(clear_, &QToolButton::clicked, this, &RaceBar::clearRequested);
  connect(save, &QToolButton::clicked, this, &RaceBar::exportRequested);
  showBusy(false);
  showCapsules(0);
}

QToolButton* RaceBar::button(const char* iconName, const QString& text, const QString& tip, const char* name) {
  auto* made = new QToolButton(this);
  made->setObjectName(QLatin1String(name));
  made->setIcon(icon(iconName));
  made->setText(text);
  made->setToolButtonStyle(text.isEmpty() ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
  made->setToolTip(tip);
  made->setAccessibleName(text.isEmpty() ? tip : text);
  made->setAutoRaise(true);
  made->setFocusPolicy(Qt::StrongFocus);
  second()->addWidget(made);
  return made;
}

void RaceBar::showBusy(bool busy) {
  race_->setText(busy ? tr("Cancel (Esc)") : tr("Race (F5)"));
  race_->setToolTip(busy ? tr("Stops the race; what the lanes have stays")
                         : tr("Computes the job on every contender, and then times them in turns"));
}

void RaceBar::showDoing(const QString& text) {
  if (doing_->wholeText() != text) doing_->setWholeText(text);
}

void RaceBar::showCapsules(int count) { clear_->setVisible(count > 0); }

}  // namespace sscope

#include "moc_compare_page.cpp"
