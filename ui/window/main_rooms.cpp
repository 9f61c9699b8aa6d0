// The rooms of the main window: which one is open, which ones pause, and whose status is shown.

#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/panels/engines_panel.h"
#include "ui/panels/panel.h"
#include "ui/rooms/picture_room.h"
#include "ui/subjects.h"
#include "ui/window/bars.h"
#include "ui/window/main_window.h"

namespace sscope {

void MainWindow::buildRooms(DeviceLoads deviceLoad) {
  const auto ask = [this](const QString& question, const AfterSaving& after) { askToSave(question, after); };
  rooms_ = makeRooms({toolbox_, model_, loader_, recent_, live_, *guard_, *data_, *engines_, *dataPanel_,
                      *enginesPanel_, *this, std::move(deviceLoad), [this] { return computing(); }, ask});
  roomBar_ = new RoomBar(this);
  pages_ = new QStackedWidget(this);
  for (const auto& room : rooms_) addRoom(*room);
  panels_.push_back(enginesPanel_);
  buildOffers();
  auto* middle = new QWidget(this);
  auto* column = bareLayout<QVBoxLayout>(middle, 0);
  for (OfferBar* offer : {keptOffer_, missingOffer_, foreignOffer_, unknownNote_}) column->addWidget(offer);
  time_ = new TimeBar(model_, frames_, middle);
  column->addWidget(time_);
  column->addWidget(pages_, 1);
  setCentralWidget(middle);
  addToolBar(Qt::LeftToolBarArea, roomBar_);
  connect(roomBar_, &RoomBar::roomChosen, this, [this](int room) { enter(*rooms_[static_cast<std::size_t>(room)]); });
  connect(engines_, &EnginesPanel::repeatRequested, this, [this] { room_->repeatTiming(); });
  connect(&model_, &SessionModel::viewChanged, this, [this] {
    if (room_->pictures()) enterShownRoom();
  });
  // Only the shown page limits how small the window can be.
  const auto size = [this] {
    for (int i = 0; i < pages_->count(); ++i) {
      const auto policy = i == pages_->currentIndex() ? QSizePolicy::Expanding : QSizePolicy::Ignored;
      pages_->widget(i)->setSizePolicy(policy, policy);
    }
  };
  connect(pages_, &QStackedWidget::currentChanged, this, size);
  size();
}

void MainWindow::addRoom(Room& room) {
  const RoomSign sign = room.sign();
  roomBar_->addRoom(sign.title, sign.icon, tr("%1 (Alt+%2)").arg(sign.tip).arg(pages_->count() + 1));
  pages_->addWidget(&room.page());
  for (Panel* panel : room.panels().panels)
    if (panel != enginesPanel_ && std::ranges::find(panels_, panel) == panels_.end()) panels_.push_back(panel);
  connect(&room, &Room::told, this, [this, &room] { showStatus(room); });
  connect(&room, &Room::started, this, [this] {
    for (const auto& each : rooms_) each->othersBegan();
  });
  connect(&room, &Room::timingChanged, this, &MainWindow::followTiming);
  connect(&room, &Room::documentChanged, this, &MainWindow::showTitle);
  connect(&room, &Room::offersChanged, this, [this, &room] {
    if (&room == room_) offerExports();
  });
  connect(&room, &Room::exportRequested, this, [this](const QString& suffix) { showExport(suffix); });
  connect(&room, &Room::openRequested, this, &MainWindow::chooseFile);
  connect(&room, &Room::enterRequested, this, [this, &room] { enter(room); });
  connect(&room, &Room::dataRequested, this, [this] { enter(dataRoom()); });
  if (!room_) {
    room_ = &room;
    room.setShown(true);
  }
}

bool MainWindow::computing() const {
  return std::ranges::any_of(rooms_, [](const auto& room) { return room->computing(); });
}

QString MainWindow::room() const { return room_->sign().key; }

Room* MainWindow::roomNamed(const QString& key) const {
  const auto found = std::ranges::find_if(rooms_, [&](const auto& room) { return room->sign().key == key; });
  return found == rooms_.end() ? nullptr : found->get();
}

Room& MainWindow::dataRoom() const {
  return **std::ranges::find_if(rooms_, [](const auto& room) { return room->pictures() != nullptr; });
}

void MainWindow::enterRoom(const QString& key) {
  if (Room* room = roomNamed(key)) enter(*room);
}

void MainWindow::enter(Room& room) {
  if (&room == room_) return;
  rememberRoom();
  room_->setShown(false);
  room_ = &room;
  const auto place = std::ranges::find_if(rooms_, [&](const auto& each) { return each.get() == &room; });
  roomBar_->setRoom(static_cast<int>(place - rooms_.begin()));
  pages_->setCurrentWidget(&room.page());
  arrangeRoom();
  const bool pictures = room.pictures() != nullptr;
  for (QAction* action : dataActions_) action->setEnabled(pictures);
  closeData_->setEnabled(pictures);
  time_->setOffered(pictures);
  enableTimeActions();
  room.takeFocus();
  if (pictures) model_.changeView([&](ViewState& view) { view.room = fromQt(room.sign().key); });
  holdRooms();
  engines_->follow(room.engineRows());
  room.setShown(true);
  offerExports();
  showTitle();
  if (!everywhere_) status_->tell(room.words());
}

void MainWindow::enterShownRoom() {
  if (room_->usesData()) return;
  Room* room = roomNamed(toQt(model_.view().room));
  enter(room && room->pictures() ? *room : dataRoom());
}

void MainWindow::restoreRooms() {
  const Session session = model_.session();
  for (const auto& room : rooms_) room->restore(session);
  enterRoom(toQt(session.view.room));
}

const Session& MainWindow::wholeSession() {
  for (const auto& room : rooms_) room->keep();
  if (!room_->pictures()) model_.changeView([&](ViewState& view) { view.room = fromQt(room_->sign().key); });
  return model_.session();
}

void MainWindow::buildStatus() {
  status_ = new StatusLine(this);
  statusBar()->setSizeGripEnabled(false);
  statusBar()->setContentsMargins(0, 0, 0, 0);
  statusBar()->addWidget(status_, 1);
  status_->tell(room_->words());
  connect(status_, &StatusLine::cancelRequested, this, &MainWindow::cancelAll);
}

void MainWindow::showStatus(Room& room) {
  if (!status_) return;
  const RoomWords& words = room.words();
  if (everywhere_ && everywhere_ != &room) return;
  everywhere_ = words.busy && words.everywhere ? &room : nullptr;
  if (&room == room_ || words.everywhere) status_->tell(words);
}

void MainWindow::holdRooms() {
  for (const auto& room : rooms_) {
    const bool timed = std::ranges::any_of(rooms_, [&](const auto& each) { return each != room && each->alone(); });
    room->hold(timed, room_ != room.get() && room_->computes());
  }
}

void MainWindow::followTiming() {
  if (std::ranges::any_of(rooms_, [](const auto& room) { return room->alone(); })) figures_.measuring().cancel();
  engines_->holdMeasuring(std::ranges::any_of(rooms_, [](const auto& room) { return room->timing(); }));
  holdRooms();
}

}  // namespace sscope
