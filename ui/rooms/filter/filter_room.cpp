#include "ui/rooms/filter/filter_room.h"

#include <QMenu>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <memory>

#include "core/filter/families/family.h"
#include "core/filter/job/filter_view.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/notice.h"
#include "ui/base/text.h"
#include "ui/charts/histogram_view.h"
#include "ui/model/visible_slices.h"
#include "ui/panels/data_panel.h"
#include "ui/panels/engines_panel.h"
#include "ui/panels/hover_readout.h"
#include "ui/panels/panel.h"
#include "ui/panels/previews.h"
#include "ui/rooms/filter/bank_panel.h"
#include "ui/rooms/filter/filter_list.h"
#include "ui/rooms/filter/laboratory_panel.h"
#include "ui/rooms/filter/look_strip.h"
#include "ui/rooms/filter/profile_panel.h"
#include "ui/rooms/filter/view_bar.h"
#include "ui/rooms/filter/view_link.h"
#include "ui/rooms/filter/volume_panel.h"
#include "ui/views/volume_views.h"

namespace sscope {

FilterPage::FilterPage(const Toolbox& toolbox, SessionModel& model, LiveController& live, DataLoader& loader,
                       QWidget* parent)
    : QWidget(parent) {
  auto* gallery = new SampleGallery(toolbox, this);
  auto* work = new QWidget(this);
  views_ = new VolumeViews(work);
  views_->setAccessibleName(tr("Slices and 3D view"));
  auto* column = bareLayout<QVBoxLayout>(work, 0);
  auto* bar = new ViewBar(model, *views_, work);
  column->addWidget(bar);
  auto* pictures = new QWidget(work);
  auto* below = bareLayout<QVBoxLayout>(pictures, 0);
  below->addWidget(new LookStrip(model, *views_, pictures));
  below->addWidget(views_, 1);
  below->addWidget(new HoverReadout(model, *views_, pictures));
  profile_ = new ProfilePanel(model, live, *views_, work);
  laboratory_ = new LaboratoryPanel(model, work);
  auto* volumeLink = new VolumeLink(model, *views_, this);
  volume_ = new VolumePanel(model, *views_, *volumeLink, work);
  auto* split = new QSplitter(Qt::Vertical, work);
  split->addWidget(pictures);
  split->addWidget(profile_);
  split->addWidget(laboratory_);
  split->addWidget(volume_);
  split->setChildrenCollapsible(false);
  split->setStretchFactor(0, 1);
  split->setSizes({em(this, 40), em(this, 16), em(this, 20), em(this, 13)});
  column->addWidget(split, 1);
  connect(bar, &ViewBar::profileRequested, profile_, &ProfilePanel::toggle);
  connect(bar, &ViewBar::laboratoryRequested, laboratory_, &LaboratoryPanel::toggle);
  connect(bar, &ViewBar::volumeRequested, volume_, &VolumePanel::toggle);
  new ViewLink(model, live, *views_, this);
  auto* large = new LargeLink(model, *views_, this);
  connect(large, &LargeLink::failed, this, &FilterPage::readingFailed);
  compare_ = new CompareLink(model, *views_, this);
  // Neither may disturb a measurement.
  const auto holds = std::make_shared<std::array<bool, 2>>();
  const auto hold = [holds, &live](std::size_t which) {
    return [holds, which, &live](bool busy) {
      (*holds)[which] = busy;
      live.holdComparison((*holds)[0] || (*holds)[1]);
    };
  };
  connect(views_, &VolumeViews::drawingChanged, &live, hold(0));
  connect(laboratory_, &LaboratoryPanel::busyChanged, &live, hold(1));

  stack_ = new QStackedLayout(this);
  stack_->addWidget(upDownScroll(gallery, this));  // in a low window
  stack_->addWidget(work);
  connect(gallery, &SampleGallery::chosen, &loader, [&loader](const std::string& name) { loader.openSample(name); });
  connect(gallery, &SampleGallery::openRequested, this, &FilterPage::openRequested);
  connect(&model, &SessionModel::dataChanged, this,
          [this, &model] { stack_->setCurrentIndex(model.hasData() ? 1 : 0); });
}

namespace {
// Stems of the charts' files.
const QString kWait = QStringLiteral("wait"), kTime = QStringLiteral("time"),
              kThroughput = QStringLiteral("throughput"), kHistogram = QStringLiteral("histogram"),
              kResultHistogram = QStringLiteral("result-histogram"), kProfile = QStringLiteral("line-profile");
}  // namespace

FilterRoom::FilterRoom(const Desk& desk, QObject* parent)
    : PictureRoom(desk.model, parent), desk_(desk), filtering_(desk.live) {
  page_ = new FilterPage(desk.toolbox, desk.model, desk.live, desk.loader, &desk.window);
  bank_ = new BankPanel(desk.model, {desk.toolbox.io, &desk.guard}, &desk.window);
  bankPanel_ = new Panel(tr("Filter bank"), QStringLiteral("panel-bank"), bank_, &desk.window);
  buildEntries();
  buildViewEntries();
  followCharts();
  followResult();
  connect(&page_->profile().chart(), &ProfileChart::exportRequested, this,
          [this](bool png) { Q_EMIT exportRequested(chartSuffix(kProfile, png)); });
  connect(&page_->laboratory(), &LaboratoryPanel::exportRequested, this,
          [this](const QString& stem, bool png) { Q_EMIT exportRequested(chartSuffix(stem, png)); });
  connect(&page_->laboratory(), &LaboratoryPanel::shownChanged, this, &FilterRoom::offersChanged);
  connect(&model_, &SessionModel::settingsChanged, this, [this](const SettingsTable* table) {
    if (table == &FilterView::table()) Q_EMIT offersChanged();
  });
  connect(&filtering_, &FilterWords::changed, this, &FilterRoom::tell);
  connect(page_, &FilterPage::openRequested, this, &FilterRoom::openRequested);
  connect(page_, &FilterPage::readingFailed, this,
          [this](const QString& why) { desk_.data.notice().showMessage(Notice::Kind::Error, why); });
  connect(&desk.live, &LiveController::started, this, &FilterRoom::started);
  connect(&desk.live, &LiveController::leftOutChanged, bank_, &BankPanel::showLeftOut);
  connect(&desk.live, &LiveController::failed, bank_, &BankPanel::showError);
  connect(&desk.live, &LiveController::wholeReady, bank_, [this](const LiveWhole& whole) {
    bank_->showError({});
    bank_->showLastSteps(whole);
  });
}

RoomSign FilterRoom::sign() const {
  return {QString::fromLatin1(kKey), tr("Filter"), "filter", tr("Filter images and volumes on every engine")};
}

QWidget& FilterRoom::page() { return *page_; }

RoomPanels FilterRoom::panels() const {
  return {{&desk_.dataPanel, bankPanel_, &desk_.enginesPanel}, SIZE_MAX, {20, 30}};
}

VolumeViews& FilterRoom::views() { return page_->views(); }

void FilterRoom::see(const Seen& seen) {
  model_.changeView([&](ViewState& view) {
    view.show = seen.show;
    view.layout = seen.layout;
  });
}

void FilterRoom::buildEntries() {
  auto* add = new QMenu(tr("&Add filter"), &desk_.window);
  add->setIcon(icon("add"));
  for (const FilterFamily& family : filterFamilies())
    bankActions_ << add->addAction(toQt(family.label), this,
                                   [this, name = family.name] { bank_->filters().addFilter(name); });
  entries_ << add->menuAction();
  FilterList& filters = bank_->filters();
  auto* templates = new QMenu(tr("&Templates"), &desk_.window);
  templates->setIcon(icon("templates"));
  fillTemplateMenu(*templates,
                   [&filters](const std::string& name, bool replace) { filters.useTemplate(name, replace); });
  entries_ << templates->menuAction();
  bankActions_ << templates->actions();
  const auto entry = [this, &filters](const char* iconName, const QString& text, const QString& keys, auto act) {
    auto* action = new QAction(icon(iconName), text, &desk_.window);
    action->setShortcut(QKeySequence(keys));
    connect(action, &QAction::triggered, &filters, act);
    entries_ << action;
  };
  entry("duplicate", tr("&Duplicate filter"), tr("Ctrl+D"), [&filters] { filters.duplicateSelected(); });
  entry("remove", tr("&Remove filter"), tr("Ctrl+Del"), [&filters] { filters.removeSelected(); });
  entry("up", tr("Move filter &up"), tr("Ctrl+Up"), [&filters] { filters.moveSelected(-1); });
  entry("down", tr("Move filter do&wn"), tr("Ctrl+Down"), [&filters] { filters.moveSelected(1); });
  auto* copy = new QAction(tr("&Copy as command line"), &desk_.window);
  connect(copy, &QAction::triggered, &filters, &FilterList::copyCommand);
  entries_ << copy;
  bankActions_ << entries_;
  connect(&filters, &FilterList::reported, this, [this](const QString& text) { tell({text}); });
  connect(bankPanel_, &QDockWidget::visibilityChanged, this, &FilterRoom::enableEntries);
  enableEntries();
}

void FilterRoom::buildViewEntries() {
  auto* compare = new QMenu(tr("Co&mpare"), &desk_.window);
  for (const SettingChoice& way : FilterView::table().find("compare")->look.choices)
    compare->addAction(toQt(capitalized(way.title)), this, [this, how = way.value] { page_->compare().compare(how); });
  compare->addSeparator();
  compare->addAction(tr("Next way\tC"), this, [this] { page_->compare().compareNext(); });
  viewEntries_ << compare->menuAction();
  const auto entry = [this](const QString& text, auto act) {
    auto* action = new QAction(text, &desk_.window);
    connect(action, &QAction::triggered, this, act);
    viewEntries_ << action;
  };
  entry(tr("&Invert the colors\tI"), [this] { page_->compare().toggleInversion(); });
  entry(tr("Line &profile\tP"), [this] { page_->profile().toggle(); });
  entry(tr("&Laboratory\tL"), [this] { page_->laboratory().toggle(); });
  entry(tr("Look of the &3D view\tV"), [this] { page_->volume().toggle(); });
  entry(tr("E&xact slice of large data\tX"), [this] { askSlice(); });
}

// The slice of the view that was used last; if that one is read automatically, all other visible ones.
void FilterRoom::askSlice() {
  if (!model_.hasData()) return;
  LiveController& live = desk_.live;
  const std::size_t active = sliceOfPane(static_cast<std::size_t>(views().activeSlice()), *model_.data().volume);
  const std::array<bool, 3> seen = seenSlices(model_.view().layout, *model_.data().volume);
  bool asked = false;
  for (std::size_t slice = 0; slice < seen.size(); ++slice) {
    const bool meant = slice == active || !live.whyNotAsked(active).isEmpty();
    if (!seen[slice] || !meant || !live.whyNotAsked(slice).isEmpty()) continue;
    live.askSlice(slice);
    asked = true;
  }
  if (!asked) tell({tr("nothing to read: %1").arg(live.whyNotAsked(active))});
}

void FilterRoom::addToMenu(QMenu& menu, bool slices) {
  if (!slices) page_->volume().addToMenu(menu);
  if (slices && desk_.live.large()) menu.addAction(tr("E&xact slice\tX"), this, &FilterRoom::askSlice);
}

bool FilterRoom::takeKey(int key) {
  switch (key) {
    case Qt::Key_C: page_->compare().compareNext(); return true;
    case Qt::Key_P: page_->profile().toggle(); return true;
    case Qt::Key_L: page_->laboratory().toggle(); return true;
    case Qt::Key_V: page_->volume().toggle(); return true;
    case Qt::Key_X: askSlice(); return true;
    case Qt::Key_I: page_->compare().toggleInversion(); return true;
    default: return PictureRoom::takeKey(key);
  }
}

void FilterRoom::enableEntries() {
  const bool seen = shown() && !bankPanel_->isHidden();
  for (QAction* action : bankActions_) action->setEnabled(seen);
  for (QAction* action : viewEntries_) action->setEnabled(shown());
}

// The histograms change the windows; the context menus of the charts export them.
void FilterRoom::followCharts() {
  for (const bool result : {false, true}) {
    HistogramView& histogram = result ? desk_.data.resultHistogram() : desk_.data.histogram();
    connect(&views(), &VolumeViews::windowChanged, &histogram,
            [&histogram, result](bool ofResult, double low, double high) {
              if (ofResult == result) histogram.setWindow(ValueWindow{low, high});
            });
    connect(&histogram, &HistogramView::windowEdited, this, [this, result](double low, double high) {
      model_.changeView([&](ViewState& view) {
        (result ? view.resultWindow : view.sourceWindow) = ValueWindow{low, high};
      });
    });
  }
  const auto exported = [this](const QString& stem) {
    return [this, stem](bool png) { Q_EMIT exportRequested(chartSuffix(stem, png)); };
  };
  connect(&desk_.engines.waitChart(), &WaitChart::exportRequested, this, exported(kWait));
  connect(&desk_.engines.timeChart(), &EngineChart::exportRequested, this, exported(kTime));
  connect(&desk_.engines.throughputChart(), &EngineChart::exportRequested, this, exported(kThroughput));
  connect(&desk_.data.histogram(), &HistogramView::exportRequested, this, exported(kHistogram));
  connect(&desk_.data.resultHistogram(), &HistogramView::exportRequested, this, exported(kResultHistogram));
}

std::shared_ptr<ResidentArray> FilterRoom::restingOutput() const {
  const auto result = desk_.live.result();
  const auto enabled = model_.bank().enabled();
  const std::size_t shown = model_.shownFilterIndex();
  if (!result || shown >= enabled.size()) return nullptr;
  const auto place = std::ranges::find(result->names, enabled[shown]->name);
  return place == result->names.end() ? nullptr
                                      : result->outputs[static_cast<std::size_t>(place - result->names.begin())];
}

// Counts the histogram of the result while no slider is held.
void FilterRoom::followResult() {
  const auto follow = [this] {
    if (model_.held()) return;
    if (const auto output = restingOutput()) desk_.data.setResult(output);
  };
  connect(&desk_.live, &LiveController::wholeReady, this, follow);
  connect(&model_, &SessionModel::heldChanged, this, follow);
  connect(&model_, &SessionModel::shownFilterChanged, this, follow);
  connect(&desk_.live, &LiveController::started, this, [this] { desk_.data.stopCounting(); });
  connect(&views(), &VolumeViews::slicesPainted, &desk_.engines.waits(), &WaitClock::notePainted);
  connect(&desk_.live, &LiveController::nothingToRun, this, [this] { desk_.data.setResult(nullptr); });
  connect(&model_, &SessionModel::dataChanged, this, [this] { desk_.data.setResult(nullptr); });
}

void FilterRoom::setShown(bool shown) {
  Room::setShown(shown);
  desk_.data.offerResult(shown);
  enableEntries();
}

void FilterRoom::hold(bool timed, bool elsewhere) {
  desk_.live.setPaused(timed || elsewhere);
  page_->laboratory().setPaused(timed);
}

bool FilterRoom::computing() const { return desk_.live.busy() || page_->laboratory().busy(); }

void FilterRoom::runAgain() { desk_.live.runAgain(); }

void FilterRoom::repeatTiming() { desk_.live.repeatComparison(); }

void FilterRoom::cancel() {
  desk_.live.cancel();
  page_->laboratory().cancel();
}

std::vector<ExportOffer> FilterRoom::exportOffers(double scale) {
  std::vector<ExportOffer> offers{{tr("Picture of the views (PNG)"), QStringLiteral("-view.png"),
                                   [this] { return writeImage(views().renderToImage()); }}};
  const auto chart = [&](const QString& name, const QString& stem, const auto& widget) {
    addChart(
        offers, name, stem, [&widget, scale] { return widget.picture(scale); }, [&widget] { return widget.csv(); });
  };
  chart(tr("time per run"), kTime, desk_.engines.timeChart());
  chart(tr("throughput"), kThroughput, desk_.engines.throughputChart());
  chart(tr("histogram"), kHistogram, desk_.data.histogram());
  chart(tr("histogram of the result"), kResultHistogram, desk_.data.resultHistogram());
  chart(tr("time from the slider to the pixels"), kWait, desk_.engines.waitChart());
  const ProfileChart& profile = page_->profile().chart();
  if (model_.settings<FilterView>().profile) {
    chart(tr("line profile"), kProfile, profile);
    offers.push_back({tr("Chart: line profile (SVG)"), QLatin1Char('-') + kProfile + QStringLiteral(".svg"),
                      [&profile] { return writeText(profile.svg()); }});
  }
  page_->laboratory().addOffers(offers, scale);
  return offers;
}

void FilterRoom::finishDrawing() {
  page_->laboratory().finish();
  static_cast<void>(views().renderToImage());
}

}  // namespace sscope

#include "moc_filter_room.cpp"
