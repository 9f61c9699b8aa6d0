#pragma once
// Opens files, folders, patterns, sessions, banks and samples beside the window, and finds gauge configurations. The
// newest opening wins; when one fails the data stay as they were. Of a file with several points in time the first is
// opened where none is named (ui/model/frame_loader.h has the others); a session names what it means.

#include <QObject>
#include <optional>
#include <utility>

#include "core/session/kept_session.h"
#include "ui/base/background_task.h"
#include "ui/model/session_model.h"
#include "ui/toolbox.h"

namespace sscope {

class DataLoader : public QObject {
  Q_OBJECT
 public:
  DataLoader(const Toolbox& toolbox, SessionModel& model, QObject* parent = nullptr);

  // A volume, a folder, a pattern of slices, a session or a bank; JSON documents are told apart by their schema.
  void open(const QString& path);
  // One of them as above; several are the slices of one volume.
  void open(const QStringList& paths);
  void openSample(const std::string& name, std::int64_t size = 0, std::uint64_t seed = 1);
  // The data of the session that is open, which were not where it says; its view stays.
  void locate(const QString& path);
  // A session that was kept, with the file it was saved to last.
  void restore(const KeptSession& kept);
  // Data that are there already.
  void take(std::shared_ptr<const Volume> volume, VolumeInfo info, const std::string& name);
  void cancel();
  // Of data that somebody else loads: OpenData::identity.
  [[nodiscard]] std::uint64_t newIdentity() { return ++identities_; }
  [[nodiscard]] bool busy() const { return task_.busy() || waiting_; }
  // The answers to wouldReplace(): take the session that waits, or leave everything as it is.
  void replace();
  void keep() { cancel(); }

 Q_SIGNALS:
  void started(const QString& what);
  void progressed(double fraction, const QString& stage);
  void loaded();           // the model holds the new data
  void sessionRestored();  // after sessionOpened(): it was one that was kept
  void sessionOpened();    // after loaded(): it was of a session
  void wouldReplace();     // a session waits for an answer: the one that is open has changes nobody saved
  // After sessionOpened(): its data could not be read; everything else is open.
  void dataMissing(const QString& path, const QString& reason);
  void opened(const QString& path);  // a path was opened successfully, for the recent files
  void failed(const QString& message);
  void canceled();
  // It is a gauge configuration: the data stay as they were, somebody else opens it.
  void configurationFound(const QString& path);

 private:
  // Everything an opening can bring.
  struct Found {
    std::optional<Session> session;
    std::optional<FilterBank> bank;
    std::optional<OpenData> data;  // without voxels: those of the session could not be read
    QString missing;               // the reason
    bool configuration = false;
    bool changed = false;  // the session, since it was saved
    bool located = false, kept = false;
  };
  Found find(const std::string& path, std::uint64_t identity, const Control& control) const;
  void loadOf(Found& found, std::uint64_t identity, const Control& control) const;
  OpenData load(const DataSource& source, std::uint64_t identity, const Control& control) const;
  void offer(Found found, const QString& path);
  void accept(Found found, const QString& path);

  const Toolbox& toolbox_;
  SessionModel& model_;
  std::uint64_t identities_ = 0;
  BackgroundTask task_;
  std::optional<std::pair<Found, QString>> waiting_;  // for replace() or keep(), with its path
};

}  // namespace sscope
