#pragma once
// A row of buttons with menus: what can be done to taps as a whole.

#include <QWidget>
#include <functional>

#include "core/filter/stencil.h"

class QMenu;

namespace sscope {

class TapsMenus : public QWidget {
  Q_OBJECT
 public:
  using Make = std::function<DenseTaps(const DenseTaps&)>;
  // What is chosen from the last button's menu, in that order.
  enum class File { Load, Import, Save, Copy, Paste };

  explicit TapsMenus(QWidget* parent = nullptr);
  // What the taps allow: entries for z need several slices.
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
