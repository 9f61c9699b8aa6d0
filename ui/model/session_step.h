#pragma once
// A step of the session. Undo is "swap the value": doing and undoing are the same act.

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
    QString room;       // the key of the room that shows what it changes; empty: all. It is not undone unseen
    QString gesture;    // steps with the same one, unless it is empty, are one
    std::string value;  // what is swapped: of others none are merged into it
    Members members{};  // which of its members, in ascending order; none: all
    bool dirty = true;  // the session has to be saved then
  };
  SessionStep(const What& what, std::function<void(const Members&)> swap);
  void redo() override { swap_(what_.members); }
  void undo() override { swap_(what_.members); }
  [[nodiscard]] int id() const override { return 1; }
  bool mergeWith(const QUndoCommand* other) override;
  [[nodiscard]] const QString& room() const { return what_.room; }
  [[nodiscard]] bool dirty() const { return what_.dirty; }

 private:
  What what_;
  std::function<void(const Members&)> swap_;  // holds the other value whole: all members, those of a merged step too
};

}  // namespace sscope
