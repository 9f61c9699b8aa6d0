#!/bin/sh
# The tables of docs/performance.md are those of the stored results (docs/performance/tables).
command -v python3 >/dev/null || {
  echo "SKIPPED: there is no python3"
  exit 4
}
exec docs/performance/tables check
