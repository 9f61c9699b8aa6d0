#pragma once
// Keeps the views, the session's view state and the live results in step.

#include <QObject>

#include "ui/model/live_controller.h"
#include "ui/model/session_model.h"
#include "ui/views/volume_views.h"

namespace sscope {

class ViewLink : public QObject {
  Q_OBJECT
 public:
  ViewLink(SessionModel& model, LiveController& live, VolumeViews& views, QObject* parent = nullptr);

 private:
  void showData();
  void applyView();
  void showPreview(const LiveUpdate& update);
  void showWhole();
  void tell(const QString& slices, const QString& volume);

  SessionModel& model_;
  LiveController& live_;
  VolumeViews& views_;
  std::shared_ptr<const FilterResult> latest_;  // the last whole result that came, perhaps of an older setting
  bool applying_ = false;
};

}  // namespace sscope
