#pragma once
// What ran where: "ran on cpu:avx512, 2 threads · kernel 12.4 ms · total 18.3 ms · error 2e-7 · full volume".

#include <QWidget>

#include "ui/model/live_controller.h"

class QLabel;
class QProgressBar;
class QToolButton;

namespace sscope {

// The line for a run; `verification` is null while it is pending.
[[nodiscard]] QString runText(const RunReport& report, const Verification* verification);

class StatusLine : public QWidget {
  Q_OBJECT
 public:
  explicit StatusLine(LiveController& live, QWidget* parent = nullptr);
  [[nodiscard]] QString text() const;

  // Other work of the window than filtering: shown with progress and Cancel until endWork(). fraction < 0: unknown.
  void showWork(const QString& text, double fraction);
  void endWork(const QString& text);
  // What filtering said last, again.
  void showFiltering();

 Q_SIGNALS:
  void cancelRequested();

 private:
  void showRun(const LiveUpdate& update, bool verified);
  void sayFiltering(const QString& text, const QString& why = {});
  void showText(const QString& text, const QString& why = {});
  void setBusy(bool busy);

  LiveController& live_;
  bool working_ = false;  // on something else than filtering
  QLabel* text_;
  QToolButton* why_;
  QProgressBar* progress_;
  QToolButton* cancel_;
  QString explanation_;
  QString filtering_, filteringWhy_;  // what filtering said last
};

}  // namespace sscope
