#!/bin/sh
# The tables of docs/dev/performance.md and performance-notes.md match the stored results (docs/dev/performance).
command -v python3 >/dev/null || {
  echo "SKIPPED: there is no python3"
  exit 4
}
exec docs/dev/performance/tables check
