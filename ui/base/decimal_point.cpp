#include "ui/base/decimal_point.h"

#include <clocale>

namespace sscope {

void keepDecimalPoint() { std::setlocale(LC_NUMERIC, "C"); }

}  // namespace sscope
