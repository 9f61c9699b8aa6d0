#pragma once
// Our own SVG icons (resources/icons), drawn in the palette's text color, crisp at every scale.

#include <QIcon>

namespace sscope {

// `name` is the file's name without extension. An unknown name gives an empty icon.
[[nodiscard]] QIcon icon(const char* name);
[[nodiscard]] QIcon applicationIcon();

}  // namespace sscope
