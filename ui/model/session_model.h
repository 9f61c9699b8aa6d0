#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <QUndoCommand>
#include <QUndoStack>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/engine_choice.h"
#include "core/parts/large_volume.h"
#include "core/session/session.h"
#include "core/volume/volume_io.h"

namespace sscope {

// The open data: voxels, origin and metadata. Immutable.
struct OpenData {
  DataSource source;
  std::shared_ptr<const Volume> volume;
  // Not null: the data are larger than memory. `volume` then has their extents and no voxels, which `large` provides.
  std::shared_ptr<reach::LargeVolume> large;
  VolumeInfo info;
  std::string name;            // of data from no file or sample, such as a field of the Lattice room
  std::uint64_t identity = 0;  // unique for every load; engines use it to keep device copies
  // The same nonzero number for all time points of a file, which share the view.
  std::uint64_t series = 0;
  std::shared_ptr<const LoadedVolume> allFrames;  // of the file, if in memory
  std::optional<std::int64_t> frame;              // the open one, from 0; empty: all of them, as components
  [[nodiscard]] int frames() const { return series == 0 ? 1 : info.fileFrames; }
  // The same for all time points of a file.
  [[nodiscard]] std::uint64_t timelessIdentity() const { return series != 0 ? series : identity; }
};

// "brain.nii.gz", "foam", or OpenData::name.
[[nodiscard]] QString dataTitle(const OpenData& data);

// The source with the open frame.
[[nodiscard]] DataSource sourceOf(const OpenData& data);

// The kind of the overview of large data: "means of 4 × 4 × 2 voxels", "level 3 of the file's pyramid".
[[nodiscard]] QString overviewText(const reach::Overview& overview);
// The reason why something is impossible with large data, as one sentence without a full stop: "the data are larger
// than memory, and `what`"; empty for other data.
[[nodiscard]] QString largeRefusal(const OpenData& data, const QString& what);

// An undo step of the session. Doing and undoing both swap the value.
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
  std::function<void(const Members&)> swap_;  // holds the whole other value, with all members
};

// The session the window edits. Every edit of the bank, of the engine choice and of the settings of any room is an
// undoable step that swaps a value; edits of one gesture (a slider held down) merge into one.

// Longer than the interval between repeated keys, or between turns of a wheel.
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
  // True while a control is held down; the live controller then computes only previews of slow data.
  void setHeld(bool held);
  // For a step by a key or the wheel: held until no step follows for kBriefHold.
  void holdBriefly();
  [[nodiscard]] bool held() const { return held_; }

  // View state is saved with the session, but is not undoable and does not make the session dirty.
  void setView(ViewState view);
  // The view settings of a room; like setView(), not undoable and not dirtying.
  void setSettings(const Settings& settings);
  // The same with a function that changes a copy of the present value: by setView(), edit(), setSettings() and
  // editBank().
  template <class Change>
  void changeView(const Change& change) {
    ViewState view = session_.view;
    change(view);
    setView(std::move(view));
  }
  template <HasSettingsTable S, class Change>
  void change(const Change& change, const QString& gesture = {}) {
    S settings = session_.get<S>();
    change(settings);
    edit(settings, gesture);
  }
  template <HasSettingsTable S, class Change>
  void changeUnsaved(const Change& change) {
    S settings = session_.get<S>();
    change(settings);
    setSettings(settings);
  }
  template <class Change>
  void changeBank(const Change& change, const QString& text) {
    FilterBank bank = session_.bank;
    change(bank);
    editBank(std::move(bank), text);
  }
  // Calls `slot` of `receiver` whenever settings of type S may have changed.
  template <HasSettingsTable S, class Receiver>
  void follow(Receiver* receiver, void (Receiver::*slot)()) {
    connect(this, &SessionModel::settingsChanged, receiver, [receiver, slot](const SettingsTable* table) {
      if (table == &S::table()) (receiver->*slot)();
    });
    connect(this, &SessionModel::replaced, receiver, slot);
  }
  // Sets or removes the data. Without `view`, resets the crosshair to the middle and the windows to those of the file,
  // or to automatic ones. With `view`, they are the session's own data, found again or at another time point. Other
  // data, and settings that open another document, begin a session without a file if they replace what the file of the
  // session names, so that saving asks for a name; if it names none, they are an unsaved change.
  void setData(OpenData data, std::optional<ViewState> view = {});
  // The open data with the user's corrections: another reading of the same file. Undoable; undo and redo restore the
  // source and the view of the other reading, and emit dataWanted().
  void correctData(OpenData data);
  // The data of dataWanted() cannot be loaded: steps back to the open data.
  void keepData();
  // Index of the shown filter among the enabled ones; 0 if the name is unknown.
  [[nodiscard]] std::size_t shownFilterIndex() const;
  // The crosshair with -1 resolved to the middle of the data.
  [[nodiscard]] std::array<std::int64_t, 3> crosshair() const;

  // Replaces everything but the data and forgets the undo history; the caller loads session.data.
  void replaceSession(Session session);
  [[nodiscard]] QString path() const { return path_; }
  // Unique for each session that was opened or begun.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  void setSaved(const QString& path);  // remembers the file and clears the dirty state
  // The same for `saved`, a state of session `number`; changes since then stay unsaved.
  void setSaved(const QString& path, const Session& saved, std::uint64_t number);
  // Whether there are unsaved steps, other than those of optional settings.
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
  void dataWanted();  // undo or redo: the session names other data than the open ones, or these again
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
