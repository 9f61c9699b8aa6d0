#pragma once
// Keeps the views in step with how the Filter room's settings show and compare pictures.

#include <QObject>
#include <cstdint>

#include "ui/model/session_model.h"
#include "ui/views/volume_views.h"

namespace sscope {

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

}  // namespace sscope
