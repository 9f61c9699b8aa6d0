#include "ui/panels/corrections.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyleOptionFocusRect>
#include <QStylePainter>
#include <QVBoxLayout>
#include <utility>

#include "core/base/error.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/panels/previews.h"

namespace sscope {

FactLabel::FactLabel(const QString& text, QWidget* parent) : QLabel(text, parent) {
  setTextFormat(Qt::PlainText);  // texts of files are no markup
  setTextInteractionFlags(Qt::TextSelectableByMouse);
  setWordWrap(true);
}

void FactLabel::setEditable(const QString& typed) {
  editable_ = true;
  typed_ = typed;
  setFocusPolicy(Qt::StrongFocus);
}

void FactLabel::edit() {
  if (!editable_ || field_ != nullptr) return;
  field_ = new QLineEdit(typed_, parentWidget());
  field_->setObjectName(objectName() + QStringLiteral("Edit"));
  field_->setAccessibleName(accessibleName());
  field_->setToolTip(toolTip());
  field_->setGeometry(x(), y() + (height() - field_->sizeHint().height()) / 2, width(), field_->sizeHint().height());
  field_->installEventFilter(this);
  connect(field_, &QLineEdit::returnPressed, this, [this] {
    const QString text = field_->text().trimmed();
    setFocus();
    leave();
    if (text != typed_) Q_EMIT entered(text);
  });
  field_->show();
  field_->selectAll();
  field_->setFocus();
  Q_EMIT editing();
}

// Also called when the focus moved: an inactive window sends no focus event.
void FactLabel::leave() {
  if (field_ == nullptr) return;
  QLineEdit* const field = std::exchange(field_, nullptr);
  field->hide();
  field->deleteLater();
}

void FactLabel::mouseDoubleClickEvent(QMouseEvent* event) {
  if (!editable_) return QLabel::mouseDoubleClickEvent(event);
  edit();
}

void FactLabel::keyPressEvent(QKeyEvent* event) {
  const bool wanted = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_F2;
  if (!editable_ || !wanted) return QLabel::keyPressEvent(event);
  edit();
}

bool FactLabel::eventFilter(QObject* watched, QEvent* event) {
  if (watched != field_) return QLabel::eventFilter(watched, event);
  const bool escape = event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
  if (escape) setFocus();
  if (escape || event->type() == QEvent::FocusOut) leave();
  return escape;
}

void FactLabel::paintEvent(QPaintEvent* event) {
  QLabel::paintEvent(event);
  if (!editable_ || !hasFocus()) return;
  QStyleOptionFocusRect focus;
  focus.initFrom(this);
  QStylePainter(this).drawPrimitive(QStyle::PE_FrameFocusRect, focus);
}

namespace {

// In the notation of the dialog.
QString typed(const RawLayout& layout) { return toQt(layout.text()).replace(QLatin1Char(':'), QLatin1Char(',')); }

}  // namespace

CorrectionDialog::CorrectionDialog(const std::string& name, const VolumeInfo* info, VolumeIo& io, QWidget* parent)
    : QDialog(parent), before_(parseSelection(name)), selection_(before_) {
  setObjectName(QStringLiteral("correctionDialog"));
  setWindowTitle(info != nullptr ? tr("Correct the data") : tr("Open raw voxels"));
  const QFileInfo file(toQt(selection_.path));
  auto* about = new QLabel(
      info != nullptr
          ? tr("Corrects what %1 states wrongly or leaves out. The file stays unchanged; empty fields keep its values.")
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
  // Empty fields, which change nothing, show the current values as placeholders.
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
           tr("The unit of the lengths in the file: um"), given("unit"));
  addField(*form, "origin", tr("Origin"), info == nullptr ? QStringLiteral("0,0,0mm") : triple(info->geometry.origin),
           tr("The center of the first voxel: 0,0,0mm"), given("origin"));
  addField(*form, "axes", tr("Axes"), QStringLiteral("t3zyx"),
           tr("The axes of the slices, the slowest first, with all extents but one: t for time, c for channels"),
           given("axes"));
  labels_ = named(new QCheckBox(tr("Values are labels of regions"), this), "labels");
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

// Offers layouts that fit the size of the file.
QLineEdit* CorrectionDialog::addLayout(QFormLayout& form, const QString& text) {
  auto* box = new QComboBox(this);
  box->setEditable(true);
  box->setInsertPolicy(QComboBox::NoInsert);
  box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  for (const RawLayout& layout : likelyLayouts(QFileInfo(toQt(selection_.path)).size())) box->addItem(typed(layout));
  if (!text.isEmpty()) box->setEditText(text);
  box->setToolTip(tr("Extents and type; be for big-endian numbers, components= per voxel, offset= in bytes"));
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

// Shows the first invalid entry, which disables OK.
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

#include "moc_corrections.cpp"
