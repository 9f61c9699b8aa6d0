#include "ui/panels/correction_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/base/error.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/panels/raw_preview.h"

namespace sscope {

namespace {

// As people type it.
QString typed(const RawLayout& layout) { return toQt(layout.text()).replace(QLatin1Char(':'), QLatin1Char(',')); }

}  // namespace

CorrectionDialog::CorrectionDialog(const std::string& name, const VolumeInfo* info, VolumeIo& io, QWidget* parent)
    : QDialog(parent), before_(parseSelection(name)), selection_(before_) {
  setObjectName(QStringLiteral("correctionDialog"));
  setWindowTitle(info != nullptr ? tr("Correct the data") : tr("Open raw voxels"));
  const QFileInfo file(toQt(selection_.path));
  auto* about = new QLabel(
      info != nullptr
          ? tr("Replaces what %1 states wrongly or leaves out. The file stays unchanged; empty fields keep its values.")
                .arg(file.fileName())
          : tr("%1 has no header. It holds %2.").arg(file.fileName(), bytesText(file.size())),
      this);
  about->setWordWrap(true);
  auto* form = new QFormLayout;
  const Correction now = before_.correction;
  const auto given = [&](const char* key) {
    const std::string text = "," + now.text();
    const std::size_t at = text.find("," + std::string(key) + "=");
    if (at == std::string::npos) return QString();
    const std::size_t begin = text.find('=', at) + 1;
    return toQt(text.substr(begin, text.find(',', begin) - begin));
  };
  // What is there now is seen in fields that change nothing.
  const auto triple = [&](const std::array<double, 3>& values) {
    return toQt(lengthsText(values, info->geometry.unit));
  };
  if (info == nullptr || now.raw) {
    preview_ = new RawPreview(io, this);
    addLayout(*form, now.raw ? given("raw") : QString());
  }
  addField(*form, "spacing", tr("Spacing"),
           info == nullptr ? QStringLiteral("0.1,0.1,0.5um") : triple(info->geometry.spacing),
           tr("The edges of a voxel along x, y and z, or one number for all, with a unit: 0.1,0.1,0.5um"),
           given("spacing"));
  addField(*form, "unit", tr("Unit"),
           info == nullptr || info->geometry.unit.empty() ? QStringLiteral("um") : toQt(info->geometry.unit),
           tr("The unit that the file's own lengths count: um"), given("unit"));
  addField(*form, "origin", tr("Origin"), info == nullptr ? QStringLiteral("0,0,0mm") : triple(info->geometry.origin),
           tr("The center of the first voxel: 0,0,0mm"), given("origin"));
  addField(*form, "axes", tr("Axes"), QStringLiteral("t3zyx"),
           tr("What the slices are, the slowest first, with all extents but one: t for time, c for channels"),
           given("axes"));
  labels_ = named(new QCheckBox(tr("Values name regions"), this), "labels");
  labels_->setChecked(now.labels);
  form->addRow(QString(), labels_);
  refusal_ = named(new QLabel(this), "refusal");
  refusal_->setWordWrap(true);
  buttons_ = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  if (info != nullptr) {
    auto* own = buttons_->addButton(tr("As in the file"), QDialogButtonBox::ResetRole);
    own->setObjectName(QStringLiteral("asTheFile"));
    connect(own, &QPushButton::clicked, this, [this] {
      for (const Field& field : fields_) field.edit->clear();
      labels_->setChecked(false);
    });
  }
  auto* column = new QVBoxLayout(this);
  column->addWidget(about);
  column->addLayout(form);
  if (preview_ != nullptr) column->addWidget(preview_, 1);
  column->addWidget(refusal_);
  column->addWidget(buttons_);
  resize(em(this, 26), sizeHint().height());
  connect(labels_, &QCheckBox::toggled, this, &CorrectionDialog::check);
  connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
  check();
}

// What fits the file's size is offered.
QLineEdit* CorrectionDialog::addLayout(QFormLayout& form, const QString& text) {
  auto* box = new QComboBox(this);
  box->setEditable(true);
  box->setInsertPolicy(QComboBox::NoInsert);
  box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  for (const RawLayout& layout : likelyLayouts(QFileInfo(toQt(selection_.path)).size())) box->addItem(typed(layout));
  if (!text.isEmpty()) box->setEditText(text);
  box->setToolTip(tr("Extents and type; be for big-endian numbers, components= for each voxel, offset= in bytes"));
  box->lineEdit()->setPlaceholderText(tr("512x512x300,u16,be,offset=1024"));
  box->setAccessibleName(tr("Layout"));
  form.addRow(tr("Layout"), box);
  take("raw", tr("Layout"), box->lineEdit());
  return box->lineEdit();
}

QLineEdit* CorrectionDialog::addField(QFormLayout& form, const char* key, const QString& label, const QString& example,
                                      const QString& help, const QString& text) {
  auto* edit = new QLineEdit(text, this);
  edit->setPlaceholderText(example);
  edit->setToolTip(help);
  form.addRow(label, edit);
  take(key, label, edit);
  return edit;
}

void CorrectionDialog::take(const char* key, const QString& label, QLineEdit* edit) {
  edit->setObjectName(QLatin1String(key));
  edit->setAccessibleName(label);
  fields_.push_back({key, edit});
  connect(edit, &QLineEdit::textChanged, this, &CorrectionDialog::check);
}

// The first entry that makes no sense is named, and cannot be accepted.
void CorrectionDialog::check() {
  Correction correction;
  QString refusal;
  try {
    for (const Field& field : fields_)
      if (const std::string text = fromQt(field.edit->text().trimmed()); !text.empty())
        static_cast<void>(takeCorrection(correction, field.key, text));
    if (correction.raw) requireBytes(*correction.raw, before_.path, QFileInfo(toQt(before_.path)).size());
    if (labels_->isChecked()) static_cast<void>(takeCorrection(correction, "labels", "yes"));
  } catch (const Error& error) {
    refusal = toQt(error.what());
  }
  const bool layout = fields_.front().key != "raw" || correction.raw.has_value();
  if (refusal.isEmpty()) {
    selection_ = before_;
    selection_.correct(correction);
  }
  if (preview_ != nullptr) {
    Selection shown;
    shown.path = before_.path;
    shown.correction.raw = correction.raw;
    preview_->showSlice(correction.raw && refusal.isEmpty() ? shown.name() : std::string());
  }
  refusal_->setText(refusal);
  buttons_->button(QDialogButtonBox::Ok)->setEnabled(refusal.isEmpty() && layout);
}

}  // namespace sscope

#include "moc_correction_dialog.cpp"
