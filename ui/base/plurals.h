#pragma once
// Texts that count: tr("%n file(s)", nullptr, count) reads "1 file" and "3 files".

class QCoreApplication;

namespace sscope {

// Qt takes plural forms from a translation. This is the one for English: "(s)" after a word that `count` decides.
// Call once for an application; a translation into another language, installed later, comes first.
void installPlurals(QCoreApplication& application);

}  // namespace sscope
