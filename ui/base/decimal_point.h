#pragma once

namespace sscope {

// Keeps the decimal point: Qt sets the C library's locale to the system's, so that numbers in files, kernels and
// options could get decimal commas. Call it after the application is created. Language and date formats are not
// affected.
void keepDecimalPoint();

}  // namespace sscope
