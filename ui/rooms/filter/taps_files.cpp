#include "ui/rooms/filter/taps_files.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QSettings>
#include <QToolButton>
#include <utility>

#include "core/base/paths.h"
#include "core/filter/families/filter_files.h"
#include "core/filter/taps_edit.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/open_files.h"
#include "ui/base/text.h"
#include "ui/controls/buttons.h"
#include "ui/model/saving.h"

namespace sscope {

namespace {

// The setting with the folder of the last file.
const QString kFolderKey = QStringLiteral("tapsFolder");

}  // namespace

TapsFiles::TapsFiles(const FileTools& tools, QWidget* over) : QObject(over), tools_(tools), over_(over) {
  connect(&task_, &BackgroundTask::failed, this, &TapsFiles::failed);
  connect(&saving_, &BackgroundTask::failed, this, &TapsFiles::failed);
}

void TapsFiles::choose(const QString& title, const QString& filters, const QString& suffix,
                       const std::function<void(const QString& path)>& use) {
  const QString folder = QSettings().value(kFolderKey).toString();
  showFileDialog(over_,
                 {.title = title, .start = folder, .filters = filters, .write = !suffix.isEmpty(), .suffix = suffix},
                 [use](const QString& path) {
                   QSettings().setValue(kFolderKey, QFileInfo(path).absolutePath());
                   use(path);
                 });
}

void TapsFiles::chooseTaps() {
  choose(tr("Load taps"), tr("Taps (*.json)"), {}, [this](const QString& path) { load(path); });
}

void TapsFiles::chooseImage() {
  choose(tr("Import an image or volume as taps"), tr("All files (*)"), {},
         [this](const QString& path) { import(path); });
}

void TapsFiles::chooseTarget(const DenseTaps& taps) {
  choose(tr("Save taps"), tr("Taps (*.json)"), QStringLiteral("json"),
         [this, taps](const QString& path) { save(path, taps); });
}

void TapsFiles::load(const QString& path) {
  task_.start([this, name = fromQt(path)](const Control& /*control*/) -> BackgroundTask::Finish {
    return [this, taps = readTapsFile(name)] { Q_EMIT read(taps, tr("Load taps")); };
  });
}

void TapsFiles::import(const QString& path) {
  task_.start([this, name = fromQt(path), io = tools_.io](const Control& control) -> BackgroundTask::Finish {
    requireTaps(name, io->probe(name, control).shape);  // before reading all of a large file
    return
        [this, taps = tapsFromVolume(name, io->read(name, control).volume)] { Q_EMIT read(taps, tr("Import taps")); };
  });
}

void TapsFiles::save(const QString& path, const DenseTaps& taps) {
  const auto write = [this, path, taps] {
    saving_.queue([this, path, taps](const Control& /*control*/) -> BackgroundTask::Finish {
      writeTextFile(fromQt(path), tapsFileText(taps));
      return [this, path] { Q_EMIT saved(path); };
    });
  };
  tools_.guard->ask(over_, {fromQt(path)}, {write, [this](const QString& reason) {
                                              if (!reason.isEmpty()) Q_EMIT failed(reason);
                                            }});
}

namespace {

QString withoutMark(QString text) { return text.remove(QLatin1Char('&')); }

}  // namespace

TapsMenus::TapsMenus(QWidget* parent) : QWidget(parent) {
  auto* row = bareLayout<QHBoxLayout>(this, em(this, 0.15));
  buildSymmetry();
  buildScale();
  buildFlip();
  buildFile();
  row->addStretch(1);
}

QMenu* TapsMenus::addButton(const QString& text, const QString& tip, const char* name) {
  auto* button = toolButton(this, {.name = name, .text = text, .tip = tip, .spoken = tip});
  button->setPopupMode(QToolButton::InstantPopup);
  button->setFocusPolicy(Qt::StrongFocus);
  auto* menu = new QMenu(button);
  menu->setToolTipsVisible(true);
  button->setMenu(menu);
  layout()->addWidget(button);
  return menu;
}

QAction* TapsMenus::add(QMenu* menu, const QString& text, const QString& tip, Make make) {
  QAction* action = menu->addAction(text);
  action->setToolTip(tip);
  connect(action, &QAction::triggered, this,
          [this, name = withoutMark(text), made = std::move(make)] { Q_EMIT chosen(name, made); });
  return action;
}

void TapsMenus::buildSymmetry() {
  QMenu* menu = addButton(tr("Symmetry"), tr("Make the taps symmetric or antisymmetric"), "tapsSymmetry");
  struct Row {
    TapsSymmetry symmetry;
    QString even, odd, image;
  };
  const Row rows[] = {
      {TapsSymmetry::AlongX, tr("Symmetric along &x"), tr("Antisymmetric along x"), tr("its mirror image along x")},
      {TapsSymmetry::AlongY, tr("Symmetric along &y"), tr("Antisymmetric along y"), tr("its mirror image along y")},
      {TapsSymmetry::AlongZ, tr("Symmetric along &z"), tr("Antisymmetric along z"), tr("its mirror image along z")},
      {TapsSymmetry::Point, tr("Symmetric about the &center"), tr("Antisymmetric about the center"),
       tr("the one opposite, through the center of the grid")},
      {TapsSymmetry::QuarterTurn, tr("Symmetric under &quarter turns"), tr("Antisymmetric under quarter turns"),
       tr("those a quarter turn away in its slice")},
  };
  const auto both = [&](const Row& row, bool even) {
    QAction* action = add(menu, even ? row.even : row.odd,
                          even ? tr("Each tap becomes the mean of itself and %1").arg(row.image)
                               : tr("Each tap becomes its difference from the mean of itself and %1").arg(row.image),
                          [symmetry = row.symmetry, even](const DenseTaps& taps) {
                            return even ? madeSymmetric(taps, symmetry) : madeAntisymmetric(taps, symmetry);
                          });
    if (row.symmetry == TapsSymmetry::AlongZ) alongZ_ << action;
  };
  for (const Row& row : rows) both(row, true);
  menu->addSeparator();
  for (const Row& row : rows) both(row, false);
}

void TapsMenus::buildScale() {
  QMenu* menu = addButton(tr("Scale"), tr("Scale or shift all taps"), "tapsScale");
  add(menu, tr("Sum &1"), tr("Divides by the sum: constant data are unchanged"), withUnitSum);
  add(menu, tr("Sum of &magnitudes 1"),
      tr("Divides by the sum of absolute values: results stay within the data's range"), withUnitMagnitude);
  add(menu, tr("Sum &0"), tr("Subtracts the mean from every tap: constant data give 0"), withoutMean);
  menu->addSeparator();
  add(menu, tr("Change all &signs"), tr("Every tap becomes its negative"), negated);
}

void TapsMenus::buildFlip() {
  QMenu* menu = addButton(tr("Flip"), tr("Mirror or turn the taps, the anchor with them"), "tapsFlip");
  const QString texts[] = {tr("Mirror along &x"), tr("Mirror along &y"), tr("Mirror along &z")};
  const QString tips[] = {tr("The first column becomes the last"), tr("The first row becomes the last"),
                          tr("The first slice becomes the last")};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    QAction* action =
        add(menu, texts[axis], tips[axis], [axis](const DenseTaps& taps) { return mirrored(taps, axis); });
    if (axis == 2) alongZ_ << action;
  }
  menu->addSeparator();
  add(menu, tr("&Quarter turn"), tr("Turns every slice clockwise"), quarterTurned);
  add(menu, tr("&Half turn"), tr("Turns every slice by 180 degrees"),
      [](const DenseTaps& taps) { return mirrored(mirrored(taps, 0), 1); });
}

