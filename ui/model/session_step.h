#pragma once
// An undo step of the session. Doing and undoing both swap the value.

#include <QString>
#include <QUndoCommand>
#include <functional>
#include <string>
#include <vector>

namespace sscope {

class SessionStep : public QUndoCommand {
 public:
  using Members = std::vector<std::size_t>;
  struct What {
    QString text;       // in the Edit menu
    QString room;       // the key of the room that shows the change; empty: all. Undo switches to it
    QString gesture;    // steps with the same nonempty gesture are merged
    std::string value;  // identifies the value; only steps of the same value are merged
    Members members{};  // the changed members, in ascending order; none: all
    bool dirty = true;  // whether the session becomes unsaved
  };
  SessionStep(const What& what, std::function<void(const Members&)> swap);
  void redo() override { swap_(what_.members); }
  void undo() override { swap_(what_.members); }
  [[nodiscard]] int id() const override { return 1; }
  bool mergeWith(const QUndoCommand* other) override;
  [[nodiscard]] const QString& room() const { return what_.room; }
  [[nodiscard]] const std::string& value() const { return what_.value; }
  [[nodiscard]] bool dirty() const { return what_.dirty; }

 private:
  What what_;
  std::function<void(const Members&)> swap_;  // holds the other value whole: all members, those of a merged step too
};

}  // namespace sscope
