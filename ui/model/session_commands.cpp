#include "ui/model/session_commands.h"

namespace sscope {

SwapBank::SwapBank(SessionModel& model, FilterBank bank, const QString& text, QString gesture)
    : SessionStep(text), model_(model), bank_(std::move(bank)), gesture_(std::move(gesture)) {}

void SwapBank::redo() { model_.swapBank(bank_); }
void SwapBank::undo() { model_.swapBank(bank_); }

bool SwapBank::mergeWith(const QUndoCommand* other) {
  // `other` was just done on top of this one; this one still holds the value from before the gesture.
  const auto* next = dynamic_cast<const SwapBank*>(other);
  return next != nullptr && !gesture_.isEmpty() && gesture_ == next->gesture_;
}

SwapEngineChoice::SwapEngineChoice(SessionModel& model, EngineChoice choice, const QString& text)
    : SessionStep(text), model_(model), choice_(std::move(choice)) {}

void SwapEngineChoice::redo() { model_.swapEngineChoice(choice_); }
void SwapEngineChoice::undo() { model_.swapEngineChoice(choice_); }

SwapWavelet::SwapWavelet(SessionModel& model, WaveletSettings wavelet, const QString& text, QString gesture)
    : SessionStep(text), model_(model), wavelet_(std::move(wavelet)), gesture_(std::move(gesture)) {}

void SwapWavelet::redo() { model_.swapWavelet(wavelet_); }
void SwapWavelet::undo() { model_.swapWavelet(wavelet_); }

bool SwapWavelet::mergeWith(const QUndoCommand* other) {
  const auto* next = dynamic_cast<const SwapWavelet*>(other);
  return next != nullptr && !gesture_.isEmpty() && gesture_ == next->gesture_;
}

}  // namespace sscope
