#pragma once
// Where the keyboard goes: by Tab, and by the mouse.

#include <QList>

class QWidget;

namespace sscope {

// What Tab stops at inside `area`, in the order of now; hidden ones, too.
[[nodiscard]] QList<QWidget*> focusStops(QWidget* area);

// Tab goes through these areas one after the other, inside each in the order of now; through each window by itself.
void chainFocus(const QList<QWidget*>& areas);

// The mouse leaves the keyboard where it is: what is chosen with it in a list that opens does not take the keys from
// the pictures. Tab reaches it all the same.
void returnFocus(QWidget* control);

}  // namespace sscope
