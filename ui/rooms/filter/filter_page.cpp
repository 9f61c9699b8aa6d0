#include "ui/rooms/filter/filter_page.h"

#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <array>
#include <memory>

#include "ui/base/look.h"
#include "ui/panels/hover_readout.h"
#include "ui/panels/previews.h"
#include "ui/rooms/filter/compare_link.h"
#include "ui/rooms/filter/laboratory_panel.h"
#include "ui/rooms/filter/large_link.h"
#include "ui/rooms/filter/look_strip.h"
#include "ui/rooms/filter/profile_panel.h"
#include "ui/rooms/filter/view_bar.h"
#include "ui/rooms/filter/view_link.h"
#include "ui/rooms/filter/volume_panel.h"
#include "ui/views/volume_views.h"

namespace sscope {

FilterPage::FilterPage(const Toolbox& toolbox, SessionModel& model, LiveController& live, DataLoader& loader,
                       QWidget* parent)
    : QWidget(parent) {
  auto* gallery = new SampleGallery(toolbox, this);
  auto* work = new QWidget(this);
  views_ = new VolumeViews(work);
  views_->setAccessibleName(tr("Slices and 3D view"));
  auto* column = bareLayout<QVBoxLayout>(work, 0);
  auto* bar = new ViewBar(model, *views_, work);
  column->addWidget(bar);
  auto* pictures = new QWidget(work);
  auto* below = bareLayout<QVBoxLayout>(pictures, 0);
  below->addWidget(new LookStrip(model, *views_, pictures));
  below->addWidget(views_, 1);
  below->addWidget(new HoverReadout(model, *views_, pictures));
  profile_ = new ProfilePanel(model, live, *views_, work);
  laboratory_ = new LaboratoryPanel(model, work);
  auto* volumeLink = new VolumeLink(model, *views_, this);
  volume_ = new VolumePanel(model, *views_, *volumeLink, work);
  auto* split = new QSplitter(Qt::Vertical, work);
  split->addWidget(pictures);
  split->addWidget(profile_);
  split->addWidget(laboratory_);
  split->addWidget(volume_);
  split->setChildrenCollapsible(false);
  split->setStretchFactor(0, 1);
  split->setSizes({em(this, 40), em(this, 16), em(this, 20), em(this, 13)});
  column->addWidget(split, 1);
  connect(bar, &ViewBar::profileRequested, profile_, &ProfilePanel::toggle);
  connect(bar, &ViewBar::laboratoryRequested, laboratory_, &LaboratoryPanel::toggle);
  connect(bar, &ViewBar::volumeRequested, volume_, &VolumePanel::toggle);
  new ViewLink(model, live, *views_, this);
  auto* large = new LargeLink(model, *views_, this);
  connect(large, &LargeLink::failed, this, &FilterPage::readingFailed);
  compare_ = new CompareLink(model, *views_, this);
  // Neither may disturb what is being timed.
  const auto holds = std::make_shared<std::array<bool, 2>>();
  const auto hold = [holds, &live](std::size_t which) {
    return [holds, which, &live](bool busy) {
      (*holds)[which] = busy;
      live.holdComparison((*holds)[0] || (*holds)[1]);
    };
  };
  connect(views_, &VolumeViews::drawingChanged, &live, hold(0));
  connect(laboratory_, &LaboratoryPanel::busyChanged, &live, hold(1));

  stack_ = new QStackedLayout(this);
  stack_->addWidget(upDownScroll(gallery, this));  // in a low window
  stack_->addWidget(work);
  connect(gallery, &SampleGallery::chosen, &loader, [&loader](const std::string& name) { loader.openSample(name); });
  connect(gallery, &SampleGallery::openRequested, this, &FilterPage::openRequested);
  connect(&model, &SessionModel::dataChanged, this,
          [this, &model] { stack_->setCurrentIndex(model.hasData() ? 1 : 0); });
}

}  // namespace sscope

#include "moc_filter_page.cpp"