void TapsMenus::buildFile() {
  QMenu* menu = addButton(tr("Taps"), tr("Load, import, save, copy and paste taps"), "tapsFile");
  const auto entry = [&](const char* iconName, const QString& text, const QString& tip, File what) {
    QAction* action = menu->addAction(icon(iconName), text);
    action->setToolTip(tip);
    connect(action, &QAction::triggered, this, [this, what] { Q_EMIT fileChosen(what); });
  };
  entry("open", tr("&Load taps…"), tr("From a JSON file with size and taps"), File::Load);
  entry("volume", tr("&Import an image or volume…"),
        tr("Its gray values become taps, at most 1025 along an axis and 300000 in all"), File::Import);
  entry("save", tr("&Save taps…"), tr("To a JSON file that can be loaded again"), File::Save);
  menu->addSeparator();
  entry("duplicate", tr("&Copy as text"), tr("All slices, as rows for a spreadsheet; Ctrl+C in the grid copies cells"),
        File::Copy);
  entry(
      "add", tr("&Paste"),
      tr("Rows of numbers from a spreadsheet or a text: into equally many selected cells, a slice, or the whole grid"),
      File::Paste);
}

void TapsMenus::follow(const DenseTaps& taps) {
  for (QAction* action : alongZ_) action->setEnabled(taps.size[2] > 1);
}

}  // namespace sscope

#include "moc_taps_files.cpp"
