#include "core/filter/job/command_line.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/filter/families/data_shares.h"
#include "core/filter/families/recipe_text.h"
#include "core/options/option.h"

namespace sscope {

namespace {

// Linux takes 128 KiB; others take more.
constexpr std::size_t kLongestWord = std::size_t{120} << 10;

bool isPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_-./=:,@%+").find(c) != std::string_view::npos;
}

std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + shellWord(word);
  return line;
}

// A file's name that no program takes for an option.
std::string asFile(const std::string& path) { return path.starts_with('-') ? "./" + path : path; }

}  // namespace

std::string shellWord(std::string_view text) {
  if (!text.empty() && std::ranges::all_of(text, isPlain)) return std::string(text);
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::vector<std::string> filterArguments(const FilterBank& bank) {
  std::vector<std::string> words;
  for (const FilterRecipe* recipe : bank.enabled()) {
    words.emplace_back("--filter");
    // The program would take from the data what is left out.
    words.push_back(wholeFilterSpec(withStatedShares(*recipe)));
    if (words.back().size() > kLongestWord)
      throw Error(ErrorKind::Unsupported, "the filter " + recipe->name + " has too many taps for a command",
                  "save the bank and use --bank");
  }
  if (words.empty()) throw Error(ErrorKind::Unsupported, "the bank has no filter that is switched on", "add one");
  if (bank.boundary != Boundary::nearest) {
    words.emplace_back("--boundary");
    words.emplace_back(toString(bank.boundary));
  }
  // One word: a negative number is no option.
  if (bank.boundary == Boundary::constant && bank.constant != 0)
    words.push_back("--constant=" + formatOption(bank.constant));
  if (!bank.output.automatic) {
    words.emplace_back("--output-type");
    words.push_back(toString(bank.output));
  }
  return words;
}

std::string filterCommand(const Session& session) {
  const DataSource& data = session.data;
  std::string line, input = data.path.empty() ? "IN" : asFile(data.path);
  if (!data.sample.empty()) {
    input = data.sample + ".nrrd";
    std::vector<std::string> sample{"sscope", "sample", data.sample, "-o", input};
    if (data.size != 0) sample.insert(sample.end(), {"--size", std::to_string(data.size)});
    if (data.seed != 1) sample.insert(sample.end(), {"--seed", std::to_string(data.seed)});
    line = joined(sample) + " && ";
  }
  std::vector<std::string> words{"sscope", "filter", input, "-o", "{stem}-{}.nrrd"};
  for (std::string& word : filterArguments(session.bank)) words.push_back(std::move(word));
  if (!session.engine.empty()) words.insert(words.end(), {"--engine", session.engine});
  if (!session.variant.empty()) words.insert(words.end(), {"--variant", session.variant});
  if (session.threads != 0) words.insert(words.end(), {"--threads", std::to_string(session.threads)});
  return line + joined(words);
}

}  // namespace sscope
