/** What is known to differ from a system with bash, by the text of the script, and why that does no harm. */
export const KNOWN_DIFFERENCES: readonly (readonly [construct: RegExp, reason: string])[] = [
  [/\bcmp [^;|]*(?:numbers|- words)/, 'GNU cmp says char in the C locale, byte in others'],
  [/\bpython3\b/, 'is off unless it is asked for'],
  [/column -t/, 'versions of column differ in blanks at the end of a line'],
  [/sort -m/, 'sorts input that is not sorted'],
  [/\btac\b|\bnl\b|unexpand/, 'a missing newline at the end of the input is added or kept'],
  [/\bjoin\b|\bcomm\b/, 'input that is not sorted is joined in another way'],
  [
    /awk .*(?:1e20|1\/3, 1e6)|s \/ \(NR - 1\)|1\.0, 1\.5/,
    'awk and jq versions print large numbers in their own way',
  ],
  [/env -i/, 'PWD stays'],
  [/\| awk 'BEGIN[^|]*PIPESTATUS/, 'whether a writer outlives a reader that reads nothing is chance'],
  [/bash -c .*"(?:\$\{e|\$e|\$none|\$\{none)/, 'an empty $0 is bash'],
  [/:n\}/, 'a negative length that reaches before the start gives nothing'],
  [/head -n 1 - words/, 'of several inputs the first is taken for a name'],
  [/fold -s/, 'a tab counts to the next stop'],
  [/nl -w2/, 'blanks of lines without number'],
  [/stat -c %h|realpath -m|numfmt|\bbc\b|\bid\b/, 'formats of rarely used options'],
]

/** Messages by which the engine says that it does not do something. */
export const REFUSALS =
  /not known here|command not found|syntax error|invalid option|unrecognized option|fit here|has -\w+ and|more than one|takes files here|invalid regular expression|division by 0|readonly variable/
