#include "ui/rooms/picture_room.h"

#include <algorithm>
#include <array>

#include "ui/base/text.h"

namespace sscope {

void PictureRoom::toggleSource() {
  Seen now = seen();
  now.show = now.show == "source" ? "result" : "source";
  see(now);
}

void PictureRoom::showBoth() {
  Seen now = seen();
  now.show = "both";
  see(now);
}

void PictureRoom::showLayout(const std::string& layout) {
  Seen now = seen();
  now.layout = now.layout == layout ? "all" : layout;
  see(now);
}

void PictureRoom::stepSlice(int by) {
  if (!model_.hasData()) return;
  ViewState view = model_.view();
  view.crosshair = model_.crosshair();
  const VolumeShape& shape = model_.data().volume->shape();
  const std::array<std::int64_t, 3> extent{shape.nx, shape.ny, shape.nz};
  const std::string layout = seen().layout;
  const std::size_t axis = layout == "sagittal" ? 0 : layout == "coronal" ? 1 : 2;
  view.crosshair[axis] = std::clamp<std::int64_t>(view.crosshair[axis] + by, 0, extent[axis] - 1);
  model_.setView(view);
}

bool PictureRoom::takeKey(int key) {
  switch (key) {
    case Qt::Key_Space: toggleSource(); return true;
    case Qt::Key_1: showLayout("axial"); return true;
    case Qt::Key_2: showLayout("coronal"); return true;
    case Qt::Key_3: showLayout("sagittal"); return true;
    case Qt::Key_4: showLayout("volume"); return true;
    case Qt::Key_0: showLayout("all"); return true;
    case Qt::Key_Up:
    case Qt::Key_Right: stepSlice(1); return true;
    case Qt::Key_Down:
    case Qt::Key_Left: stepSlice(-1); return true;
    case Qt::Key_PageUp: stepSlice(10); return true;
    case Qt::Key_PageDown: stepSlice(-10); return true;
    default: return false;
  }
}

// Never in a box that happens to be next.
void PictureRoom::takeFocus() {
  if (model_.hasData()) views().setFocus();
}

QString PictureRoom::document() const { return model_.hasData() ? dataTitle(model_.data()) : QString(); }

QString ranOnText(const RunReport& report, const EngineSet& engines) {
  const EngineInfo* info = engines.find(report.engine);
  return info != nullptr && info->hasThreads()
             ? Words::tr("ran on %1, %n thread(s)", nullptr, report.threads).arg(toQt(report.engine))
             : Words::tr("ran on %1").arg(toQt(report.engine));
}

}  // namespace sscope

#include "moc_picture_room.cpp"
