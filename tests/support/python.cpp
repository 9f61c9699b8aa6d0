#include "tests/support/python.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>

#include "tests/support/catch.h"
#include "tests/support/support.h"

namespace sscope::test {

std::string pythonThatImports(const std::string& modules) {
  for (const char* python : {"python3", "/usr/bin/python3"})
    if (std::system((std::string(python) + " -c 'import " + modules + "' >/dev/null 2>&1").c_str()) == 0) return python;
  return {};
}

std::vector<double> numbersFrom(const std::string& python, const std::string& script) {
  const TemporaryFolder folder;
  const std::string file = (folder / "script.py").string();
  std::ofstream(file) << script;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen((python + " " + file).c_str(), "r"), ::pclose);
  REQUIRE(pipe != nullptr);
  std::vector<double> numbers;
  for (double number = 0; std::fscanf(pipe.get(), "%lf", &number) == 1;) numbers.push_back(number);
  REQUIRE_FALSE(numbers.empty());
  return numbers;
}

std::string pythonList(const std::vector<double>& values) {
  std::string text = "[float.fromhex(s) for s in '";
  char buffer[64];
  for (const double value : values) {
    std::snprintf(buffer, sizeof buffer, "%a ", value);
    text += buffer;
  }
  return text + "'.split()]";
}

}  // namespace sscope::test
