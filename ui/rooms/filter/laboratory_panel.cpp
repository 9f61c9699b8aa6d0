#include "ui/rooms/filter/laboratory_panel.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/error.h"
#include "ui/base/icons.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/curve_chart.h"
#include "ui/charts/heat_chart.h"
#include "ui/controls/buttons.h"
#include "ui/controls/two_row_bar.h"
#include "ui/rooms/filter/laboratory_plots.h"
#include "ui/rooms/room.h"

namespace sscope {

namespace {

// Milliseconds after which a newer request replaces a computation; quicker ones finish, so that the charts keep
// changing.
constexpr int kLongMilliseconds = 200;

class LaboratoryBar : public TwoRowBar {
 public:
  using TwoRowBar::first;
  using TwoRowBar::second;
  using TwoRowBar::TwoRowBar;
};

}  // namespace

LaboratoryPanel::LaboratoryPanel(SessionModel& model, QWidget* parent)
    : QWidget(parent), model_(model), controls_(LaboratoryView(), QStringLiteral("laboratory"), this) {
  build();
  controls_.follow(model_);
  model_.follow<LaboratoryView>(this, &LaboratoryPanel::follow);
  connect(&model_, &SessionModel::dataChanged, this, &LaboratoryPanel::follow);
  connect(&model_, &SessionModel::bankChanged, this, &LaboratoryPanel::refresh);
  connect(&model_, &SessionModel::shownFilterChanged, this, &LaboratoryPanel::refresh);
  connect(&task_, &BackgroundTask::failed, this, &LaboratoryPanel::say);
  connect(&task_, &BackgroundTask::canceled, this, [this] {
    if (!wanted_) say(tr("Canceled: change something to compute it again."));
  });
  const auto ended = [this] {
    doing_->setVisible(false);
    if (wanted_ && !paused_) start();
    if (!busy()) Q_EMIT busyChanged(false);
  };
  connect(&task_, &BackgroundTask::finished, this, ended);
  connect(&task_, &BackgroundTask::failed, this, ended);
  connect(&task_, &BackgroundTask::canceled, this, ended);
  follow();
}

LaboratoryPanel::~LaboratoryPanel() = default;

void LaboratoryPanel::build() {
  auto* bar = new LaboratoryBar(this);
  pages_ = named(new SegmentRow(bar), "laboratoryPages", tr("Page of the laboratory"));
  for (const SettingChoice& page : LaboratoryView::table().find("page")->look.choices)
    pages_->add(page.value.c_str(), toQt(page.title), nullptr, toQt(page.tip));
  bar->first()->addWidget(pages_);
  doing_ = quietLabel(tr("computing…"), bar);
  doing_->setVisible(false);
  bar->first()->addWidget(doing_);
  bar->first()->addStretch(1);
  for (const char* row : {"from", "unit", "across", "frequency", "offset"}) {
    SettingField& field = controls_.field(row);
    constexpr int kFewLetters = 10;
    if (auto* list = qobject_cast<QComboBox*>(field.control())) list->setMinimumContentsLength(kFewLetters);
    field.setMaximumWidth(em(this, 14));
    bar->second()->addWidget(&field);
  }
  auto* close =
      toolButton(bar, {.name = "laboratoryClose", .icon = "close", .tip = tr("Hide the laboratory (L)"), .flat = true});
  bar->second()->addWidget(close);
  connect(close, &QToolButton::clicked, this, &LaboratoryPanel::toggle);
  connect(pages_, &SegmentRow::chosen, this, [this](const std::string& page) {
    model_.change<LaboratoryView>([&](LaboratoryView& view) { view.page = page; });
  });

  auto* row = new QHBoxLayout;
  row->setSpacing(em(this, 0.3));
  const auto chart = [&](auto* made, const char* name) {
    made->setObjectName(QLatin1String(name));
    row->addWidget(made, 1);
    connect(made, &Chart::exportRequested, this, [this, made](bool png) { Q_EMIT exportRequested(made->stem(), png); });
    return made;
  };
  first_ = chart(new HeatChart(this), "laboratoryFirst");
  second_ = chart(new HeatChart(this), "laboratorySecond");
  curves_ = chart(new CurveChart(this), "laboratoryCurves");
  phase_ = chart(new CurveChart(this), "laboratoryPhase");
  figures_ = named(new QLabel(this), "laboratoryFigures", tr("Figures"));
  figures_->setTextFormat(Qt::RichText);
  figures_->setWordWrap(true);
  figures_->setMargin(em(this, 0.4));
  figures_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  figures_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  figuresArea_ = upDownScroll(figures_, this);
  row->addWidget(figuresArea_, 1);

  auto* column = bareLayout<QVBoxLayout>(this, 0);
  column->addWidget(bar);
  column->addLayout(row, 1);
}

bool LaboratoryPanel::volume() const { return model_.hasData() && model_.data().volume->shape().dimensions() == 3; }

QString LaboratoryPanel::unit() const {
  return model_.hasData() ? unitText(model_.data().volume->geometry().unit) : QString();
}

void LaboratoryPanel::toggle() {
  if (!model_.hasData()) return;
  model_.change<LaboratoryView>([&](LaboratoryView& view) { view.shown = !view.shown; });
}

void LaboratoryPanel::setPaused(bool paused) {
  paused_ = paused;
  if (paused && busy()) {
    wanted_ = true;
    task_.cancel();
  } else if (!paused && wanted_) {
    start();
  }
}

void LaboratoryPanel::follow() {
  setVisible(model_.hasData() && model_.settings<LaboratoryView>().shown);
  chooseFields();
  refresh();
  Q_EMIT shownChanged();
}

// The fields of the page.
void LaboratoryPanel::chooseFields() {
  const auto& view = model_.settings<LaboratoryView>();
  pages_->setValue(view.page);
  const bool bank = view.page == "coverage" || view.page == "correlation";
  const bool planes = volume() && (view.page == "impulse" || view.page == "spectrum" || view.page == "coverage");
  controls_.field("from").setVisible(!bank);
  controls_.field("unit").setVisible(!unit().isEmpty() && view.page != "impulse" && view.page != "correlation");
  controls_.field("across").setVisible(planes);
  controls_.field("frequency").setVisible(planes && view.page != "impulse");
  controls_.field("offset").setVisible(planes && view.page == "impulse");
  second_->setVisible(view.page == "spectrum");
  first_->setVisible(view.page != "curves");
  curves_->setVisible(view.page == "curves" || view.page == "coverage");
  phase_->setVisible(view.page == "curves");
  figuresArea_->setVisible(view.page == "impulse" || bank);
}

LaboratoryWish LaboratoryPanel::wish() const {
  LaboratoryWish wish{model_.bank(), {}, {}, {}, model_.settings<LaboratoryView>()};
  const Volume& opened = *model_.data().volume;
  wish.grid = filterGrid(opened.shape().dimensions(), opened.geometry());
  if (!opened.geometry().unit.empty()) wish.spacing = opened.geometry().spacing;
  const auto& filters = model_.bank().filters;
  const auto enabled = model_.bank().enabled();
  if (std::ranges::find(filters, model_.view().shownFilter, &FilterRecipe::name) != filters.end()) {
    wish.row = model_.view().shownFilter;
  } else if (model_.shownFilterIndex() < enabled.size()) {
    wish.row = enabled[model_.shownFilterIndex()]->name;
  }
  return wish;
}

void LaboratoryPanel::refresh() {
  if (isHidden()) {
    wanted_ = false;
    task_.cancel();
    return;
  }
  wanted_ = true;
  if (paused_ || (busy() && since_.elapsed() < kLongMilliseconds)) return;
  start();
}

void LaboratoryPanel::start() {
  wanted_ = false;
  if (isHidden()) return;
  since_.start();
  task_.start([this, wished = wish()](const Control& control) -> BackgroundTask::Finish {
    auto found = std::make_shared<LaboratoryAnswer>(laboratory(wished, measured_, control));
    return [this, found] { show(*found); };
  });
  QTimer::singleShot(kQuietMilliseconds, this, [this] { doing_->setVisible(busy()); });
  Q_EMIT busyChanged(true);
}

void LaboratoryPanel::setPlots(LaboratoryPlots plots) {
  first_->setPlot(std::move(plots.first));
  second_->setPlot(std::move(plots.second));
  curves_->setPlot(std::move(plots.curves));
  phase_->setPlot(std::move(plots.phase));
  showFigures(plots.figures, plots.words);
}

void LaboratoryPanel::show(const LaboratoryAnswer& answer) {
  answer_ = answer;
  LaboratoryLook look{darkPalette(this), unit(), {1, 1, 1}, !volume()};
  if (model_.hasData()) look.spacing = model_.data().volume->geometry().spacing;
  setPlots(laboratoryPlots(answer, look));
  Q_EMIT shownChanged();
}

void LaboratoryPanel::finish() {
  if (isHidden() || !(busy() || wanted_)) return;
  try {
    show(laboratory(wish(), measured_, {}));
  } catch (const Error& error) {
    say(toQt(error.what()));
  }
}

void LaboratoryPanel::say(const QString& note) {
  answer_.reset();
  LaboratoryPlots plots = emptyPlots(note);
  plots.words.clear();
  setPlots(std::move(plots));
}

void LaboratoryPanel::showFigures(const FigureList& figures, const QString& words) {
  shownFigures_ = figures;
  QString text;
  for (const auto& [name, value] : figures)
    text += QStringLiteral("<p style='margin-top:0;margin-bottom:3'><span style='color:%1'>%2</span> %3</p>")
                .arg(quietColor(this).name(), name.toHtmlEscaped(), value.toHtmlEscaped());
  if (!words.isEmpty()) text += QStringLiteral("<p>%1</p>").arg(words.toHtmlEscaped());
  figures_->setText(text);
}

void LaboratoryPanel::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && answer_) show(*answer_);
  QWidget::changeEvent(event);
}

void LaboratoryPanel::addOffers(std::vector<ExportOffer>& offers, double scale) {
  if (isHidden() || !answer_) return;
  const auto add = [&](const auto& chart, bool any) {
    if (chart.isHidden() || !any) return;
    const QString title = chart.title();
    addChart(
        offers, title, chart.stem(), [&chart, scale] { return chart.picture(scale); },
        [&chart] { return chart.csv(); });
    offers.push_back({tr("Chart: %1 (SVG)").arg(title), QLatin1Char('-') + chart.stem() + QStringLiteral(".svg"),
                      [&chart] { return writeText(chart.svg()); }});
  };
  add(*first_, !first_->plot().values.empty());
  add(*second_, !second_->plot().values.empty());
  add(*curves_, !curves_->plot().curves.empty());
  add(*phase_, !phase_->plot().curves.empty());
  if (!figuresArea_->isHidden() && !shownFigures_.empty())
    offers.push_back({tr("Figures of the laboratory (CSV)"), QStringLiteral("-laboratory.csv"),
                      [this] { return writeText(figuresCsv(shownFigures_)); }});
}

}  // namespace sscope

#include "moc_laboratory_panel.cpp"
