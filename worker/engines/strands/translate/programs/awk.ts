import { AWK_EXPRESSION_PARSER } from './awk/expression-parser.ts'
import { AWK_EXPRESSIONS } from './awk/expressions.ts'
import { AWK_FILES } from './awk/files.ts'
import { AWK_FORMATS } from './awk/formats.ts'
import { AWK_FUNCTIONS } from './awk/functions.ts'
import { AWK_OPERATORS } from './awk/operators.ts'
import { AWK_PATTERNS } from './awk/patterns.ts'
import { AWK_RECORDS } from './awk/records.ts'
import { AWK_STATEMENT_PARSER } from './awk/statement-parser.ts'
import { AWK_STATEMENTS } from './awk/statements.ts'
import { AWK_TOKENS } from './awk/tokens.ts'
import { AWK_VALUES } from './awk/values.ts'
import { AWK_VARIABLES } from './awk/variables.ts'
import { REGEX } from './regex.ts'

/** Which names are arrays, the words of the command, and the rules of the program on each record. */
const AWK_MAIN = String.raw`
-- Names that are used as arrays: of functions, until nothing is found any more.
local changed
local function note(name, inside)
  local set = inside and inside.names[name] and inside.arrays or globals
  if not set[name] then set[name], changed = true, true end
end
local function scan(node, inside)
  if type(node) ~= 'table' then return end
  if node.t == 'index' or node.t == 'in' or node.t == 'each' or node.t == 'delete' then note(node.name, inside) end
  if node.t == 'builtin' and node.args[1] then
    local at = node.name == 'split' and 2 or node.name == 'match' and 3
    if at and node.args[at] and node.args[at].t == 'var' then note(node.args[at].name, inside) end
  end
  if node.t == 'call' and functions[node.name] then
    for i, arg in ipairs(node.args) do
      local name = functions[node.name].params[i]
      if arg.t == 'var' and name and functions[node.name].arrays[name] then note(arg.name, inside) end
    end
  end
  for _, inner in pairs(node) do scan(inner, inside) end
end
local assignments, sources = {}, {}
local at = 1
local LONG = { ['--field-separator'] = 'F', ['--assign'] = 'v', ['--file'] = 'f' }
while arg[at] and arg[at]:match('^%-.') do
  local word = arg[at]
  at = at + 1
  if word == '--' then break end
  local name, attached = word:match('^(%-%-[%a-]+)=(.*)$')
  local letter = LONG[name or word] or word:match('^%-([Fvf])')
  if not letter then unknown(word) end
  local value = attached or (not word:match('^%-%-') and #word > 2 and word:sub(3)) or nil
  if not value then value = arg[at]; at = at + 1 end
  if not value then fail('option requires an argument -- ' .. letter, 2) end
  if letter == 'F' then assignments[#assignments + 1] = { 'FS', value == 't' and '\t' or value }
  elseif letter == 'v' then
    local variable, text = value:match('^([%a_][%w_]*)=(.*)$')
    if not variable then fail("'" .. value .. "' argument to '-v' not in 'var=value' form", 2) end
    assignments[#assignments + 1] = { variable, text }
  else sources[#sources + 1] = text_of(value) or fail("cannot open source file '" .. value .. "' for reading: No such file or directory", 2) end
end
local text = table.concat(sources, '\n')
if #sources == 0 then
  text = arg[at] or fail('usage: awk [-F fs] [-v var=value] [program | -f file] [file ...]', 2)
  at = at + 1
end
for i = at, #arg do operands[#operands + 1] = arg[i] end
local program = parse(text)
for _, one in pairs(functions) do
  one.names, one.places = {}, {}
  for i, name in ipairs(one.params) do one.names[name], one.places[name] = true, i end
end
repeat
  changed = false
  for _, one in pairs(functions) do scan(one.body, one) end
  scan(program, nil)
until not changed
for name in pairs(globals) do if name ~= 'ENVIRON' then arrays[name] = new_array() end end
if arrays.ARGV or globals.ARGC then
  put_element(arrays.ARGV, '0', 'awk')
  for i, word in ipairs(operands) do put_element(arrays.ARGV, string.format('%d', i), input_value(word)) end
end
V.ARGC = #operands + 1.0
for _, one in pairs(functions) do
  scope = one
  one.run = run_of(one.body)
end
scope = nil
local function bodies(list)
  local out = {}
  for i, one in ipairs(list) do out[i] = run_of(one) end
  return out
end
local begins, ends, rules = bodies(program.BEGIN), bodies(program.END), {}
for i, rule in ipairs(program.rules) do
  rules[i] = {
    pattern = rule.pattern and value_of(rule.pattern),
    to = rule.to and value_of(rule.to),
    body = rule.body and run_of(rule.body) or run_of({ t = 'print', args = {} }),
  }
end
for _, pair in ipairs(assignments) do assign_text(pair[1], pair[2]) end
local ended = false
local function run_all(list)
  for _, run in ipairs(list) do
    local how = run()
    if how == 'exit' then ended = true; return true end
  end
end
local function takes(rule)
  if not rule.pattern then return true end
  if not rule.to then return truth(rule.pattern()) end
  if not rule.active and not truth(rule.pattern()) then return false end
  rule.active = not truth(rule.to())
  return true
end
local function records()
  while true do
    local one = next_record()
    if not one then return end
    set_record(one)
    for i = 1, #rules do
      local rule = rules[i]
      if takes(rule) then
        local how = rule.body()
        if how == 'next' then break end
        if how == 'nextfile' then current = nil; break end
        if how == 'exit' then ended = true; return end
      end
    end
  end
end
-- What an exit in a function throws is caught here.
local function guarded(run)
  local ok, problem = pcall(run)
  if ok then return end
  if type(problem) == 'table' and problem.exit then ended = true; return end
  local text = type(problem) == 'string' and problem:match('^%[string[^%]]*%]:%d+: ([^\n]*)')
  if text then fail('fatal: ' .. text, 2) end
  error(problem, 0)
end
guarded(function() run_all(begins) end)
if not ended and (#rules > 0 or #ends > 0) then guarded(records) end
guarded(function() run_all(ends) end)
flush()
for _, file in pairs(outputs) do file:close() end
if exit_status ~= 0 then os.exit(exit_status) end
`

/** Each part sees the names of those before it. */
const PARTS = [
  REGEX,
  AWK_TOKENS,
  AWK_EXPRESSION_PARSER,
  AWK_STATEMENT_PARSER,
  AWK_VALUES,
  AWK_PATTERNS,
  AWK_FORMATS,
  AWK_RECORDS,
  AWK_FILES,
  AWK_VARIABLES,
  AWK_OPERATORS,
  AWK_FUNCTIONS,
  AWK_EXPRESSIONS,
  AWK_STATEMENTS,
  AWK_MAIN,
]

/** `awk`, which the engine lacks. */
export const AWK_PROGRAM: Readonly<Record<string, string>> = { awk: PARTS.join('') }
