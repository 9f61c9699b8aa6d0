// What errors quote: in one line, and not without end.

#include "core/base/words.h"
#include "tests/support/catch.h"

namespace sscope {

TEST_CASE("nothing that is quoted breaks a line or moves a cursor") {
  CHECK(inOneLine("a\nb\r\tc\x1b[31m\x7f") == "a?b??c?[31m?");
  CHECK(inOneLine("a\u0085b\u009bc\u2028d\u2029e\u202ef\u2066g") == "a?b?c?d?e?f?g");
  CHECK(inOneLine("gr\u00fc\u00df, \u2026 \u65e5\u672c") == "gr\u00fc\u00df, \u2026 \u65e5\u672c");
  CHECK(inOneLine("\xe2\x80") == "\xe2\x80");  // cut off in a character
  CHECK(inOneLine("\xc2").size() == 1);
}

TEST_CASE("long texts are cut between characters") {
  CHECK(shortened("short", 5) == "short");
  CHECK(shortened("longer", 5) == "lo\u2026");
  CHECK(shortened("\u00e4\u00e4\u00e4\u00e4", 6) == "\u00e4\u2026");
}

}  // namespace sscope
