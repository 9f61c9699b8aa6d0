#pragma once
// Minimal syntax highlighting for kernels: comments, preprocessor lines, keywords, numbers.

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
