#pragma once
// Templates of banks in menus.

#include <functional>
#include <string>

#include "core/filter/templates/bank_template.h"
#include "ui/model/session_model.h"

class QMenu;

namespace sscope {

// Entries that call `use` with a template's name and whether its rows replace the bank's or are added to them.
void fillTemplateMenu(QMenu& menu, const std::function<void(const std::string& name, bool replace)>& use);

// The model's bank with the template in its place or below it, made for the open data: an image or a volume, its voxels
// and its noise. Of a replaced bank the boundary rule stays. `shown`: the place of the row to look at.
struct UsedTemplate {
  FilterBank bank;
  int shown = 0;
};
[[nodiscard]] UsedTemplate usedTemplate(const SessionModel& model, const BankTemplate& chosen, bool replace);

}  // namespace sscope
