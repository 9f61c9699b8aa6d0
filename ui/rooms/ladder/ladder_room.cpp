#include "ui/rooms/ladder/ladder_room.h"

#include "ui/model/session_model.h"
#include "ui/rooms/ladder/ladder_page.h"
#include "ui/rooms/ladder/ladder_setup.h"

namespace sscope {

LadderRoom::LadderRoom(const Desk& desk, QObject* parent) : Room(parent), desk_(desk), model_(desk.toolbox) {
  page_ = new LadderPage(desk.toolbox, model_, &desk.window);
  // Also the memory of devices that filtering used has to be given back before.
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

// The page has a bar of its own.
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
  // Undone and done again.
  connect(&model, &SessionModel::settingsChanged, this, [&model, &setup](const SettingsTable* table) {
    if (table != &LadderSettings::table()) return;
    const LadderSettings wanted = model.settings<LadderSettings>();
    if (setup.settings() != wanted) setup.restore(wanted);
  });
  // A session that says nothing of the room leaves it as it is.
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
