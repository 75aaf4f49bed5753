import { parseDefinitions } from './parser.ts'
import { type Closure, functionName } from './scope.ts'

/** What jq itself writes in jq. */
const SOURCE = `
def not: if . then false else true end;
def select(f): if f then . else empty end;
def map(f): [.[] | f];
def map_values(f): .[] |= f;
def recurse(f; cond): def r: ., (f | select(cond) | r); r;
def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type | . == "array" or . == "object");
def scalars: select(type | . != "array" and . != "object");
def finites: select(isinfinite or isnan | not);
def normals: select(isnormal);
def paths: path(..) | select(length > 0);
def paths(node_filter): . as $dot | paths | select(. as $p | $dot | getpath($p) | node_filter);
def leaf_paths: paths(scalars);
def del(f): delpaths([path(f)]);
def to_entries: [keys_unsorted[] as $k | {key: $k, value: .[$k]}];
def from_entries: reduce .[] as $x ({}; . + { (($x | if type == "object" then
  (if .key == null then (if .k == null then (if .name == null then (if .Name == null then (if .K == null then .Key else .K end) else .Name end) else .name end) else .k end) else .key end)
  else . end) | if type == "string" then . elif type == "null" then "null" else tojson end):
  ($x | if has("value") then .value elif has("v") then .v elif has("Value") then .Value else .V end) });
def with_entries(f): to_entries | map(f) | from_entries;
def walk(f): def w: if type == "object" then map_values(w) elif type == "array" then map(w) else . end | f; w;
def any: any(.[]; .);
def all: all(.[]; .);
def any(f): any(.[]; f);
def all(f): all(.[]; f);
def sort_by(f): _sort_by(map([f]));
def group_by(f): _group_by(map([f]));
def unique_by(f): [group_by(f)[] | .[0]];
def unique: unique_by(.);
def min_by(f): _min_by(map([f]));
def max_by(f): _max_by(map([f]));
def add(f): reduce f as $x (null; . + $x);
def first: .[0];
def last: .[-1];
def nth($n): .[$n];
def nth($n; f): if $n < 0 then error("Out of bounds negative array index") else last(limit($n + 1; f)) end;
def repeat(f; $n): if $n > 0 then ., (f | repeat(f; $n - 1)) else empty end;
def inside(xs): . as $x | xs | contains($x);
def in(xs): . as $x | xs | has($x);
def combinations: if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $w | [$x] + $w end;
def combinations(n): . as $dot | [range(n)] | map($dot) | combinations;
def todate: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;
def todateiso8601: strftime("%Y-%m-%dT%H:%M:%SZ");
def fromdate: fromdateiso8601;
def date: todate;
def dateadd(u; n): . + n;
def datesub(u; n): . - n;
def match(re; mode): _match(re; mode; false) | .[];
def match($val): ($val | type) as $vt | if $vt == "string" then match($val; null)
  elif $vt == "array" and ($val | length) > 1 then match($val[0]; $val[1])
  elif $vt == "array" and ($val | length) > 0 then match($val[0]; null)
  else error($vt + " not a string or array") end;
def test(re; mode): _match(re; mode; true);
def test($val): ($val | type) as $vt | if $vt == "string" then test($val; null)
  elif $vt == "array" and ($val | length) > 1 then test($val[0]; $val[1])
  elif $vt == "array" and ($val | length) > 0 then test($val[0]; null)
  else error($vt + " not a string or array") end;
def _captured: [.captures | .[] | select(.name != null) | {key: .name, value: .string}] | from_entries;
def capture(re; mods): match(re; mods) | _captured;
def capture(val): match(val) | _captured;
def scan($re; $flags): match($re; "g" + $flags) | if (.captures | length) > 0 then [.captures | .[] | .string] else .string end;
def scan($re): scan($re; null);
def split($re; flags): . as $s | [foreach ((match($re; flags + "g") | [.offset, .length]), null) as $m
  ([0, null]; if $m == null then [.[0], $s[.[0]:]] else [$m[0] + $m[1], $s[.[0]:$m[0]]] end; .[1])];
def splits($re): splits($re; null);
def splits($re; flags): split($re; flags) | .[];
def sub($re; str; $flags): . as $in | (reduce (match($re; $flags) | . as $edit | ($edit | _captured) as $c | [$edit, $c]) as $m
  ([[], 0]; .[0] as $parts | .[1] as $at | [$parts + [$in[$at:$m[0].offset], $m[1]], $m[0].offset + $m[0].length])) as [$parts, $at]
  | def build($i): if $i >= ($parts | length) then "" else (($parts[$i + 1] | str) as $s | build($i + 2) | $parts[$i] + $s + .) end;
  build(0) + $in[$at:];
def sub($re; str): sub($re; str; "");
def gsub($re; str; $flags): sub($re; str; $flags + "g");
def gsub($re; str): sub($re; str; "g");
def tostream: path(def r: (.[]?|r), .; r) as $p | getpath($p) | reduce path(.[]?) as $q ([$p, .]; [$p + $q]);
def fromstream(f): {x: null, e: false} as $init | foreach f as $i ($init;
  if .e then $init else . end | if $i | length == 2
  then setpath(["e"]; $i[0] | length == 0) | setpath(["x"] + $i[0]; $i[1])
  else setpath(["e"]; $i[0] | length == 1) end; if .e then .x else empty end);
def truncate_stream(stream): . as $n | null | stream | . as $input | if (.[0] | length) > $n then setpath([0]; .[0][$n:]) else empty end;
def INDEX(stream; idx_expr): reduce stream as $row ({}; .[$row | idx_expr | tostring] |= $row);
def INDEX(idx_expr): INDEX(.[]; idx_expr);
def IN(s): any(s == .; .);
def IN(src; s): any(src == s; .);
def JOIN($idx; idx_expr): [.[] | [., $idx[idx_expr]]];
def JOIN($idx; stream; idx_expr): stream | [., $idx[idx_expr]];
def JOIN($idx; stream; idx_expr; join_expr): stream | [., $idx[idx_expr]] | join_expr;
def pick(pathexps): . as $top | reduce path(pathexps) as $p (null; setpath($p; $top | getpath($p)));
def have_literal_numbers: true;
def have_decnum: false;
def toarray: if type == "array" then . else [.] end;
def skip($n; f): if $n > 0 then foreach f as $x ($n; . - 1; if . < 0 then $x else empty end) elif $n == 0 then f else error("Invalid arguments") end;
def isvalid(f): try (f | true) catch false;
`

let definitions: ReadonlyMap<string, Closure> | undefined

/** The functions that are written in jq. They are read at their first use. */
export function prelude(): ReadonlyMap<string, Closure> {
  definitions ??= new Map(
    parseDefinitions(SOURCE).map(({ name, parameters, body }) => [
      functionName(name, parameters.length),
      { named: true, parameters, body, scope: undefined },
    ]),
  )
  return definitions
}
