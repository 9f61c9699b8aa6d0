#pragma once
// The slices that a line profile is read from: the source's and that of every output of the bank.

#include <QObject>
#include <QString>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "ui/base/background_task.h"
#include "ui/model/live_controller.h"
#include "ui/model/session_model.h"
#include "ui/views/volume_views.h"

namespace sscope {

// One curve's data.
struct ProfileSlice {
  QString name;
  std::shared_ptr<const Volume> volume;  // the whole, or a slice by itself
  std::int64_t at = 0;                   // index of the slice in it
  bool stale = false;                    // of the previous setting
};

class ProfileData : public QObject {
  Q_OBJECT
 public:
  ProfileData(SessionModel& model, LiveController& live, VolumeViews& views, QObject* parent = nullptr);

  // Of the slice across `axis` at the crosshair: the source, then the enabled filters that have a result. The shown
  // filter's is the one on the screen, so it follows a slider. Outputs on a device are read in the background: they
  // come later, with changed().
  [[nodiscard]] std::vector<ProfileSlice> slices(std::size_t axis);

 Q_SIGNALS:
  void changed();

 private:
  struct Read {
    std::weak_ptr<ResidentArray> array;
    std::size_t axis = 0;
    std::int64_t at = 0;
    std::shared_ptr<const Volume> slice;
  };
  struct Wish {
    std::shared_ptr<ResidentArray> array;
    std::size_t axis = 0;
    std::int64_t at = 0;
  };
  void add(std::vector<ProfileSlice>& slices, const std::string& name, std::size_t axis, std::vector<Wish>& wishes);
  [[nodiscard]] std::shared_ptr<const Volume> kept(const ResidentArray* array, std::size_t axis, std::int64_t at) const;
  void read(std::vector<Wish> wishes);

  SessionModel& model_;
  LiveController& live_;
  VolumeViews& views_;
  std::shared_ptr<const ResidentFilterResult> latest_;  // the last whole result, perhaps of an older setting
  std::map<const ResidentArray*, Read> read_;
  BackgroundTask reading_;
};

}  // namespace sscope
