#pragma once
// Where the keyboard goes: by Tab, and by the mouse.

#include <QList>

class QWidget;

namespace sscope {

// What Tab stops at inside `area`, as one reads: in the order of layouts, splitters and tabs; hidden ones, too.
[[nodiscard]] QList<QWidget*> focusStops(QWidget* area);

// For focusNextPrevChild() of a window: goes to the next, or previous, of its stops that can be seen and used, around
// the end. The chain that Qt keeps is the order in which widgets were made, and loses some that change their parents.
[[nodiscard]] bool passFocus(QWidget* window, bool next);

// The mouse leaves the keyboard where it is: what is chosen with it in a list that opens does not take the keys from
// the pictures. Tab reaches it all the same.
void returnFocus(QWidget* control);

}  // namespace sscope
