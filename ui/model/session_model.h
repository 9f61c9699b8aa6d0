#pragma once
// The session the window edits. Every edit of the bank, of the engine choice and of the wavelet settings is an undoable
// command that swaps a value; edits of one gesture (a slider held down) merge into one step.

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <optional>

#include "core/session/session.h"
#include "core/wavelet/job/transform_job.h"
#include "ui/model/open_data.h"

namespace sscope {

class SessionModel : public QObject {
  Q_OBJECT
 public:
  explicit SessionModel(QObject* parent = nullptr);
  ~SessionModel() override;

  [[nodiscard]] const Session& session() const { return session_; }
  [[nodiscard]] const FilterBank& bank() const { return session_.bank; }
  [[nodiscard]] const WaveletSettings& wavelet() const { return session_.wavelet; }
  [[nodiscard]] const ViewState& view() const { return session_.view; }
  [[nodiscard]] EngineChoice engineChoice() const { return {session_.engine, session_.variant, session_.threads}; }
  [[nodiscard]] const OpenData& data() const { return data_; }
  [[nodiscard]] bool hasData() const { return data_.volume != nullptr; }
  [[nodiscard]] QUndoStack& undoStack() { return undo_; }

  // Undoable. `text` names the step in the Edit menu; edits with the same non-empty gesture are one step.
  void editBank(FilterBank bank, const QString& text, const QString& gesture = {});
  void editRecipe(std::size_t index, FilterRecipe recipe, const QString& text, const QString& gesture = {});
  void editEngineChoice(EngineChoice choice, const QString& text);
  void editWavelet(WaveletSettings wavelet, const QString& text, const QString& gesture = {});
  // While true a control is held down: the live controller computes previews only where data is slow.
  void setHeld(bool held);
  [[nodiscard]] bool held() const { return held_; }

  // View state is saved with the session, but it is no step to undo and does not make the session dirty.
  void setView(ViewState view);
  // As the rooms stand; that makes the session dirty no more than a view does.
  void setLattice(LatticeSettings settings) { session_.lattice = std::move(settings); }
  void setLadder(LadderSettings settings) { session_.ladder = std::move(settings); }
  // New data, or none: the crosshair goes to the middle and the windows become automatic, unless `view` is given.
  void setData(OpenData data, std::optional<ViewState> view = {});
  // Index among the enabled filters of the one that is shown; 0 when the name is unknown.
  [[nodiscard]] std::size_t shownFilterIndex() const;
  // The crosshair with -1 resolved to the middle of the data.
  [[nodiscard]] std::array<std::int64_t, 3> crosshair() const;

  // Replaces everything but the data and forgets the undo history; the caller loads session.data.
  void replaceSession(Session session);
  [[nodiscard]] QString path() const { return path_; }
  void setSaved(const QString& path);  // remembers the file and clears the dirty state
  [[nodiscard]] bool dirty() const { return !undo_.isClean(); }

 Q_SIGNALS:
  void bankChanged();                     // anything about the bank
  void filtersChanged();                  // filters came, went, moved, were renamed or switched on or off
  void recipeChanged(std::size_t index);  // parameters of one filter
  void engineChoiceChanged();
  void waveletChanged();
  void heldChanged(bool held);
  void viewChanged();
  void crosshairChanged();
  void shownFilterChanged();
  void dataChanged();
  void dirtyChanged(bool dirty);

 private:
  friend class SwapBank;
  friend class SwapEngineChoice;
  friend class SwapWavelet;
  void swapBank(FilterBank& bank);
  void swapEngineChoice(EngineChoice& choice);
  void swapWavelet(WaveletSettings& wavelet);
  void announceDirty();

  Session session_;
  OpenData data_;
  QUndoStack undo_;
  QString path_;
  bool held_ = false;
  bool announcedDirty_ = false;
};

}  // namespace sscope
