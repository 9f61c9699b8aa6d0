#pragma once
// Plural forms: tr("%n file(s)", nullptr, count) reads "1 file" and "3 files".

class QCoreApplication;

namespace sscope {

// Installs English plural forms, as Qt takes them from a translation: "(s)" after a word depends on `count`. Call once
// per application; translations installed later take precedence.
void installPlurals(QCoreApplication& application);

}  // namespace sscope
