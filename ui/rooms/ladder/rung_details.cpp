#include "ui/rooms/ladder/rung_details.h"

#include <QEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSplitter>
#include <QStringList>
#include <QVBoxLayout>

#include "core/report/extents.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart_format.h"
#include "ui/charts/engine_colors.h"
#include "ui/controls/labels.h"

namespace sscope {

namespace {

const QString kDot = QStringLiteral(" · ");

QString escaped(const std::string& text) { return toQt(text).toHtmlEscaped(); }

// With more digits than in the charts.
QString exactSeconds(double seconds) {
  const TimeUnit unit = timeUnit(seconds);
  return QString::number(seconds * unit.perSecond, 'g', 5) + QChar(0x202F) + unit.name;
}

// The results of a row: times, rates, share of the ceiling, verification, disturbances.
QStringList figureLines(const Measurement& m) {
  const Spread spread = m.spread();
  QStringList lines{Words::tr("median %1, quartiles %2 to %3, fastest %4, %n repetition(s)", nullptr,
                              static_cast<int>(m.samples.size()))
                        .arg(exactSeconds(spread.median), exactSeconds(spread.firstQuartile),
                             exactSeconds(spread.thirdQuartile), exactSeconds(spread.minimum))};
  if (!m.twinOf.empty()) {
    lines << Words::tr("the loads and stores of %1 without its arithmetic").arg(escaped(m.twinOf));
  } else {
    const QString gflops = numberText(m.gflops(), 5), gbs = numberText(m.gbs(), 5),
                  share = m.share() ? toQt(shareText(m)) : QString();
    lines
        << (share.isEmpty()
                ? Words::tr("%1 GFLOP/s, %2 GB/s").arg(gflops, gbs)
                : Words::tr("%1 GFLOP/s, %2 GB/s, %3 of the measured ceiling").arg(gflops, gbs, share.toHtmlEscaped()));
    lines << Words::tr("verified: error %1, %2").arg(escaped(errorText(m)), escaped(m.verification.coverage));
  }
  if (!m.caches.empty()) lines << Words::tr("caches: %1").arg(escaped(m.caches));
  if (const std::string words = m.beside.text(m.samples.size()); !words.empty())
    lines << QStringLiteral("! ") + toQt(words);
  if (m.disturbed())
    lines << Words::tr("disturbed: a hypervisor took %1 % of the processor's time").arg(numberText(100 * *m.stolen, 2));
  return lines;
}

}  // namespace

QString parametersText(const Measurement& m, const std::set<std::string>& skip) {
  QStringList parts;
  for (const auto& [name, value] : m.params.items()) {
    if (skip.contains(name)) continue;
    parts << toQt(name) + QLatin1Char(' ') + toQt(value.is_string() ? value.template get<std::string>() : value.dump());
  }
  return parts.join(kDot);
}

QString shapeText(const Measurement& m) { return toQt(extentsText(extentsOf(m), " × ") + " " + m.input); }

QString measurementTip(const Measurement& m) {
  QStringList lines{Words::tr("<b>%1</b> on <b>%2</b>").arg(escaped(m.variant), escaped(m.engine)), shapeText(m)};
  if (const QString parameters = parametersText(m); !parameters.isEmpty())
    lines.back() += kDot + parameters.toHtmlEscaped();
  if (!m.skipped.empty()) lines << Words::tr("skipped: %1").arg(escaped(m.skipped));
  if (!m.failed.empty()) lines << Words::tr("FAILED: %1").arg(escaped(m.failed));
  if (m.skipped.empty() && m.failed.empty() && m.hasFigures()) lines << figureLines(m);
  return lines.join(QStringLiteral("<br>"));
}

namespace {

enum State { kPlain = -1, kInComment = 1 };

QTextCharFormat inked(QRgb light, QRgb dark, bool isDark) {
  QTextCharFormat format;
  format.setForeground(QColor(isDark ? dark : light));
  return format;
}

}  // namespace

KernelHighlighter::KernelHighlighter(QTextDocument* document, bool dark)
    : QSyntaxHighlighter(document),
      comment_(inked(0x6B7280, 0x9AA2AE, dark)),
      directive_(inked(0xA04A00, 0xE6A35C, dark)),
      word_(inked(0x0060A0, 0x6CB6EE, dark)),
      number_(inked(0x007A55, 0x58C9A3, dark)) {
  comment_.setFontItalic(true);
}

void KernelHighlighter::highlightBlock(const QString& text) {
  // Words in capitals are the prelude's macros: KERNEL, GLOBAL, LOCAL, BARRIER.
  static const QRegularExpression words(QStringLiteral(
      "\\b(?:if|else|for|while|do|return|break|continue|const|void|int|uint|float|double|char|uchar|short|ushort|long|"
      "ulong|unsigned|signed|struct|static|inline|auto|template|typename|float[248]|uint[248]|uchar(?:4|8|16)|"
      "[A-Z][A-Z0-9_]{2,})\\b"));
  static const QRegularExpression numbers(
      QStringLiteral("\\b(?:0[xX][0-9a-fA-F.]+(?:[pP][+-]?\\d+)?|\\d+\\.?\\d*(?:[eE][+-]?\\d+)?)[fFuUlL]*\\b"));
  const auto color = [&](const QRegularExpression& pattern, const QTextCharFormat& format) {
    for (auto match = pattern.globalMatch(text); match.hasNext();) {
      const QRegularExpressionMatch found = match.next();
      setFormat(static_cast<int>(found.capturedStart()), static_cast<int>(found.capturedLength()), format);
    }
  };
  color(words, word_);
  color(numbers, number_);
  if (text.trimmed().startsWith(QLatin1Char('#'))) setFormat(0, static_cast<int>(text.size()), directive_);

  // Comments last, because nothing inside them is highlighted.
  setCurrentBlockState(kPlain);
  qsizetype from = previousBlockState() == kInComment ? 0 : -1;
  qsizetype at = 0;
  while (at <= text.size()) {
    if (from < 0) {
      const qsizetype line = text.indexOf(QLatin1String("//"), at), block = text.indexOf(QLatin1String("/*"), at);
      if (line >= 0 && (block < 0 || line < block)) {
        setFormat(static_cast<int>(line), static_cast<int>(text.size() - line), comment_);
        return;
      }
      if (block < 0) return;
      from = block;
      at = block + 2;
    }
    const qsizetype end = text.indexOf(QLatin1String("*/"), at);
    if (end < 0) {
      setFormat(static_cast<int>(from), static_cast<int>(text.size() - from), comment_);
      setCurrentBlockState(kInComment);
      return;
    }
    at = end + 2;
    setFormat(static_cast<int>(from), static_cast<int>(at - from), comment_);
    from = -1;
  }
}

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
  QVBoxLayout* column = controlColumn(words, 0.5, 0.5);
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
  scroll->setMinimumWidth(em(this, 18));
  QSplitter* split = splitter(Qt::Horizontal, {{scroll, 2, 40}, {code, 3, 60}}, this);
  auto* whole = bareLayout<QVBoxLayout>(this);
  whole->addWidget(split);
  clear();
}

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
  text_->setText(tr("Click a point or bar of a figure, a row of the table, or a name in the list of rungs."));
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
  // Prefers one that has a kernel to show.
  const Variant* found = nullptr;
  for (const Variant& row : toolbox_.variants->rows())
    if (row.workload == workload && row.name == rung && (!found || found->kernelFile.empty())) found = &row;
  show(found, toQt(rung), {});
}

}  // namespace sscope

#include "moc_rung_details.cpp"
