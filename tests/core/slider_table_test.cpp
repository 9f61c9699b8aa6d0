// The table of sscope bench job.

#include <algorithm>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/filter/job/slider_bench.h"
#include "tests/support/catch.h"

using namespace sscope;

TEST_CASE("what remains of a step counts phases that overlap once") {
  SliderRow row;
  row.engine = "cuda:0";
  row.slices = {0.001};
  row.whole = {0.016};
  row.phases = {{.upload = 0.010, .kernel = 0.004, .download = 0.010, .overlap = 0.012, .total = 0.014}};
  row.rest = {restOfStep(row.whole[0], row.slices[0], row.phases[0])};
  const std::string table = toTable({&row, 1});
  INFO(table);
  const std::string cells = table.substr(table.find("cuda:0"));
  std::vector<std::string> words;
  for (std::size_t at = 0; at < cells.size();) {
    const std::size_t begin = cells.find_first_not_of(" \n", at);
    if (begin == std::string::npos) break;
    at = std::min(cells.find_first_of(" \n", begin), cells.size());
    words.push_back(cells.substr(begin, at - begin));
  }
  // 16 ms less 1 ms of slices and the 12 ms in which phases were under way.
  CHECK(std::find(words.begin(), words.end(), "3.00") != words.end());
  CHECK(table.find("-9") == std::string::npos);
  CHECK(toJson(row).at("phases")[0].at("overlap_s") == 0.012);
}
