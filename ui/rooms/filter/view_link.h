#pragma once
// Keeps the views, the session's view state and the live results in step.

#include <QObject>
#include <QString>
#include <array>
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
