#pragma once
// Keeps the 3D view in step with the Filter room's settings of it.

#include <QObject>
#include <QString>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/filter/job/volume_settings.h"
#include "core/live/newest_wins.h"
#include "core/live/news.h"
#include "core/parts/large_volume.h"
#include "ui/base/event_bridge.h"
#include "ui/model/live_controller.h"
#include "ui/model/session_model.h"
#include "ui/views/volume_views.h"

namespace sscope {

[[nodiscard]] VolumeLook lookOf(const VolumeSettings& settings);

class VolumeLink : public QObject {
  Q_OBJECT
 public:
  VolumeLink(SessionModel& model, VolumeViews& views, QObject* parent = nullptr);

  // A step of undo. What it says about values holds for the data of now: it goes with them.
  void edit(const VolumeSettings& settings, const QString& gesture = {});

 private:
  void apply();
  void followData();
  [[nodiscard]] std::uint64_t dataNow() const;

  SessionModel& model_;
  VolumeViews& views_;
  std::uint64_t chosenFor_ = 0;  // the data that looks were chosen for by hand; 0: of a session
};

// Keeps the views in step with how the Filter room's settings show and compare pictures.

class CompareLink : public QObject {
  Q_OBJECT
 public:
  CompareLink(SessionModel& model, VolumeViews& views, QObject* parent = nullptr);

  // The next way to compare, as the key C chooses it; from one side alone, the comparison that was last used.
  void compareNext();
  void compare(const std::string& how);
  void toggleInversion();

 private:
  void apply();
  void followData();
  [[nodiscard]] std::uint64_t dataNow() const;

  SessionModel& model_;
  VolumeViews& views_;
  std::uint64_t rangeOf_ = 0;  // the data that a range was chosen for by hand; 0: of a session
};

// Brings planes of data larger than memory to the views when they are seen, on a thread of its own.

class LargeLink : public QObject {
  Q_OBJECT
 public:
  LargeLink(SessionModel& model, VolumeViews& views, QObject* parent = nullptr);

 Q_SIGNALS:
  // Of the file that is open: it was cut off, replaced, removed. The overview stays.
  void failed(const QString& why);

 private:
  struct Wish {
    std::shared_ptr<reach::LargeVolume> of;
    std::int64_t at = 0;
  };
  struct Plane {
    std::shared_ptr<const Volume> slice;
    std::weak_ptr<reach::LargeVolume> of;
    std::int64_t at = 0;
  };
  using PlaneNews = News<Plane>;
  void follow();
  void receive(const PlaneNews& news);
  static PlaneNews read(const Wish& wish, const NewestWins<Wish>::Turn& turn);

  SessionModel& model_;
  VolumeViews& views_;
  std::uint64_t newest_ = 0;  // wish
  EventBridge<PlaneNews> bridge_;
  NewestWins<Wish> worker_;  // last: its thread uses the others
};

// Keeps the views, the session's view state and the live results in step.

class ViewLink : public QObject {
  Q_OBJECT
 public:
  ViewLink(SessionModel& model, LiveController& live, VolumeViews& views, QObject* parent = nullptr);

 private:
  void showData();
  void applyView();
  void showStarted();
  // What is shown of data larger than memory is of an earlier setting now.
  void ageLargeSlices();
  void showPreview(const LivePreview& preview);
  // `slicesAreOfIt`: see VolumeViews::setResult.
  void showWhole(bool slicesAreOfIt = false);
  // Sets the status text of the panes that show a result: of all, and of those that the slices in `set` do not reach
  // (seen_slices.h), among them always the 3D view.
  void tell(const QString& words);
  void tellOthers(const std::array<bool, 3>& set, const QString& words);
  void showWords();
  [[nodiscard]] QString largeWords(bool result) const;

  SessionModel& model_;
  LiveController& live_;
  VolumeViews& views_;
  std::shared_ptr<const ResidentFilterResult> latest_;  // the last whole result, perhaps of an older setting
  std::vector<LeftOut> leftOut_;
  std::uint64_t series_ = 0;              // OpenData::series of what the views show
  const ResidentArray* shown_ = nullptr;  // the output in the views
  std::array<QString, 4> words_;          // by pane
  bool applying_ = false;
};

}  // namespace sscope
