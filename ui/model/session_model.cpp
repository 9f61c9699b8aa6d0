#include "ui/model/session_model.h"

#include <QFileInfo>
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/volume/selection.h"
#include "ui/base/text.h"
#include "ui/model/visible_slices.h"

namespace sscope {

QString dataTitle(const OpenData& data) {
  if (!data.source.path.empty()) return QFileInfo(toQt(data.source.path)).fileName();
  return toQt(data.source.sample.empty() ? data.name : data.source.sample);
}

DataSource sourceOf(const OpenData& data) {
  DataSource source = data.source;
  if (!source.path.empty() && data.frames() > 1) source.path = withFrame(source.path, data.frame);
  return source;
}

QString overviewText(const reach::Overview& overview) {
  if (overview.level > 0) return Words::tr("level %1 of the file\u2019s pyramid").arg(overview.level);
  const auto& block = overview.block;
  return Words::tr("means of %1 × %2 × %3 voxels").arg(block[0]).arg(block[1]).arg(block[2]);
}

QString largeRefusal(const OpenData& data, const QString& what) {
  return data.large ? Words::tr("the data are larger than memory, and %1").arg(what) : QString();
}

SessionStep::SessionStep(const What& what, std::function<void(const Members&)> swap)
    : QUndoCommand(what.text), what_(what), swap_(std::move(swap)) {}

bool SessionStep::mergeWith(const QUndoCommand* other) {
  // `other` was just done on top of this one, which still holds the value from before the gesture.
  const auto* next = dynamic_cast<const SessionStep*>(other);
  if (next == nullptr || what_.gesture.isEmpty() || what_.gesture != next->what_.gesture ||
      what_.value != next->what_.value)
    return false;
  Members both;
  std::ranges::set_union(what_.members, next->what_.members, std::back_inserter(both));
  what_.members = std::move(both);
  return true;
}

namespace {

// Do two banks hold the same filters in the same order, apart from their parameters?
bool sameFilters(const FilterBank& a, const FilterBank& b) {
  return std::equal(a.filters.begin(), a.filters.end(), b.filters.begin(), b.filters.end(),
                    [](const FilterRecipe& p, const FilterRecipe& q) {
                      return p.name == q.name && p.family == q.family && p.enabled == q.enabled;
                    });
}

}  // namespace

SessionModel::SessionModel(QObject* parent) : QObject(parent) {
  brief_.setSingleShot(true);
  brief_.setInterval(kBriefHold);
  connect(&brief_, &QTimer::timeout, this, [this] { setHeld(false); });
  connect(&undo_, &QUndoStack::cleanChanged, this, &SessionModel::announceDirty);
  connect(&undo_, &QUndoStack::indexChanged, this, &SessionModel::announceDirty);
}

// The destructor of the stack would report a clean state to a window that is half destroyed.
SessionModel::~SessionModel() { undo_.disconnect(); }

void SessionModel::editBank(FilterBank bank, const QString& text, const QString& gesture) {
  if (bank == session_.bank) return;
  undo_.push(new SessionStep({text, QStringLiteral("filter"), gesture, "bank"},
                             [this, other = std::move(bank)](const auto&) mutable { swapBank(other); }));
}

void SessionModel::editRecipe(std::size_t index, FilterRecipe recipe, const QString& text, const QString& gesture) {
  FilterBank bank = session_.bank;
  bank.filters.at(index) = std::move(recipe);
  editBank(std::move(bank), text, gesture);
}

void SessionModel::editEngineChoice(EngineChoice choice, const QString& text) {
  if (choice == engineChoice()) return;
  undo_.push(new SessionStep({text, {}, {}, "engine"},
                             [this, other = std::move(choice)](const auto&) mutable { swapEngineChoice(other); }));
}

void SessionModel::edit(const Settings& settings, const QString& gesture) {
  const SettingsTable& table = settings.table();
  const SessionStep::Members members = settings.differences(session_.settings(table));
  if (members.empty()) return;
  const QString text = tr("Change the %1").arg(toQt(table.rows[members.front()].label));
  undo_.push(new SessionStep(
      {text, toQt(table.room), gesture, table.key, members, !table.optional},
      [this, other = settings](const SessionStep::Members& which) mutable { swapSettings(other, which); }));
}

void SessionModel::setSettings(const Settings& settings) {
  const SettingsTable& table = settings.table();
  if (settings == session_.settings(table) && (session_.holds(table) || !table.optional)) return;
  const std::vector<std::string> before = openedIn(session_);
  session_.put(settings);
  followOpened(before);
  Q_EMIT settingsChanged(&table);
}

void SessionModel::holdBriefly() {
  if (held_ && !brief_.isActive()) return;  // held by the mouse, until it is released
  setHeld(true);
  brief_.start();
}

void SessionModel::setHeld(bool held) {
  brief_.stop();
  if (held == held_) return;
  held_ = held;
  Q_EMIT heldChanged(held);
}

void SessionModel::setView(ViewState view) {
  if (view == session_.view) return;
  std::swap(view, session_.view);
  const ViewState& now = session_.view;
  if (view.crosshair != now.crosshair) Q_EMIT crosshairChanged();
  if (view.shownFilter != now.shownFilter) Q_EMIT shownFilterChanged();
  view.crosshair = now.crosshair;
  if (!(view == now)) Q_EMIT viewChanged();
}

void SessionModel::setData(OpenData data, std::optional<ViewState> view) {
  const std::vector<std::string> before = openedIn(session_);
  data_ = std::move(data);
  session_.data = data_.source;
  if (view) {
    session_.view = std::move(*view);
  } else {
    followOpened(before);
    session_.view.crosshair = {-1, -1, -1};
    session_.view.sourceWindow = data_.info.window;
    session_.view.resultWindow.reset();
    if (data_.info.window && shownFilterKeepsMean(*this)) session_.view.resultWindow = data_.info.window;
    const bool color = hasData() && data_.volume->shape().components == 3 && bytesOf(data_.volume->type()) == 1;
    session_.view.component = color ? -1 : 0;
    if (data_.large) session_.view.show = "both";  // most views have no result of large data
  }
  Q_EMIT dataChanged();
  Q_EMIT viewChanged();
}

namespace {

constexpr const char* kSourceStep = "data";

}  // namespace

void SessionModel::correctData(OpenData data) {
  ViewState view = session_.view;
  if (hasData() && !(data.volume->shape() == data_.volume->shape())) {
    view.crosshair = {-1, -1, -1};
    view.component = 0;
  }
  data_ = std::move(data);
  undo_.push(new SessionStep({tr("Correct the data"), {}, {}, kSourceStep},
                             [this, source = data_.source, view](const auto&) mutable { swapSource(source, view); }));
  Q_EMIT dataChanged();
  Q_EMIT viewChanged();
}

void SessionModel::swapSource(DataSource& source, ViewState& view) {
  // Other data were opened meanwhile.
  if (parseSelection(source.path).path != parseSelection(session_.data.path).path) return;
  view.room = session_.view.room;
  view.shownFilter = session_.view.shownFilter;
  std::swap(source, session_.data);
  std::swap(view, session_.view);
  Q_EMIT dataWanted();
}

void SessionModel::keepData() {
  const auto moved = [this](int step, void (QUndoStack::*there)(), void (QUndoStack::*back)()) {
    const auto* command = dynamic_cast<const SessionStep*>(undo_.command(step));
    if (command == nullptr || command->value() != kSourceStep) return false;
    (undo_.*there)();
    const bool found = session_.data == data_.source;
    if (!found) (undo_.*back)();
    return found;
  };
  if (session_.data == data_.source || moved(undo_.index() - 1, &QUndoStack::undo, &QUndoStack::redo) ||
      moved(undo_.index(), &QUndoStack::redo, &QUndoStack::undo))
    return;
  session_.data = data_.source;
}

std::size_t SessionModel::shownFilterIndex() const {
  const auto enabled = session_.bank.enabled();
  for (std::size_t i = 0; i < enabled.size(); ++i)
    if (enabled[i]->name == session_.view.shownFilter) return i;
  return 0;
}

std::array<std::int64_t, 3> SessionModel::crosshair() const {
  if (!hasData()) return {0, 0, 0};
  const VolumeShape& shape = data_.volume->shape();
  const std::array<std::int64_t, 3> extent{shape.nx, shape.ny, shape.nz};
  std::array<std::int64_t, 3> at = session_.view.crosshair;
  for (std::size_t a = 0; a < 3; ++a) at[a] = at[a] < 0 ? extent[a] / 2 : std::min(at[a], extent[a] - 1);
  return at;
}

void SessionModel::replaceSession(Session session) {
  session.data = session_.data;
  session_ = std::move(session);
  ++number_;
  undo_.clear();
  Q_EMIT replaced();
  Q_EMIT filtersChanged();
  Q_EMIT bankChanged();
  Q_EMIT engineChoiceChanged();
  Q_EMIT shownFilterChanged();
  Q_EMIT viewChanged();
  announceDirty();
}

void SessionModel::setSaved(const QString& path) {
  path_ = path;
  undo_.setClean();
  announceDirty();
  Q_EMIT pathChanged();
}

void SessionModel::setSaved(const QString& path, const Session& saved, std::uint64_t number) {
  if (number != number_) return;
  setSaved(path);
  Session now = session_;
  now.view = saved.view;
  if (now == saved) return;
  undo_.resetClean();
  announceDirty();
}

void SessionModel::followOpened(const std::vector<std::string>& before) {
  const std::vector<std::string> now = openedIn(session_);
  if (path_.isEmpty() || now == before) return;
  const auto stays = [&](const std::string& each) { return std::ranges::find(now, each) != now.end(); };
  if (std::ranges::all_of(before, stays)) {
    undo_.resetClean();
    announceDirty();
    return;
  }
  path_.clear();
  ++number_;
  Q_EMIT pathChanged();
}

void SessionModel::swapBank(FilterBank& bank) {
  std::swap(bank, session_.bank);
  if (!sameFilters(bank, session_.bank)) {
    Q_EMIT filtersChanged();
  } else {
    for (std::size_t i = 0; i < bank.filters.size(); ++i)
      if (!(bank.filters[i] == session_.bank.filters[i])) Q_EMIT recipeChanged(i);
  }
  Q_EMIT bankChanged();
}

void SessionModel::swapEngineChoice(EngineChoice& choice) {
  std::swap(choice.engine, session_.engine);
  std::swap(choice.variant, session_.variant);
  std::swap(choice.threads, session_.threads);
  Q_EMIT engineChoiceChanged();
}

void SessionModel::swapSettings(Settings& settings, const std::vector<std::size_t>& members) {
  Settings now = session_.settings(settings.table());
  Settings next = now;
  next.take(settings, members);
  settings = std::move(now);
  session_.put(std::move(next));
  Q_EMIT settingsChanged(&settings.table());
}

bool SessionModel::dirty() const {
  if (undo_.isClean()) return false;
  const auto [first, last] = std::minmax({undo_.cleanIndex(), undo_.index()});
  if (first < 0) return true;  // no step leads back to the saved state
  for (int i = first; i < last; ++i)
    if (const auto* step = dynamic_cast<const SessionStep*>(undo_.command(i)); !step || step->dirty()) return true;
  return false;
}

void SessionModel::announceDirty() {
  if (dirty() == announcedDirty_) return;
  announcedDirty_ = dirty();
  Q_EMIT dirtyChanged(announcedDirty_);
}

}  // namespace sscope

#include "moc_session_model.cpp"
