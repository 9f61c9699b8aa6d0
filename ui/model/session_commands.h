#pragma once
// Undo is "swap the value": doing and undoing are the same act.

#include <QUndoCommand>

#include "ui/model/session_model.h"

namespace sscope {

// What kind of step it is: QUndoCommand::id().
inline constexpr int kBankStep = 1, kWaveletStep = 2;

class SwapBank : public QUndoCommand {
 public:
  SwapBank(SessionModel& model, FilterBank bank, const QString& text, QString gesture);
  void redo() override;
  void undo() override;
  [[nodiscard]] int id() const override { return kBankStep; }
  bool mergeWith(const QUndoCommand* other) override;

 private:
  SessionModel& model_;
  FilterBank bank_;  // the other value: new before redo, old after it
  QString gesture_;
};

class SwapEngineChoice : public QUndoCommand {
 public:
  SwapEngineChoice(SessionModel& model, EngineChoice choice, const QString& text);
  void redo() override;
  void undo() override;

 private:
  SessionModel& model_;
  EngineChoice choice_;
};

class SwapWavelet : public QUndoCommand {
 public:
  SwapWavelet(SessionModel& model, WaveletSettings wavelet, const QString& text, QString gesture);
  void redo() override;
  void undo() override;
  [[nodiscard]] int id() const override { return kWaveletStep; }
  bool mergeWith(const QUndoCommand* other) override;

 private:
  SessionModel& model_;
  WaveletSettings wavelet_;
  QString gesture_;
};

}  // namespace sscope
