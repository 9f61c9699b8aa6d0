#!/bin/sh
# usage: budget.sh BUILD_FOLDER: the size of the tree and of its build stays within tests/house/budget, so that growth is
# noticed when it happens and is a decision: raise the number there, in a commit that says why.
set -u
build=$1
status=0
bad() {
  echo "$1"
  status=1
}

sources() { git ls-files "$@" | grep -E '\.(cpp|h|kernel)$'; }
# Lines of code: without blank lines, comments and includes.
code_lines() { sources "$@" | tr '\n' '\0' | xargs -0 cat | grep -cvE '^[[:space:]]*($|//|#include|#pragma once)'; }
longest() { sources . | tr '\n' '\0' | xargs -0 wc -l | awk '$2 != "total" && $1 > most { most = $1 } END { print most }'; }
commands() { ninja -C "$build" -t commands "$@" 2>/dev/null | grep -- ' -c '; }

measure() {
  case $1 in
    code-lines) code_lines app core gpu ui datasets resources ;;
    test-lines) code_lines tests ;;
    source-files) sources app core gpu ui datasets resources | wc -l ;;
    longest-file) longest ;;
    run-objects) commands programs | wc -l ;;
    # The last level of a command counts: Release asks for -O3 first.
    run-objects-o3) commands programs | awk '{ level = ""; for (i = 1; i <= NF; ++i) if ($i ~ /^-O[0-3s]$/) level = $i; if (level == "-O3") ++n } END { print n + 0 }' ;;
    *) echo unknown ;;
  esac
}

while read -r name most; do
  case $name in '' | '#'*) continue ;; esac
  case $name in
    run-*) [ -f "$build/build.ninja" ] || continue ;;
  esac
  value=$(measure "$name" | tr -d ' ')
  echo "$name: $value of $most"
  case $value in
    *[!0-9]* | '') bad "$name cannot be measured: $value" ;;
    *) [ "$value" -le "$most" ] || bad "$name is $value, above the budget of $most (tests/house/budget): make it smaller, or raise the budget in a commit that says why" ;;
  esac
done <tests/house/budget
exit $status
