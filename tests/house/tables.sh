#!/bin/sh
# The tables of docs/dev/performance.md are those of the stored results (docs/dev/performance/tables).
command -v python3 >/dev/null || {
  echo "SKIPPED: there is no python3"
  exit 4
}
exec docs/dev/performance/tables check
