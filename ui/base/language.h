#pragma once
// Numbers and plural forms of the application.

class QCoreApplication;

namespace sscope {

// Keeps the decimal point. Qt sets the C library's locale to the system's, which would write decimal commas into files,
// kernels and options. Call this after the application is created. Language and date formats are not affected.
void keepDecimalPoint();

// Installs English plural forms: tr("%n file(s)", nullptr, count) reads "1 file" and "3 files". Qt takes plural forms
// from translations only. Call once per application; translations installed later take precedence.
void installPlurals(QCoreApplication& application);

}  // namespace sscope
