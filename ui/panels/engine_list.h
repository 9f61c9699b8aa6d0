#pragma once
// The machine's engines: which one computes, which ones are compared with it, and why others are absent.

#include <QWidget>
#include <string>
#include <vector>

#include "core/engine/engine.h"

class QButtonGroup;
class QCheckBox;
class QRadioButton;

namespace sscope {

class EngineList : public QWidget {
  Q_OBJECT
 public:
  explicit EngineList(const std::vector<EngineInfo>& infos, QWidget* parent = nullptr);
  // Adds a row after the others unless there is one.
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

}  // namespace sscope
