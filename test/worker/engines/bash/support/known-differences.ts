/** What is known to differ from a system with bash, by the text of the script, and why that does no harm. */
export const KNOWN_DIFFERENCES: readonly (readonly [construct: RegExp, reason: string])[] = [
  [/\bcmp [^;|]*(?:numbers|- words)/, 'GNU cmp says char in the C locale, byte in others'],
  [/\bpython3\b/, 'is off unless it is asked for'],
  [/column -t/, 'versions of column differ in blanks at the end of a line'],
  [/sort -m/, 'sorts input that is not sorted'],
  [
    /awk .*(?:1e20|1\/3, 1e6)|s \/ \(NR - 1\)|1\.0, 1\.5/,
    'awk and jq versions print large numbers in their own way',
  ],
  [/env -i/, 'PWD stays'],
  [/\| awk 'BEGIN[^\n]*PIPESTATUS/, 'whether a writer outlives a reader that reads nothing is chance'],
  [/\| numfmt[^\n]*PIPESTATUS/, 'it ends at its first wrong number: whether a writer outlives it is chance'],
  [/:n\}/, 'a negative length that reaches before the start gives nothing'],
  [/head -n 1 - words/, 'of several inputs the first is taken for a name'],
  [/stat -c %h/, 'a file has one name here'],
  [/\btree\b/, 'is not on every machine'],
  [
    /\$\(\s+cat <<'END'\s[^\n]*\sEND\s(?:wait;|(?:for [^\n]*\n)?\(\()/,
    'bash 5.2 loses what follows a here-document in a substitution',
  ],
]

/** Messages by which the engine says that it does not do something. */
export const REFUSALS =
  /not known here|command not found|syntax error|invalid option|unrecognized option|fit here|has -\w+ and|more than one|takes files here|invalid regular expression|division by 0|readonly variable/
