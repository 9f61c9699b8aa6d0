// Documents, answers of the reader program and words of the command line.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/filter/families/recipe_text.h"
#include "core/filter/formula/formula_interval.h"
#include "core/filter/formula/formula_program.h"
#include "core/filter/recipe.h"
#include "core/io/base/selection.h"
#include "core/io/lattice/links_protocol.h"
#include "core/io/lattice/provenance.h"
#include "core/session/session.h"
#include "tests/fuzz/seeds.h"
#include "tests/fuzz/targets.h"

namespace sscope::test {

namespace {

using nlohmann::json;

std::string wrongSession(const std::string& bytes) {
  return outcomeOf([&] {
    const Session read = readSession(putFile("input.json", bytes));
    // What belongs to a sample that is not named is dropped, the first time.
    const Session session = sessionFromJson(toJson(read));
    return sessionFromJson(toJson(session)) == session ? std::string() : std::string("written, it reads otherwise");
  });
}

std::string wrongBank(const std::string& bytes) {
  return outcomeOf([&] {
    const json document = json::parse(bytes, nullptr, false);
    if (document.is_discarded()) return std::string();
    const FilterBank bank = bankFromJson(document);
    return bankFromJson(toJson(bank)) == bank ? std::string() : std::string("written, it reads otherwise");
  });
}

// From a reader that may be in a file's hands: whatever passes can be sent again.
std::string wrongReply(const std::string& bytes) {
  return outcomeOf([&] {
    const auto reply = io::decodeReply(bytes);
    if (const auto* info = std::get_if<VolumeInfo>(&reply))
      if (!std::holds_alternative<VolumeInfo>(io::decodeReply(io::encodeReply(*info))))
        return std::string("sent again, it is no description");
    const auto links = io::decodeLinksReply(bytes);
    if (const auto* found = std::get_if<io::RawLinks>(&links))
      if (!std::holds_alternative<io::RawLinks>(io::decodeLinksReply(io::encodeReply(*found))))
        return std::string("sent again, they are no links");
    return std::string();
  });
}

// Words divided by line feeds.
std::string wrongRequest(const std::string& bytes) {
  return outcomeOf([&] {
    std::vector<std::string> words(1);
    for (const char c : bytes) {
      if (c == '\n') {
        words.emplace_back();
      } else {
        words.back() += c;
      }
    }
    const auto request = io::requestOf(words);
    if (request && io::argumentsOf(*request).size() != words.size()) return std::string("it has other arguments");
    if (request) static_cast<void>(io::extentsOf(*request));
    static_cast<void>(io::provenanceOf(io::fromLines(bytes)));
    return std::string();
  });
}

// Words of the command line: what the user typed is told as it was, line feeds and all.
bool asTyped(const std::string& bytes) {
  return std::none_of(bytes.begin(), bytes.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

std::string wrongFilter(const std::string& bytes) {
  return outcomeOf([&] {
    if (!asTyped(bytes) || bytes.find("file=") != std::string::npos) return std::string();  // would read what it names
    const FilterRecipe recipe = parseFilterSpec(bytes);
    FilterRecipe again = parseFilterSpec(formatFilterSpec(recipe));
    again.name = recipe.name;
    return again == recipe ? std::string() : std::string("written, it reads otherwise");
  });
}

std::string wrongSelection(const std::string& bytes) {
  return outcomeOf([&] {
    if (!asTyped(bytes)) return std::string();
    const Selection selection = parseSelection(bytes);
    return bytes.starts_with(selection.path) ? std::string() : std::string("it names another file");
  });
}

// Parsed, it can be parsed again, computed, and made into steps.
std::string wrongFormula(const std::string& bytes) {
  return outcomeOf([&] {
    const Formula formula = Formula::parse(bytes);
    if (formula.text() != bytes || Formula::parse(formula.text()) != formula)
      return std::string("its text reads otherwise");
    const std::vector<double> reads(formula.reads().size(), 0.5);
    FormulaEvaluator evaluate(formula);
    const double value = evaluate(reads, {});
    std::vector<Interval> ranges;
    for (const double read : reads) ranges.push_back(Interval::point(read));
    const Interval range = evaluateInterval(formula, ranges, {}, Precision::f64);
    if (std::isnan(value) ? !range.nan : !range.contains(value)) return std::string("its interval leaves it out");
    if (compileFormula(formula).steps.empty()) return std::string("it has no steps");
    return std::string();
  });
}

}  // namespace

std::vector<Target> textTargets() {
  return {{"session", wrongSession, sessionSeeds, {}}, {"bank", wrongBank, bankSeeds, {}},
          {"reply", wrongReply, replySeeds, {}},       {"request", wrongRequest, requestSeeds, {}},
          {"filter", wrongFilter, filterSeeds, {}},    {"selection", wrongSelection, selectionSeeds, {}},
          {"formula", wrongFormula, formulaSeeds, {}}};
}

}  // namespace sscope::test
