#include "core/measure/published.h"

#include "core/base/error.h"
#include "core/base/json.h"

namespace sscope {

std::vector<PublishedValue> parsePublished(std::string_view text) {
  std::vector<PublishedValue> values;
  try {
    const nlohmann::json document = parseJson(std::string(text));
    if (document.at("schema") != "stencilscope.published/1")
      throw Error(ErrorKind::BadData, "the published values have an unknown schema",
                  "the schema must be stencilscope.published/1");
    for (const nlohmann::json& row : document.at("values"))
      values.push_back({row.at("workload").get<std::string>(), row.at("variant").get<std::string>(), row.at("params"),
                        row.at("hardware").get<std::string>(), row.at("quantity").get<std::string>(),
                        row.at("value").get<double>(), row.at("source").get<std::string>(),
                        row.value("unit", std::string())});
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::BadData, std::string("the published values cannot be read: ") + error.what());
  }
  return values;
}

const std::vector<PublishedValue>& publishedValues() {
  static const std::vector<PublishedValue> all = [] {
    std::vector<PublishedValue> values;
    for (const PublishedFile& file : publishedFiles())
      for (PublishedValue& value : parsePublished(file.text)) values.push_back(std::move(value));
    return values;
  }();
  return all;
}

}  // namespace sscope
