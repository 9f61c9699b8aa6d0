#pragma once
// Texts about a solve: the table of its runs and the sentences of the status line.

#include <QString>
#include <QStringList>
#include <vector>

#include "ui/rooms/lattice/number_table.h"
#include "ui/rooms/lattice/solve_controller.h"

namespace sscope {

inline constexpr int kRunTexts = 4;  // columns of text, before those of numbers
[[nodiscard]] QStringList runColumns();
[[nodiscard]] std::vector<NumberTable::Row> runRows(const SolveController& controller);

// The parameters of the solve, which may differ from the controls by now: "κ 0.12 · antiperiodic in time · point …".
[[nodiscard]] QString jobWords(const SolveJob& job);

// Progress toward the tolerance, 0..1, over all engines and systems.
[[nodiscard]] double solvedShare(const SolveController& controller);
[[nodiscard]] QString progressWords(const SolveController& controller);
[[nodiscard]] QString canceledWords(const SolveController& controller);
[[nodiscard]] QString endWords(const std::vector<SolveLine>& lines);
// Why engines failed, one line each; empty if none did.
[[nodiscard]] QString failureWords(const std::vector<SolveLine>& lines);

}  // namespace sscope
