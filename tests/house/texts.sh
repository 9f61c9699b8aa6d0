#!/bin/sh
# usage: texts.sh [FOLDER]: what people read in FOLDER (default: ui) goes through tr() or translate(). Found are words in
# a literal that is handed as it is to what shows text, and literals of several words anywhere. Symbols, units, markup
# and single letters are no words.
set -u

scan() {
  find "$1" \( -name '*.cpp' -o -name '*.h' \) | LC_ALL=C sort | xargs awk '
    BEGIN {
      # Calls that show their arguments, and those that show the first one only.
      all = "setText setToolTip setStatusTip setWhatsThis setWindowTitle setAccessibleName setAccessibleDescription " \
        "setPlaceholderText setInformativeText setLabelText setPrefix setSuffix setSpecialValueText setTabText " \
        "setItemText setTabToolTip setHeaderLabels setNameFilter setNameFilters setResultName addAction addMenu addTab " \
        "addRow addToolBar addSection showText drawText drawLabel fittingText quietLabel headingLabel Error makeError " \
        "tell say QLabel QPushButton QAction QCheckBox QRadioButton QGroupBox QMenu QMessageBox OfferBar"
      first = "setTitle setWholeText addItem insertItem addButton correct corrected told failed"
      for (n = split(all, name, " "); n > 0; --n) shows[name[n]] = 99
      for (n = split(first, name, " "); n > 0; --n) shows[name[n]] = 1
      # What only stands around a literal; what takes it for itself.
      for (n = split("QStringLiteral QLatin1String QString toQt arg string", name, " "); n > 0; --n) clear[name[n]] = 1
      for (n = split("tr translate", name, " "); n > 0; --n) translates[name[n]] = 1
      for (n = split("QRegularExpression setStyleSheet qFatal qWarning provenanceOf", name, " "); n > 0; --n) keeps[name[n]] = 1
    }
    FNR == 1 { depth = 0; before = ""; comment = 0 }
    # Left as they are: the name of the program, and words of tables that programs read (CSV).
    function words(text) {
      if (text ~ /^(Stencilscope|not run|of an earlier setting)$/) return ""
      gsub(/<[^>]*>|&[a-z]+;|\\u[0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f][0-9A-Fa-f]|\\.|%[0-9n]/, "", text)
      return text
    }
    function literal(text,   level, several) {
      ++literals
      text = words(text)
      several = text ~ /[A-Za-z][A-Za-z]+[,;:]? [A-Za-z(]+/
      for (level = depth; level > 0; --level) if (call[level] in translates || call[level] in keeps) return
      for (level = depth; level > 0 && (call[level] in clear || call[level] == ""); --level) {}
      if (several || (level > 0 && call[level] in shows && count[level] <= shows[call[level]] && text ~ /[A-Za-z][A-Za-z]/)) {
        line = $0; sub(/^ */, "", line)
        print FILENAME ":" FNR ": " line
      }
    }
    /^ *#/ { next }
    {
      rest = $0
      while (rest != "") {
        if (comment) {
          if (!match(rest, /\*\//)) break
          comment = 0
          rest = substr(rest, RSTART + 2)
          continue
        }
        if (!match(rest, /"([^"\\]|\\.)*"|\x27([^\x27\\]|\\.)+\x27|[0-9][0-9A-Za-z.\x27]*|[A-Za-z_][A-Za-z0-9_]*|[(){},;]|\/\/|\/\*/)) break
        gap = substr(rest, 1, RSTART - 1)
        token = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        if (token == "//") break
        if (token == "/*") comment = 1
        else if (token == "(" || token == "{") {
          call[++depth] = token == "{" ? "{" : gap ~ />/ ? "template" : before
          count[depth] = 1
        }
        else if (token == ")" || token == "}") { if (depth > 0) --depth }
        else if (token == ",") ++count[depth]
        else if (token == ";") { if (depth > 0 && call[depth] != "{" && call[depth] != "for") depth = 0 }
        else if (substr(token, 1, 1) == "\"" && gap !~ /[=!]= *$/) literal(substr(token, 2, length(token) - 2))
        before = token ~ /^[A-Za-z_]/ ? token : ""
      }
    }
    END { print literals + 0 " literals" }'
}

if [ $# = 0 ]; then
  # That it sees what it is there for.
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  cat >"$folder/planted.cpp" <<'CPP'
void good() {
  label->setText(tr("Hello"));
  label->setText(QCoreApplication::translate("Room", "Hello there %1").arg(QStringLiteral("%1 × %2")));
  box->addItem(tr("Both"), QStringLiteral("both"));
  button->setIcon(icon("undo"));
  menu->addAction(icon("redo"), tr("Redo"), this, [this] { look("result"); });
  label->setText(QStringLiteral("<b>%1</b> · %2").arg(tr("a part of"
                                                         "a sentence")));
  // label->setText("Hello there");
  label->setText(QStringLiteral("+"));
  label->setText(unit == "sigma" ? tr("σ") : room.findChild<QLabel*>(QStringLiteral("name"))->text());
}
void bad() {
  label->setText(QStringLiteral("Bad1"));
  label->setToolTip("Bad2");
  menu->addAction(icon("redo"), QString("Bad3…"), this, [this] { look("result"); });
  box->addItem(QStringLiteral("Bad4"), 3);
  label->setText(many ? tr("Good") : QLatin1String("Bad5"));
  const QString text = QStringLiteral("bad six");
  throw Error(ErrorKind::Io,
              "Bad7");
}
CPP
  found=$(scan "$folder" | grep -c 'Bad[1-57]\|bad six')
  others=$(scan "$folder" | grep ': ' | grep -vc 'Bad[1-57]\|bad six')
  [ "$found" = 7 ] && [ "$others" = 0 ] || { echo "of 7 planted texts $found were found, and $others that are none:"; scan "$folder"; exit 1; }
fi
out=$(scan "${1:-ui}")
echo "$out"
# The last line counts what was read: a script that reads nothing finds nothing.
[ "$(echo "$out" | wc -l)" = 1 ] && [ "${out%% *}" -gt 0 ]
