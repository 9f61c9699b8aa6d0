#pragma once
// How far two results agree, as rows of a table.

#include <QString>
#include <vector>

#include "core/compare/result_pair.h"

namespace sscope {

struct NormRow {
  QString name, value;
  QString help{};  // what it means; may be empty
};
[[nodiscard]] std::vector<NormRow> normRows(const compare::ResultPair& pair);

}  // namespace sscope
