#pragma once
// Files of taps, and menus of operations on all taps.

#include <QObject>
#include <QString>
#include <QWidget>
#include <functional>

#include "core/filter/stencil.h"
#include "core/volume/volume_io.h"
#include "ui/base/background_task.h"

class QMenu;
class QWidget;

namespace sscope {

class WriteGuard;

// For reading and writing files; both outlive their users.
struct FileTools {
  VolumeIo* io = nullptr;
  WriteGuard* guard = nullptr;
};

// JSON to load and save, images and volumes to import, in the background.
class TapsFiles : public QObject {
  Q_OBJECT
 public:
  TapsFiles(const FileTools& tools, QWidget* over);

  void chooseTaps();
  void chooseImage();
  void chooseTarget(const DenseTaps& taps);
  // Loads {"size":[nx,ny,nz],"taps":[...]}, with "anchor" if it is not the middle.
  void load(const QString& path);
  // Imports the values of any image or volume as taps.
  void import(const QString& path);
  // Asks before a file is replaced.
  void save(const QString& path, const DenseTaps& taps);
  // Drops a file that is being read.
  void cancel() { task_.cancel(); }

 Q_SIGNALS:
  void read(const sscope::DenseTaps& taps, const QString& step);
  void saved(const QString& path);
  void failed(const QString& message);

 private:
  // Shows a dialog in the folder of the last taps; with a suffix, to write a file.
  void choose(const QString& title, const QString& filters, const QString& suffix,
              const std::function<void(const QString& path)>& use);

  FileTools tools_;
  QWidget* over_;
  BackgroundTask task_, saving_;
};

// A row of buttons with menus of operations on all taps.
class TapsMenus : public QWidget {
  Q_OBJECT
 public:
  using Make = std::function<DenseTaps(const DenseTaps&)>;
  // The entries of the last button's menu.
  enum class File { Load, Import, Save, Copy, Paste };

  explicit TapsMenus(QWidget* parent = nullptr);
  // Enables the entries for z if there are several slices.
  void follow(const DenseTaps& taps);

 Q_SIGNALS:
  // `text` names the step of undo; `make` may throw an Error.
  void chosen(const QString& text, const sscope::TapsMenus::Make& make);
  void fileChosen(sscope::TapsMenus::File what);

 private:
  QMenu* addButton(const QString& text, const QString& tip, const char* name);
  QAction* add(QMenu* menu, const QString& text, const QString& tip, Make make);
  void buildSymmetry();
  void buildScale();
  void buildFlip();
  void buildFile();

  QList<QAction*> alongZ_;
};

}  // namespace sscope
