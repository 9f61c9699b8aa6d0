#include "ui/rooms/filter/template_menu.h"

#include <QMenu>
#include <algorithm>
#include <utility>

#include "core/filter/noise_estimate.h"
#include "ui/base/text.h"

namespace sscope {

namespace {

void addEntries(QMenu& menu, bool replace, const std::function<void(const std::string&, bool)>& use) {
  menu.setToolTipsVisible(true);
  for (const BankTemplate& each : bankTemplates()) {
    QAction* action = menu.addAction(toQt(each.label));
    // As rich text it is broken into lines.
    action->setToolTip(QStringLiteral("<p>%1</p>").arg(toQt(each.help).toHtmlEscaped()));
    action->setObjectName(QStringLiteral("template-%1-%2")
                              .arg(replace ? QStringLiteral("replace") : QStringLiteral("add"), toQt(each.name)));
    QObject::connect(action, &QAction::triggered, &menu, [use, replace, name = each.name] { use(name, replace); });
  }
}

}  // namespace

void fillTemplateMenu(QMenu& menu, const std::function<void(const std::string& name, bool replace)>& use) {
  menu.addSection(Words::tr("Replace the bank"));
  addEntries(menu, true, use);
  menu.addSeparator();
  addEntries(*menu.addMenu(Words::tr("&Add to the bank")), false, use);
}

UsedTemplate usedTemplate(const SessionModel& model, const BankTemplate& chosen, bool replace) {
  FilterGrid grid;
  DataScale scale;
  if (model.hasData()) {
    const Volume& volume = *model.data().volume;
    grid = filterGrid(volume.shape().dimensions(), volume.geometry());
    // A million places at most are looked at, in some hundredths of a second.
    if (!chosen.shares.empty()) scale = estimatedScale(volume.view(), {});
  }
  FilterBank rows = bankFor(chosen, grid, scale);
  const auto shown = std::ranges::find(rows.filters, chosen.shown, &FilterRecipe::name) - rows.filters.begin();
  UsedTemplate used;
  if (replace) {
    used.bank = std::move(rows);
    used.bank.boundary = model.bank().boundary;
    used.bank.constant = model.bank().constant;
    used.shown = static_cast<int>(shown);
  } else {
    used.shown = static_cast<int>(model.bank().filters.size()) + static_cast<int>(shown);
    used.bank = appended(model.bank(), std::move(rows));
  }
  return used;
}

}  // namespace sscope
