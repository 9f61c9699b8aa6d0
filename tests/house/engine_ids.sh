#!/bin/sh
# usage: engine_ids.sh [FOLDER...]: an engine's id is a name for people and a key, never words to read a property from:
# what an engine is, its EngineInfo says (core/engine/engine.h). Found are comparisons and searches with "cpu:", "peer:"
# and their like, whole or as a beginning, in all folders but those that make the ids.
set -u

# peer_program: looks at words of the command line, before there are engines.
made='^(core/cpu|gpu/cuda|gpu/gpu_engines|app/peers|app/cli/peer_program)'
kind='"(cpu|opencl|cuda|gpu|peer):[^"]*"'
ask='(starts_with|startsWith|find|rfind|compare|contains|indexOf|left|substr) *\( *(0, *[0-9]+, *)?(QStringLiteral|QLatin1String|QLatin1StringView|std::string|std::string_view)? *\(? *'

scan() {
  grep -rnE --include='*.h' --include='*.cpp' "($ask$kind|[!=]= *$kind|$kind *[!=]=)" "$@" | grep -vE "$made" | grep -vE ':[0-9]+: *//'
}

if [ $# = 0 ]; then
  # That it sees what it is there for.
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  cat >"$folder/planted.cpp" <<'CPP'
bool good() {
  info.id = "cpu:" + name;
  row.onlyOn = "cpu:sse4";  // of that engine alone
  // engine.starts_with("cpu:")
  const Engine& engine = engines.at("cpu:scalar");
  return info.id == engineId && name.starts_with("sse-") && info.hasThreads();
}
bool bad() {
  if (report.engine.starts_with("cpu:")) return true;
  if (m.engine.rfind("peer:", 0) == 0) return true;
  if (engineId == "cpu:avx512") return true;
  if ("cuda:0" != id) return true;
  return name.startsWith(QLatin1String("opencl:")) || id.compare(0, 4, "cpu:") == 0;
}
CPP
  found=$(scan "$folder" | wc -l)
  [ "$found" = 5 ] || { echo "of 5 planted comparisons $found were found:"; scan "$folder"; exit 1; }
  set -- core gpu ui app datasets
fi
out=$(scan "$@")
[ -z "$out" ] || { echo "engines are asked for properties, not for their ids:"; echo "$out"; exit 1; }
