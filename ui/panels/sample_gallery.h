#pragma once
// Shown while no data are open: "drop a file here, or start from a sample", with pictures of the samples.

#include <QWidget>
#include <string>
#include <vector>

#include "ui/base/background_task.h"
#include "ui/base/toolbox.h"

class QGridLayout;
class QToolButton;

namespace sscope {

class SampleGallery : public QWidget {
  Q_OBJECT
 public:
  explicit SampleGallery(const Toolbox& toolbox, QWidget* parent = nullptr);

 Q_SIGNALS:
  void chosen(const std::string& sample);
  void openRequested();

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange(int columns);
  void renderThumbnails();

  const Toolbox& toolbox_;
  QGridLayout* grid_;
  int columns_ = 0;
  std::vector<QToolButton*> buttons_;
  bool rendered_ = false;
  BackgroundTask rendering_;
};

}  // namespace sscope
