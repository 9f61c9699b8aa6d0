#include "ui/rooms/wavelet/wavelet_page.h"

#include <QHBoxLayout>
#include <QSplitter>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/session/data_paths.h"
#include "core/volume/provenance.h"
#include "core/wavelet/job/transform_job.h"
#include "core/wavelet/job/wavelet_settings.h"
#include "ui/base/look.h"
#include "ui/base/text.h"
#include "ui/charts/chart.h"
#include "ui/controls/buttons.h"
#include "ui/panels/previews.h"
#include "ui/rooms/wavelet/wavelet_charts.h"
#include "ui/rooms/wavelet/wavelet_pictures.h"

namespace sscope {

WaveletBar::WaveletBar(SessionModel& model, QWidget* parent) : TwoRowBar(parent), model_(model) {
  show_ = new SegmentRow(this);
  show_->add("source", tr("Source"), nullptr, tr("Show the source (Space switches)"));
  show_->add("result", tr("Result"), nullptr, tr("Show the result (Space switches)"));
  show_->add("both", tr("Both"), nullptr, tr("Source and result side by side"));
  show_->add("difference", tr("Difference"), nullptr, tr("Source and difference of the result"));
  first()->addWidget(show_);
  first()->addStretch(1);
  pyramid_ = toolButton(this, {.name = "waveletPyramid",
                               .text = tr("Coefficients"),
                               .tip = tr("Show the logarithms of the coefficients next to the picture"),
                               .checkable = true});
  second()->addWidget(pyramid_);
  second()->addStretch(1);
  second()->addSpacing(em(this, 0.6));
  layouts_ = new SegmentRow(this);
  layouts_->addLayouts();
  second()->addWidget(layouts_);

  connect(show_, &SegmentRow::chosen, this, [this](const std::string& value) {
    model_.changeUnsaved<WaveletView>([&value](WaveletView& view) { view.show = value; });
  });
  connect(layouts_, &SegmentRow::chosen, this, [this](const std::string& value) {
    model_.changeUnsaved<WaveletView>([&value](WaveletView& view) { view.layout = value; });
  });
  connect(pyramid_, &QToolButton::clicked, this,
          [this](bool on) { model_.changeUnsaved<WaveletView>([on](WaveletView& view) { view.pyramid = on; }); });
  model_.follow<WaveletView>(this, &WaveletBar::refresh);
  model_.follow<WaveletSettings>(this, &WaveletBar::refresh);
  connect(&model_, &SessionModel::dataChanged, this, &WaveletBar::refresh);
  refresh();
}

void WaveletBar::refresh() {
  const auto& view = model_.settings<WaveletView>();
  show_->setValue(view.show);
  layouts_->setValue(view.layout);
  pyramid_->setChecked(view.pyramid);
  pyramid_->setVisible(model_.settings<WaveletSettings>().transform == "dwt");
  const bool flat = model_.hasData() && model_.data().volume->shape().dimensions() == 2;
  layouts_->showButtons(!flat);
}

namespace {

Metadata metadataOf(const Volume& result, const VolumeInfo& read) {
  return result.shape().components == read.shape.components ? read.metadata : withoutComponents(read.metadata);
}

}  // namespace

WaveletPage::WaveletPage(const Toolbox& toolbox, SessionModel& model, WaveletController& controller, DataLoader& loader,
                         QWidget* parent)
    : QWidget(parent), toolbox_(toolbox), model_(model), controller_(controller), loader_(loader) {
  setAccessibleName(tr("Wavelet room"));
  auto* work = new QWidget(this);
  auto* upper = new QWidget(work);
  pictures_ = new WaveletPictures(model, controller, upper);
  auto* pictureColumn = bareLayout<QVBoxLayout>(upper, 0);
  pictureColumn->addWidget(new WaveletBar(model, upper));
  pictureColumn->addWidget(pictures_, 1);
  charts_ = new WaveletCharts(model, controller, work);
  QSplitter* split = splitter(Qt::Vertical, {{upper, 5, 40}, {charts_, 2, 16}}, work);
  split->setCollapsible(1, true);
  auto* column = bareLayout<QVBoxLayout>(work);
  column->addWidget(split);

  stack_ = new QStackedLayout(this);
  stack_->addWidget(work);
  connect(&model_, &SessionModel::dataChanged, this, [this] {
    showStack();
    Q_EMIT offersChanged();
  });
  connect(&controller_, &WaveletController::ready, this, &WaveletPage::offersChanged);
  connect(charts_, &WaveletCharts::exportRequested, this, &WaveletPage::exportRequested);
}

void WaveletPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  showStack();
}

