#pragma once
// Links between the session and the views of the Filter room.

#include <QObject>
#include <QString>
#include <array>
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

// Keeps the 3D view equal to its settings.
class VolumeLink : public QObject {
  Q_OBJECT
 public:
  VolumeLink(SessionModel& model, VolumeViews& views, QObject* parent = nullptr);

  // A step of undo. Settings that depend on values are reset when other data open.
  void edit(const VolumeSettings& settings, const QString& gesture = {});

 private:
  void apply();
  void followData();

  SessionModel& model_;
  VolumeViews& views_;
  std::uint64_t chosenFor_ = 0;  // the data that the user chose the settings for; 0: a session did
};

// Keeps colors and comparison of the views equal to the settings.
class CompareLink : public QObject {
  Q_OBJECT
 public:
  CompareLink(SessionModel& model, VolumeViews& views, QObject* parent = nullptr);

  // The next way to compare, for the key C; with only one side shown, the last comparison.
  void compareNext();
  void compare(const std::string& how);
  void toggleInversion();

 private:
  void apply();
  void followData();

  SessionModel& model_;
  VolumeViews& views_;
  std::uint64_t rangeOf_ = 0;  // the data that the user chose a range for; 0: a session did
};

// Reads visible planes of data larger than memory, on a thread of its own.
class LargeLink : public QObject {
  Q_OBJECT
 public:
  LargeLink(SessionModel& model, VolumeViews& views, QObject* parent = nullptr);

 Q_SIGNALS:
  // The open file was truncated, replaced or removed. The overview stays.
  void failed(const QString& why);

 private:
  struct Request {
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
  static PlaneNews read(const Request& request, const NewestWins<Request>::Turn& turn);

  SessionModel& model_;
  VolumeViews& views_;
  std::uint64_t newest_ = 0;  // request
  EventBridge<PlaneNews> bridge_;
  NewestWins<Request> worker_;  // last: its thread uses the others
};

// Keeps the views, the session's view state and the live results consistent.
class ViewLink : public QObject {
  Q_OBJECT
 public:
  ViewLink(SessionModel& model, LiveController& live, VolumeViews& views, QObject* parent = nullptr);

 private:
  void showData();
  void applyView();
  void showStarted();
  // Marks slices of data larger than memory as those of an earlier setting.
  void ageLargeSlices();
  void showPreview(const LivePreview& preview);
  // `slicesAreOfIt`: see VolumeViews::setResult.
  void showWhole(bool slicesAreOfIt = false);
  // Sets the status text of all panes with a result; and of those whose slices are not in `set` (visible_slices.h),
  // always with the 3D view.
  void setWords(const QString& words);
  void setOtherWords(const std::array<bool, 3>& set, const QString& words);
  void showWords();
  [[nodiscard]] QString largeWords(bool result) const;

  SessionModel& model_;
  LiveController& live_;
  VolumeViews& views_;
  std::shared_ptr<const ResidentFilterResult> latest_;  // the last whole result, perhaps of an older setting
  std::vector<LeftOut> leftOut_;
  std::uint64_t series_ = 0;              // OpenData::series of the shown data
  const ResidentArray* shown_ = nullptr;  // the output in the views
  std::array<QString, 4> words_;          // by pane
  bool applying_ = false;
};

}  // namespace sscope
