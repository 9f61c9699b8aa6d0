#pragma once
// Opens files, folders, patterns, sessions, banks and samples in the background, and recognizes gauge configurations.
// The newest request wins; if it fails, the data are kept. Files with several time points open at
// the first unless another is named (ui/model/frame_loader.h loads the others). What does not fit into memory opens as
// an overview (core/parts/large_volume.h).

#include <QObject>
#include <optional>
#include <utility>
#include <vector>

#include "core/session/kept_session.h"
#include "ui/base/background_task.h"
#include "ui/base/toolbox.h"
#include "ui/model/session_model.h"

namespace sscope {

class DataLoader : public QObject {
  Q_OBJECT
 public:
  DataLoader(const Toolbox& toolbox, SessionModel& model, QObject* parent = nullptr);

  // A volume, a folder, a pattern of slices, a session or a bank; JSON documents are recognized by their schema.
  void open(const QString& path);
  // A single path as above; several are the slices of one volume.
  void open(const QStringList& paths);
  void openSample(const std::string& name, std::int64_t size = 0, std::uint64_t seed = 1);
  // Replaces the missing data of the open session and keeps its view.
  void locate(const QString& path);
  // Converts the file of foreignFound() to the OME-TIFF `target`, and opens that.
  void convert(const QString& path, const QString& target);
  // Reads the open file again by this name, which holds corrections. Undoable.
  void correct(const QString& path);
  // True by default: partsFound() is emitted, and a pyramid is shown before all voxels are read. False: the usual part
  // opens, and data open when they are complete.
  void setWatched(bool watched) { watched_ = watched; }
  // Restores an autosaved session, with the file where it was last saved.
  void restore(const KeptSession& kept);
  // Opens data in memory.
  void take(std::shared_ptr<const Volume> volume, VolumeInfo info, const std::string& name);
  void cancel();
  // A session is being written to this file: opening it waits for the end, or reads it again.
  void beginWriting(const QString& path);
  void endWriting(const QString& path);
  // A new OpenData::identity for data loaded elsewhere.
  [[nodiscard]] std::uint64_t newIdentity() { return ++identities_; }
  [[nodiscard]] bool busy() const { return task_.busy() || waiting_ || !postponed_.isEmpty(); }
  // The answers to wouldReplace(): open the waiting session, or keep everything as it is.
  void replace();
  void keep() { cancel(); }

 Q_SIGNALS:
  void started(const QString& what);
  void progressed(double fraction, const QString& stage);
  void loaded();           // the model holds the new data
  void completed();        // all voxels of data that a pyramid showed are read
  void sessionRestored();  // after sessionOpened(), for an autosaved session
  void sessionOpened();    // after loaded(), for a session
  void wouldReplace();     // a session is waiting for an answer because the open one has unsaved changes
  // After sessionOpened(), if its data could not be read; everything else is open.
  void dataMissing(const QString& path, const QString& reason);
  void opened(const QString& path);  // a path was opened successfully, for the recent files
  void failed(const QString& message);
  void canceled();
  // The path is a gauge configuration, which the receiver opens; the data are kept.
  void configurationFound(const QString& path);
  // The path holds several parts and names none; the receiver opens one of them.
  void partsFound(const QString& path, const std::vector<sscope::FilePart>& parts);
  // The path is in a microscope's format, "a Zeiss file (CZI)", with an installed converter
  // (core/volume/foreign_files.h).
  void foreignFound(const QString& path, const QString& format);

 private:
  // The result of opening a path.
  struct Found {
    std::optional<Session> session;
    std::optional<FilterBank> bank;
    std::optional<OpenData> data;  // without voxels if the session's data could not be read
    QString missing;               // the reason
    bool configuration = false;
    bool changed = false;  // the session has unsaved changes
    bool located = false, kept = false;
    bool corrected = false, followed = false;  // by correct(); by undo or redo of a correction
    bool completed = false;                    // all voxels of the open data
    std::vector<FilePart> parts;
    QString foreign;  // the format
  };
  // The results of `bank` have to fit into memory beside the data.
  Found find(const std::string& path, const FilterBank& bank, std::uint64_t identity, const Control& control) const;
  void loadOf(Found& found, std::uint64_t identity, const Control& control) const;
  // `pyramid`: an overview may come from a level of a pyramid.
  OpenData load(const DataSource& source, const FilterBank& bank, std::uint64_t identity, const Control& control,
                bool pyramid = true) const;
  void loadFile(OpenData& data, const FilterBank& bank, const Control& control, bool pyramid) const;
  // False: the file fits into memory and is read as a whole.
  bool loadLarge(OpenData& data, const FilterBank& bank, const Control& control, bool pyramid) const;
  // Reads all voxels of open data that a pyramid shows.
  void readAll();
  void begin(const QString& what, const QString& path, BackgroundTask::Work work);
  [[nodiscard]] bool beingWritten(const QString& path) const;
  // Loads the data of an undo or redo of a correction; if that fails, steps back.
  void follow();
  void stopFollowing();
  void offer(Found found, const QString& path);
  void accept(Found found, const QString& path);

  const Toolbox& toolbox_;
  SessionModel& model_;
  std::uint64_t identities_ = 0;
  BackgroundTask task_;
  bool watched_ = true, following_ = false, returning_ = false;
  std::optional<std::pair<Found, QString>> waiting_;  // for replace() or keep(), with its path
  QStringList writing_;
  QString reading_, postponed_;  // the file that is being read, and one to read when it is written; empty: none
};

}  // namespace sscope