void WaveletPage::showStack() {
  if (!model_.hasData() && !gallery_ && isVisible()) {
    gallery_ = new SampleGallery(toolbox_, this);
    // It must not change the size of the window.
    gallery_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    stack_->addWidget(gallery_);
    connect(gallery_, &SampleGallery::chosen, &loader_, [this](const std::string& name) { loader_.openSample(name); });
    connect(gallery_, &SampleGallery::openRequested, this, &WaveletPage::openRequested);
  }
  stack_->setCurrentIndex(model_.hasData() || !gallery_ ? 0 : 1);
}

std::function<std::string(const std::string&)> WaveletPage::provenanceFor(const char* part) const {
  const OpenData& open = model_.data();
  WaveletSettings settings = model_.settings<WaveletSettings>();
  settings.taps = std::filesystem::path(settings.taps).filename().string();
  nlohmann::json options = nlohmann::json::object();
  Settings(settings).write(options);
  options["part"] = part;
  return GrowingProvenance(provenanceOf("wavelet room", std::move(options), dataOf(sourceOf(open), open.info))).of();
}

std::vector<ExportOffer> WaveletPage::exportOffers(double scale) {
  std::vector<ExportOffer> offers;
  // Exports the result that is shown when the export starts.
  const auto volume = [&](const QString& title, const QString& suffix,
                          std::shared_ptr<const Volume> WaveletResult::*part) {
    ExportOffer offer{title, suffix, [this, part] {
                        const std::shared_ptr<const WaveletResult> result = controller_.result();
                        if (!result || !((*result).*part))
                          throw makeError(ErrorKind::NotFound, tr("there is no result to export yet"),
                                          tr("wait until it is ready"));
                        const std::shared_ptr<const Volume> held = (*result).*part;
                        const VolumeInfo& read = model_.data().info;
                        WriteOptions how;
                        how.metadata = metadataOf(*held, read);
                        how.provenance = provenanceFor(part == &WaveletResult::coefficients ? "coefficients"
                                                       : part == &WaveletResult::difference ? "difference"
                                                                                            : "result");
                        // For the inverse transform of the command line.
                        if (part == &WaveletResult::coefficients) noteExtents(how.metadata, read.shape);
                        return ExportOffer::Writer(
                            [io = toolbox_.io, held, how](const std::filesystem::path& path, const Control& control) {
                              io->write(path, *held, how, control);
                            });
                      }};
    offer.volume = true;
    if (const auto result = controller_.result(); result && (*result).*part) {
      const Volume& held = *((*result).*part);
      offer.geometry = held.geometry();
      offer.metadata = metadataOf(held, model_.data().info);
      offer.shape = held.shape();
      offer.type = held.type();
    }
    offers.push_back(std::move(offer));
  };
  if (model_.settings<WaveletSettings>().transform == "dwt") {
    volume(tr("Reconstruction"), QStringLiteral("-wavelet.nrrd"), &WaveletResult::result);
    volume(tr("Coefficients"), QStringLiteral("-coefficients.nrrd"), &WaveletResult::coefficients);
    volume(tr("Difference from the source"), QStringLiteral("-difference.nrrd"), &WaveletResult::difference);
  } else {
    volume(tr("Filtered volume"), QStringLiteral("-magic.nrrd"), &WaveletResult::result);
    volume(tr("Difference after the round trip"), QStringLiteral("-round-trip.nrrd"), &WaveletResult::difference);
  }
  offers.push_back({tr("Picture of the views (PNG)"), QStringLiteral("-wavelet-view.png"),
                    [this] { return writeImage(pictures_->renderToImage()); }});
  for (Plot* chart : charts_->charts())
    addChart(
        offers, chart->title(), chart->stem(), [chart, scale] { return chart->picture(scale); },
        [chart] { return chart->csv(); });
  return offers;
}

}  // namespace sscope

#include "moc_wavelet_page.cpp"
