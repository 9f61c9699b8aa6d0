#pragma once
// The least coloring that makes a kernel readable: comments, preprocessor lines, words of the language, numbers.

#include <QSyntaxHighlighter>

namespace sscope {

class KernelHighlighter : public QSyntaxHighlighter {
 public:
  KernelHighlighter(QTextDocument* document, bool dark);

 protected:
  void highlightBlock(const QString& text) override;

 private:
  QTextCharFormat comment_, directive_, word_, number_;
};

}  // namespace sscope
