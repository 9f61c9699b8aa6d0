#pragma once
// A room that shows the open data in views, with the commands of the View menu and its keys.

#include <QString>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/run_report.h"
#include "ui/model/session_model.h"
#include "ui/rooms/room.h"
#include "ui/views/volume_views.h"

class QMenu;

namespace sscope {

class PictureRoom : public Room {
  Q_OBJECT
 public:
  explicit PictureRoom(SessionModel& model, QObject* parent = nullptr) : Room(parent), model_(model) {}

  PictureRoom* pictures() override { return this; }
  // The room's main views, and all views that can be rotated and zoomed.
  [[nodiscard]] virtual VolumeViews& views() = 0;
  [[nodiscard]] virtual std::vector<VolumeViews*> allViews() { return {&views()}; }

  void toggleSource();
  void showBoth();
  // Shows one view alone, such as "axial"; again returns to "all".
  void showLayout(const std::string& layout);
  // Along the axis of the view that is shown alone, or else along z.
  void stepSlice(int by);

  // Entries of the room in the context menu of a slice or the 3D view, above those of all rooms.
  virtual void addToMenu(QMenu& /*menu*/, bool /*slices*/) {}

  bool takeKey(int key) override;
  void takeFocus() override;
  [[nodiscard]] QString document() const override;

 protected:
  // See ViewState.
  struct Seen {
    std::string show, layout;
  };
  [[nodiscard]] virtual Seen seen() const = 0;
  virtual void see(const Seen& seen) = 0;

  SessionModel& model_;
};

// "ran on cpu:avx512, 2 threads"; threads only if the engine's number of threads can be chosen.
[[nodiscard]] QString ranOnText(const RunReport& report, const EngineSet& engines);

}  // namespace sscope
