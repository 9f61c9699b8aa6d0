#include "ui/panels/correction_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>

#include "core/base/error.h"
#include "ui/base/label_text.h"
#include "ui/base/look.h"
#include "ui/base/text.h"

namespace sscope {

std::string likelyLayout(std::int64_t bytes) {
  const auto text = [](std::int64_t edge, std::int64_t slices, ElementType type) {
    return std::to_string(edge) + "x" + std::to_string(edge) + "x" + std::to_string(slices) + "," +
           std::string(toString(type));
  };
  for (const ElementType type : {ElementType::u8, ElementType::u16, ElementType::f32}) {
    const double voxels = static_cast<double>(bytes) / static_cast<double>(bytesOf(type));
    const auto edge = static_cast<std::int64_t>(std::llround(std::cbrt(voxels)));
    if (edge > 1 && edge * edge * edge * static_cast<std::int64_t>(bytesOf(type)) == bytes)
      return text(edge, edge, type);
  }
  for (const std::int64_t edge : {512, 256, 1024, 2048, 128, 640, 768, 4096, 64})
    for (const ElementType type : {ElementType::u16, ElementType::u8, ElementType::f32}) {
      const std::int64_t plane = edge * edge * static_cast<std::int64_t>(bytesOf(type));
      // Volumes have more than a few slices, and not many more than they are wide.
      if (bytes % plane == 0 && bytes / plane >= 8 && bytes / plane <= 8 * edge) return text(edge, bytes / plane, type);
    }
  return {};
}

CorrectionDialog::CorrectionDialog(const std::string& name, const VolumeInfo* info, QWidget* parent)
    : QDialog(parent), selection_(parseSelection(name)) {
  setObjectName(QStringLiteral("correctionDialog"));
  setWindowTitle(info != nullptr ? tr("Correct the data") : tr("Open raw voxels"));
  const QFileInfo file(toQt(selection_.path));
  auto* about = new QLabel(
      info != nullptr
          ? tr("What %1 says wrongly, or not at all. The file stays as it is; empty fields keep what it says.")
                .arg(file.fileName())
          : tr("%1 has no header. It holds %2.").arg(file.fileName(), bytesText(file.size())),
      this);
  about->setWordWrap(true);
  auto* form = new QFormLayout;
  const Correction now = selection_.correction;
  const auto given = [&](const char* key) {
    const std::string text = "," + now.text();
    const std::size_t at = text.find("," + std::string(key) + "=");
    if (at == std::string::npos) return QString();
    const std::size_t begin = text.find('=', at) + 1;
    return toQt(text.substr(begin, text.find(',', begin) - begin));
  };
  // What is there now is seen in fields that change nothing.
  const auto triple = [&](const std::array<double, 3>& values) {
    const QString unit = toQt(info->geometry.unit);
    return QStringLiteral("%1,%2,%3%4").arg(numberText(values[0]), numberText(values[1]), numberText(values[2]), unit);
  };
  if (info == nullptr || now.raw)
    addField(*form, "raw", tr("Layout"), QStringLiteral("512x512x300,u16,be,offset=1024"),
             tr("Extents and type; be for big-endian numbers, components= for each voxel, offset= in bytes"),
             now.raw ? given("raw") : toQt(likelyLayout(file.size())));
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
  labels_ = new QCheckBox(tr("Values name regions"), this);
  labels_->setObjectName(QStringLiteral("labels"));
  labels_->setChecked(now.labels);
  form->addRow(QString(), labels_);
  refusal_ = new QLabel(this);
  refusal_->setObjectName(QStringLiteral("refusal"));
  refusal_->setWordWrap(true);
  buttons_ = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  if (info != nullptr) {
    auto* own = buttons_->addButton(tr("As the file says"), QDialogButtonBox::ResetRole);
    own->setObjectName(QStringLiteral("asTheFile"));
    connect(own, &QPushButton::clicked, this, [this] {
      for (const Field& field : fields_) field.edit->clear();
      labels_->setChecked(false);
    });
  }
  auto* column = new QVBoxLayout(this);
  column->addWidget(about);
  column->addLayout(form);
  column->addWidget(refusal_);
  column->addWidget(buttons_);
  resize(em(this, 26), sizeHint().height());
  connect(labels_, &QCheckBox::toggled, this, &CorrectionDialog::check);
  connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
  check();
}

QLineEdit* CorrectionDialog::addField(QFormLayout& form, const char* key, const QString& label, const QString& example,
                                      const QString& help, const QString& text) {
  auto* edit = new QLineEdit(text, this);
  edit->setObjectName(QLatin1String(key));
  edit->setAccessibleName(label);
  edit->setPlaceholderText(example);
  edit->setToolTip(help);
  form.addRow(label, edit);
  fields_.push_back({key, edit});
  connect(edit, &QLineEdit::textChanged, this, &CorrectionDialog::check);
  return edit;
}

// The first entry that makes no sense is named, and cannot be accepted.
void CorrectionDialog::check() {
  Correction correction;
  QString refusal;
  try {
    for (const Field& field : fields_)
      if (const std::string text = fromQt(field.edit->text().trimmed()); !text.empty())
        static_cast<void>(takeCorrection(correction, field.key, text));
    if (labels_->isChecked()) static_cast<void>(takeCorrection(correction, "labels", "yes"));
  } catch (const Error& error) {
    refusal = toQt(error.what());
  }
  const bool layout = fields_.front().key != "raw" || correction.raw.has_value();
  if (refusal.isEmpty()) selection_.correction = correction;
  refusal_->setText(refusal);
  buttons_->button(QDialogButtonBox::Ok)->setEnabled(refusal.isEmpty() && layout);
}

}  // namespace sscope

#include "moc_correction_dialog.cpp"
