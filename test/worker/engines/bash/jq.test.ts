import { expect, test } from 'vitest'
import { openShell, run } from './open-shell.ts'

/** Programs and what jq gives for them. Inputs are in the command. */
const PROGRAMS: readonly (readonly [command: string, stdout: string])[] = [
  [
    `jq -c . <<< '1 null 2'; jq -c '[., input]' <<< 'null null'; jq -nc '[inputs]' <<< 'null 1'`,
    '1\nnull\n2\n[null,null]\n[null,1]\n',
  ],
  [
    `jq -c '.a |= null, (.b[] |= null), (.c |= empty)' <<< '{"a":1,"b":[2],"c":3}'`,
    '{"a":null,"b":[2],"c":3}\n{"a":1,"b":[null],"c":3}\n{"a":1,"b":[2]}\n',
  ],
  [
    `jq -c 'walk(if type == "number" then . + 1 else . end)' <<< '{"a":[1,{"b":2}],"c":"x"}'`,
    '{"a":[2,{"b":3}],"c":"x"}\n',
  ],
  [`jq -nc 'def f(g): [1, 2] | map(g); f(. + 1)'`, '[2,3]\n'],
  [
    `jq -c '[paths(type == "number")], [leaf_paths]' <<< '{"a":[1],"b":2}'`,
    '[["a",0],["b"]]\n[["a",0],["b"]]\n',
  ],
  [
    `jq -nc '{"10":1,"9":2,"b":3} | ., keys, to_entries[0]'`,
    '{"10":1,"9":2,"b":3}\n["10","9","b"]\n{"key":"10","value":1}\n',
  ],
  [
    `jq -c '[splits(", *")], gsub("(?<x>[a-z])"; "<\\(.x)>")' <<< '"a, b,c"'`,
    '["a","b","c"]\n"<a>, <b>,<c>"\n',
  ],
  [
    `jq -c 'capture("(?<y>\\\\d+)-(?<m>\\\\d+)"), [match("(a)(x)?"; "g").offset]' <<< '"2024-05aa"'`,
    '{"y":"2024","m":"05"}\n[7,8]\n',
  ],
  [
    `jq -nc '[foreach range(4) as $x (0; . + $x; [$x, .])], (1 | [limit(2; repeat(. * 2))]), reduce range(4) as $i (1; . * 2)'`,
    '[[0,0],[1,1],[2,3],[3,6]]\n[1,2]\n16\n',
  ],
  [
    `jq -nc '[label $f | range(9) | ., (select(. == 2) | break $f)], (try error("x") catch .), ([1,[2]] | getpath([1,0]))'`,
    '[0,1,2]\n"x"\n2\n',
  ],
  [`jq -nc '[[1,2],[3]] | .[] as [$a, $b] | {$a, b: $b}'`, '{"a":1,"b":2}\n{"a":3,"b":null}\n'],
  [
    `jq -c 'del(.[] | select(. == 2)), (.[1:] = ["x"]), map_values(empty), (.[5] = 1), (first |= . + 1)' <<< '[1,2,3]'`,
    '[1,3]\n[1,"x"]\n[]\n[1,2,3,null,null,1]\n[2,2,3]\n',
  ],
  [
    `jq -nc '10 % 3, -10 % 3, 1e3, 1.50, 1e18, 0.1 + 0.2, 1e-5, (0 | todate), ("2024-01-02T03:04:05Z" | fromdate)'`,
    '1\n-1\n1000\n1.5\n1e+18\n0.30000000000000004\n1e-05\n"1970-01-01T00:00:00Z"\n1704164645\n',
  ],
  [
    `jq -r '@csv, @tsv, @sh, @json' <<< '["a\\"b", 1, null]'`,
    '"a""b",1,\na"b\t1\t\n\'a"b\' 1 null\n["a\\"b",1,null]\n',
  ],
  [
    `jq --stream -c . <<< '{"a":[1]}'; jq -c 'fromstream(tostream)' <<< '{"a":[1]}'`,
    '[["a",0],1]\n[["a",0]]\n[["a"]]\n{"a":[1]}\n',
  ],
  [
    `jq -c 'input, [inputs]' <<< '1 2 3 4'; jq -n 'reduce inputs as $x (0; . + $x)' <<< '1 2 3'`,
    '2\n[3,4]\n6\n',
  ],
  [
    `jq -nc --arg x 5 --argjson y '{"z":1}' '[$x, $y, $ARGS.named.x]'; jq -nc '$ARGS.positional' --args a b`,
    '["5",{"z":1},"5"]\n["a","b"]\n',
  ],
  [
    `jq -e .a <<< '{"a":false}'; echo $?; jq '$x' <<< 1 2> /dev/null; echo $?; jq '.a.b' <<< '{"a":1}' 2> /dev/null; echo $?`,
    'false\n1\n3\n5\n',
  ],
  [
    `jq . <<< '{"b":[],"a":{"c":[1]}}'; jq -S -c . <<< '{"b":1,"a":2}'; jq --tab . <<< '[1]'`,
    '{\n  "b": [],\n  "a": {\n    "c": [\n      1\n    ]\n  }\n}\n{"a":2,"b":1}\n[\n\t1\n]\n',
  ],
  [
    `jq -nc '[3,1,2] | sort, (sort_by(-.) | .[0]), group_by(. > 1), unique_by(. % 2), min_by(-.), index(1), (. - [1]), any(. > 2)'`,
    '[1,2,3]\n3\n[[1],[3,2]]\n[2,3]\n3\n1\n[3,2]\ntrue\n',
  ],
  [
    `jq -nc '"x" as $a | "\\($a)y\\(1 + 1)", @base64 "v=\\($a)", ([$a, null, 1] | join("-"))'`,
    '"xy2"\n"v=eA=="\n"x--1"\n',
  ],
]

for (const [command, stdout] of PROGRAMS)
  test(`gives what jq gives: ${command}`, async () => {
    const [, printed] = await run(await openShell(), command)
    expect(printed).toBe(stdout)
  })
