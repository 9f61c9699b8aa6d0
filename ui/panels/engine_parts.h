#pragma once
// Parts of the Engines panel: the list of engines, the place of the result, busy cores, shares of joined engines.

#include <QString>
#include <QWidget>
#include <string>
#include <vector>

#include "core/engine/engine.h"
#include "core/engine/joined_parts.h"
#include "core/filter/job/filter_job.h"

class QButtonGroup;
class QCheckBox;
class QRadioButton;

namespace sscope {

// The machine's engines: which one computes, which ones are compared with it, and why others are absent.
class EngineList : public QWidget {
  Q_OBJECT
 public:
  explicit EngineList(const std::vector<EngineInfo>& infos, QWidget* parent = nullptr);
  // Adds a row for the engine unless there is one.
  void addEngine(const EngineInfo& info);
  void setCurrent(const std::string& id);
  void setCompared(const std::vector<std::string>& ids);
  [[nodiscard]] std::vector<std::string> compared() const;

 Q_SIGNALS:
  void chosen(const std::string& id);
  void comparedChanged();

 private:
  struct Row {
    std::string id;
    QRadioButton* radio = nullptr;
    QCheckBox* check = nullptr;
  };
  void addEngine(const EngineInfo& info, int row);
  std::vector<Row> rows_;
  int next_ = 0;  // row of the grid
  QButtonGroup* group_;
};

// Where the result is stored, and the device memory that its engine occupies.
struct ResultPlace {
  QString text;    // "on CUDA device 0", "in memory"; empty: there is no result
  QString memory;  // occupied there: "1.2 of 80 GB"
  QString tip;     // details, as rich text
};
// `result` may be null.
[[nodiscard]] ResultPlace placeOf(const ResidentFilterResult* result, const EngineSet& engines);

// The busy share of each processor core.
class BusyMeter : public QWidget {
  Q_OBJECT

 public:
  explicit BusyMeter(QWidget* parent = nullptr);
  // Percent, 0..100, one per core; empty: "unavailable".
  void setBusy(std::vector<double> percent);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<double> percent_;
  bool known_ = false;  // false: setBusy() was not called yet, and nothing is shown
};

// A lane for each of several joined engines, as long as its share of the planes of the last run.
class ShareLanes : public QWidget {
  Q_OBJECT

 public:
  explicit ShareLanes(QWidget* parent = nullptr);
  void setShares(std::vector<PartShare> shares);
  [[nodiscard]] const std::vector<PartShare>& shares() const { return shares_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<PartShare> shares_;
};

}  // namespace sscope
