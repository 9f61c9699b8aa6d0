#pragma once
// Our own SVG icons (resources/icons), drawn in the text color of the palette and crisp at every scale.

#include <QIcon>

namespace sscope {

// `name` is the file's name without extension. An unknown name gives an empty icon.
[[nodiscard]] QIcon icon(const char* name);
[[nodiscard]] QIcon applicationIcon();

}  // namespace sscope
