#pragma once

namespace sscope {

// Qt takes over the system's locale, and with it the C library writes and reads decimal commas where that has them: in
// files, kernels and options, where none belongs. Called once there is an application; words and dates stay local.
void keepDecimalPoint();

}  // namespace sscope
