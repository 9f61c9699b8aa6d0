#pragma once
// Keeps the views, the session's view state and the live results in step.

#include <QObject>
#include <QString>
#include <cstddef>
#include <cstdint>
#include <vector>

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
  void showPreview(const LivePreview& preview);
  void showWhole();
  // What is shown, in words, on the panes that show a result.
  void tell(const QString& slices, const QString& volume);
  void showWords();

  SessionModel& model_;
  LiveController& live_;
  VolumeViews& views_;
  std::shared_ptr<const FilterResult> latest_;  // the last whole result that came, perhaps of an older setting
  std::vector<LeftOut> leftOut_;
  std::uint64_t series_ = 0;          // OpenData::series of what the views show
  const std::byte* shown_ = nullptr;  // the output in the views
  QString slicesWords_, volumeWords_;
  bool applying_ = false;
};

}  // namespace sscope
