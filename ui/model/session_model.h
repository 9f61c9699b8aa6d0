#pragma once
// The session the window edits. Every edit of the bank, of the engine choice and of the settings of any room is an
// undoable step that swaps a value; edits of one gesture (a slider held down) merge into one.

#include <QObject>
#include <QString>
#include <QTimer>
#include <QUndoStack>
#include <chrono>
#include <optional>

#include "core/engine/engine_choice.h"
#include "core/session/session.h"
#include "ui/model/open_data.h"

namespace sscope {

// Longer than keys take to repeat, and than fingers on a wheel.
inline constexpr std::chrono::milliseconds kBriefHold{300};

class SessionModel : public QObject {
  Q_OBJECT
 public:
  explicit SessionModel(QObject* parent = nullptr);
  ~SessionModel() override;

  [[nodiscard]] const Session& session() const { return session_; }
  [[nodiscard]] const FilterBank& bank() const { return session_.bank; }
  // The settings of type S; the reference is valid until they change.
  template <HasSettingsTable S>
  [[nodiscard]] const S& settings() const {
    return session_.get<S>();
  }
  [[nodiscard]] const ViewState& view() const { return session_.view; }
  [[nodiscard]] EngineChoice engineChoice() const { return {session_.engine, session_.variant, session_.threads}; }
  [[nodiscard]] const OpenData& data() const { return data_; }
  [[nodiscard]] bool hasData() const { return data_.volume != nullptr; }
  [[nodiscard]] QUndoStack& undoStack() { return undo_; }

  // Undoable. `text` names the step in the Edit menu; edits with the same nonempty gesture are one step.
  void editBank(FilterBank bank, const QString& text, const QString& gesture = {});
  void editRecipe(std::size_t index, FilterRecipe recipe, const QString& text, const QString& gesture = {});
  void editEngineChoice(EngineChoice choice, const QString& text);
  // The step is named after the first changed member and undoes only the changes made here.
  void edit(const Settings& settings, const QString& gesture = {});
  // While true, a control is held down, and the live controller computes only previews for slow data.
  void setHeld(bool held);
  // The same for a step by a key or the wheel, of which others may follow: held until none did for kBriefHold.
  void holdBriefly();
  [[nodiscard]] bool held() const { return held_; }

  // View state is saved with the session, but is not undoable and does not make the session dirty.
  void setView(ViewState view);
  // The view settings of a room; like setView(), not undoable and not dirtying.
  void setSettings(const Settings& settings);
  // Calls `slot` of `receiver` whenever settings of type S may have changed.
  template <HasSettingsTable S, class Receiver>
  void follow(Receiver* receiver, void (Receiver::*slot)()) {
    connect(this, &SessionModel::settingsChanged, receiver, [receiver, slot](const SettingsTable* table) {
      if (table == &S::table()) (receiver->*slot)();
    });
    connect(this, &SessionModel::replaced, receiver, slot);
  }
  // Sets or removes the data. Resets the crosshair to the middle and the windows to the file's, where it has one, or
  // to automatic, unless `view` is given:
  // then they are the session's own data, found again or at another point in time. Other data, and settings that open
  // another document, begin a session without a file if they replace what the file has, so that saving asks for a name;
  // if the file has none, they are an unsaved change.
  void setData(OpenData data, std::optional<ViewState> view = {});
  // The open data as a person corrects them: another reading of the same file. Undoable; undo and redo name the other
  // reading, with its view, and emit dataWanted().
  void correctData(OpenData data);
  // What dataWanted() wanted is not to be had: steps back to the data that are open.
  void keepData();
  // Index of the shown filter among the enabled ones; 0 if the name is unknown.
  [[nodiscard]] std::size_t shownFilterIndex() const;
  // The crosshair with -1 resolved to the middle of the data.
  [[nodiscard]] std::array<std::int64_t, 3> crosshair() const;

  // Replaces everything but the data and forgets the undo history; the caller loads session.data.
  void replaceSession(Session session);
  [[nodiscard]] QString path() const { return path_; }
  // Another one for each session that was opened or begun.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  void setSaved(const QString& path);  // remembers the file and clears the dirty state
  // The same for what was saved when it was session `number`; changes since then stay unsaved.
  void setSaved(const QString& path, const Session& saved, std::uint64_t number);
  // Whether there were steps since the last save, other than of optional settings.
  [[nodiscard]] bool dirty() const;

 Q_SIGNALS:
  void bankChanged();                     // anything about the bank
  void filtersChanged();                  // filters came, went, moved, were renamed or switched on or off
  void recipeChanged(std::size_t index);  // parameters of one filter
  void engineChoiceChanged();
  void settingsChanged(const sscope::SettingsTable* table);
  void replaced();  // the whole session was replaced; emitted before the signals of its parts
  void heldChanged(bool held);
  void viewChanged();
  void crosshairChanged();
  void shownFilterChanged();
  void dataChanged();
  void dataWanted();  // the session names others than the open data, or these again, by undo or redo
  void pathChanged();
  void dirtyChanged(bool dirty);

 private:
  void swapBank(FilterBank& bank);
  void swapEngineChoice(EngineChoice& choice);
  void swapSource(DataSource& source, ViewState& view);
  void swapSettings(Settings& settings, const std::vector<std::size_t>& members);
  void announceDirty();
  void followOpened(const std::vector<std::string>& before);

  Session session_;
  OpenData data_;
  QUndoStack undo_;
  QString path_;
  std::uint64_t number_ = 0;
  QTimer brief_;  // runs while held by steps
  bool held_ = false;
  bool announcedDirty_ = false;
};

}  // namespace sscope
