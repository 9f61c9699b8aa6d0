#pragma once
// Undo is "swap the value": doing and undoing are the same act.

#include <QUndoCommand>

#include "ui/model/session_model.h"

namespace sscope {

// A step of the session. It is not undone unseen: room() is the key of the room that shows what it changes; empty: all.
class SessionStep : public QUndoCommand {
 public:
  using QUndoCommand::QUndoCommand;
  [[nodiscard]] virtual QString room() const { return {}; }
};

// QUndoCommand::id(): which steps may merge.
inline constexpr int kBankStep = 1, kWaveletStep = 2;

class SwapBank : public SessionStep {
 public:
  SwapBank(SessionModel& model, FilterBank bank, const QString& text, QString gesture);
  void redo() override;
  void undo() override;
  [[nodiscard]] int id() const override { return kBankStep; }
  [[nodiscard]] QString room() const override { return QStringLiteral("filter"); }
  bool mergeWith(const QUndoCommand* other) override;

 private:
  SessionModel& model_;
  FilterBank bank_;  // the other value: new before redo, old after it
  QString gesture_;
};

class SwapEngineChoice : public SessionStep {
 public:
  SwapEngineChoice(SessionModel& model, EngineChoice choice, const QString& text);
  void redo() override;
  void undo() override;

 private:
  SessionModel& model_;
  EngineChoice choice_;
};

class SwapWavelet : public SessionStep {
 public:
  SwapWavelet(SessionModel& model, WaveletSettings wavelet, const QString& text, QString gesture);
  void redo() override;
  void undo() override;
  [[nodiscard]] int id() const override { return kWaveletStep; }
  [[nodiscard]] QString room() const override { return QStringLiteral("wavelet"); }
  bool mergeWith(const QUndoCommand* other) override;

 private:
  SessionModel& model_;
  WaveletSettings wavelet_;
  QString gesture_;
};

}  // namespace sscope
