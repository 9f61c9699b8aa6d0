#pragma once
// What ran where: "ran on cpu:avx512, 2 threads · kernel 12.4 ms · total 18.3 ms · error 2e-7 · full volume".

#include <QWidget>
#include <vector>

#include "ui/model/live_controller.h"

class QLabel;
class QProgressBar;
class QToolButton;

namespace sscope {

// The line for a run; while `verification` is null it says `unverified`, or that it is being verified.
[[nodiscard]] QString runText(const RunReport& report, const Verification* verification,
                              const QString& unverified = {});

// Work shorter than this shows no progress: it would only flicker.
inline constexpr int kQuietMilliseconds = 250;

class StatusLine : public QWidget {
  Q_OBJECT
 public:
  explicit StatusLine(LiveController& live, QWidget* parent = nullptr);
  [[nodiscard]] QString text() const;

  // Other work of the window than filtering: shown with progress and Cancel until endWork(). fraction < 0: unknown.
  void showWork(const QString& text, double fraction);
  void endWork(const QString& text);
  // Other work of another room's own bar: only its words and Cancel are shown here.
  void setBarElsewhere(bool elsewhere);
  // Whether what filtering says is shown as it comes, or kept for later because another room is open.
  void followFiltering(bool follow);
  // What filtering said last, again.
  void showFiltering();

 Q_SIGNALS:
  void cancelRequested();

 private:
  void showRun(LiveUpdate update, const QString& unverified = {});
  void showProgress(double fraction, const QString& doing);
  [[nodiscard]] bool filteringNow() const { return live_.busy() || live_.comparing(); }
  void sayFiltering(const QString& text, const QString& why = {});
  void showText(const QString& text, const QString& why = {});
  void setBusy(bool busy);
  void explain();

  LiveController& live_;
  bool working_ = false;  // on something else than filtering
  bool following_ = true;
  bool barElsewhere_ = false;
  LiveUpdate lastRun_;  // Whole or Verified
  std::vector<LeftOut> leftOut_;
  QLabel* text_;
  QLabel* doing_;
  QToolButton* why_;
  QProgressBar* progress_;
  QToolButton* cancel_;
  QString explanation_;
  QString filtering_, filteringWhy_;  // what filtering said last
};

}  // namespace sscope
