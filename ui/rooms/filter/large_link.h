#pragma once
// Brings planes of data larger than memory to the views when they are seen, on a thread of its own.

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>

#include "core/live/newest_wins.h"
#include "core/live/news.h"
#include "core/parts/large_volume.h"
#include "ui/base/event_bridge.h"
#include "ui/model/session_model.h"
#include "ui/views/volume_views.h"

namespace sscope {

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

}  // namespace sscope
