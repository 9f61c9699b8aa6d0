#include "ui/rooms/ladder/rung_details.h"

#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/engine_colors.h"
#include "ui/controls/labels.h"
#include "ui/rooms/ladder/kernel_highlighter.h"
#include "ui/rooms/ladder/measurement_text.h"

namespace sscope {

namespace {

QString paragraph(const QString& rich) { return QStringLiteral("<p>%1</p>").arg(rich); }

QString launchText(const Measurement& m) {
  QStringList parts;
  for (const auto& [name, value] : m.launch)
    parts << QStringLiteral("%1 %2").arg(toQt(name).toHtmlEscaped(), numberText(value));
  return parts.join(QStringLiteral(" · "));
}

}  // namespace

RungDetails::RungDetails(const Toolbox& toolbox, QWidget* parent) : QWidget(parent), toolbox_(toolbox) {
  swatch_ = new Swatch(absentColor(), this);
  title_ = named(new QLabel(this), "rungTitle");
  embolden(title_);
  text_ = named(new QLabel(this), "rungText", tr("Explanation of the rung"));
  text_->setTextFormat(Qt::RichText);
  text_->setWordWrap(true);
  text_->setAlignment(Qt::AlignTop);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  source_ = named(new QPlainTextEdit(this), "rungSource", tr("Source of the kernel"));
  source_->setReadOnly(true);
  source_->setLineWrapMode(QPlainTextEdit::NoWrap);
  source_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  source_->setFrameShape(QFrame::NoFrame);
  source_->setTabChangesFocus(true);
  sourceTitle_ = quietLabel({}, this);
  color();

  auto* words = new QWidget(this);
  const int gap = em(this, 0.5);
  auto* head = new QHBoxLayout;
  head->addWidget(swatch_);
  head->addWidget(title_, 1);
  auto* column = new QVBoxLayout(words);
  column->setContentsMargins(gap, gap, gap, gap);
  column->setSpacing(gap / 2);
  column->addLayout(head);
  column->addWidget(text_, 1);
  QScrollArea* scroll = upDownScroll(words, this);
  scroll->setFocusPolicy(Qt::StrongFocus);  // the keyboard scrolls it
  auto* code = new QWidget(this);
  auto* codeColumn = new QVBoxLayout(code);
  codeColumn->setContentsMargins(0, gap, 0, 0);
  codeColumn->setSpacing(gap / 2);
  codeColumn->addWidget(sourceTitle_);
  codeColumn->addWidget(source_, 1);
  auto* split = new QSplitter(Qt::Horizontal, this);
  split->addWidget(scroll);
  split->addWidget(code);
  split->setStretchFactor(0, 2);
  split->setStretchFactor(1, 3);
  split->setChildrenCollapsible(false);
  scroll->setMinimumWidth(em(this, 18));
  split->setSizes({em(this, 40), em(this, 60)});
  auto* whole = bareLayout<QVBoxLayout>(this);
  whole->addWidget(split);
  clear();
}

// The colors of the words suit the palette.
void RungDetails::color() {
  qDeleteAll(source_->document()->findChildren<QSyntaxHighlighter*>());
  new KernelHighlighter(source_->document(), darkPalette(this));
}

void RungDetails::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) color();
}

QString RungDetails::title() const { return title_->text(); }

void RungDetails::clear() {
  swatch_->hide();
  title_->setText(tr("No rung is chosen"));
  text_->setText(tr("Click a point, a bar, a row or a name in the list of rungs."));
  sourceTitle_->clear();
  source_->clear();
}

void RungDetails::show(const Variant* variant, const QString& title, const QString& figures) {
  title_->setText(title);
  QString text;
  QString kernel, about;
  if (variant) {
    text = paragraph(toQt(variant->explanation).toHtmlEscaped()) +
           paragraph(QStringLiteral("<i>%1</i>").arg(toQt(variant->source).toHtmlEscaped()));
    for (const Option& option : variant->options)
      text += QStringLiteral("<div>%1</div>")
                  .arg(tr("%1: %2, %3 by default")
                           .arg(toQt(option.name).toHtmlEscaped(), toQt(option.help).toHtmlEscaped(),
                                toQt(formatOption(option.fallback)).toHtmlEscaped()));
    if (variant->kernelFile.empty()) {
      about = hasThreads(variant->kind) ? tr("This rung is C++ compiled into the program; its source is in core/cpu.")
                                        : tr("There is no kernel source for this rung.");
    } else {
      about = toQt(variant->kernelFile);
      if (toolbox_.kernelText) kernel = toQt(toolbox_.kernelText(variant->kernelFile));
      if (kernel.isEmpty()) about = tr("The source of %1 is not available.").arg(about);
    }
  }
  text_->setText(text + figures);
  sourceTitle_->setText(about);
  sourceTitle_->setWordWrap(kernel.isEmpty());
  source_->setPlainText(kernel);
  source_->setVisible(!kernel.isEmpty());
}

void RungDetails::showMeasurement(const Measurement& m) {
  const Variant* variant = nullptr;
  for (const EngineInfo& info : toolbox_.engines->infos())
    if (info.id == m.engine)
      for (const Variant* row : toolbox_.variants->rows(m.workload, info.kind))
        if (row->name == m.variant) variant = row;
  swatch_->setColor(engineColor(m.engine));
  swatch_->show();
  QString figures = paragraph(measurementTip(m));
  if (!m.launch.empty()) figures += paragraph(tr("Launch: %1").arg(launchText(m)));
  if (!m.ran.empty() && m.ran != m.variant) figures += paragraph(tr("Ran as %1").arg(toQt(m.ran).toHtmlEscaped()));
  show(variant, tr("%1 on %2").arg(toQt(m.variant), toQt(m.engine)), figures);
}

void RungDetails::showRung(const std::string& workload, const std::string& rung) {
  swatch_->hide();
  // A device's row has a kernel to show.
  const Variant* found = nullptr;
  for (const Variant& row : toolbox_.variants->rows())
    if (row.workload == workload && row.name == rung && (!found || found->kernelFile.empty())) found = &row;
  show(found, toQt(rung), {});
}

}  // namespace sscope

#include "moc_rung_details.cpp"
