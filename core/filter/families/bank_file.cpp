#include "core/filter/families/bank_file.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_text.h"
#include "core/base/paths.h"
#include "core/filter/families/recipe_text.h"

namespace sscope {

FilterBank readBankFile(const std::string& path) {
  const std::string text = readTextFile(path);
  try {
    return bankFromJson(parseJson(text));
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::BadData, "cannot read " + path + ": it is not JSON, or a number in it is too large",
                "see docs/manual/file-formats.md for the format");
  } catch (const Error& error) {
    throw Error(error.kind() == ErrorKind::Usage ? ErrorKind::BadData : error.kind(),
                "cannot read " + path + ": " + error.what());
  }
}

}  // namespace sscope
