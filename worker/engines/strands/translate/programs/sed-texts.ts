import { UNREADABLE } from './sed.ts'

/**
 * `sed` with scripts that only replace texts, by patterns of lua. The engine's own reads an expression anew for each line,
 * and adds a line break to a last line that has none.
 *
 * Its words: the options, the script, how many substitutions, three words of each, and the files.
 */
export const SED_TEXTS_PROGRAM: Readonly<Record<string, string>> = {
  'sed-texts': `${UNREADABLE}${String.raw`
local LONGEST = 10000
local options, in_place = {}, false
while arg[1]:match('^%-') do
  local option = table.remove(arg, 1)
  options[#options + 1] = option
  in_place = in_place or option:find('i', 1, true) ~= nil
end
local script = table.remove(arg, 1)
local function decoded(text) return (text:gsub('%%(.)', { Z = utf8.charpattern, N = '\n', T = '\t' })) end
local edits, repeats = {}, false
for i = 1, tonumber(table.remove(arg, 1)) do
  local pattern, text, flags = table.remove(arg, 1), table.remove(arg, 1), table.remove(arg, 1)
  repeats = repeats or flags:find('r', 1, true) ~= nil
  edits[i] = { pattern = decoded(pattern), text = decoded(text), most = not flags:find('g', 1, true) and 1 or nil }
end
-- The engine's own is quicker on lines of this length.
local function is_for_engine(text)
  if not repeats or #text <= LONGEST or text:sub(-1) ~= '\n' then return false end
  for line in text:gmatch('[^\n]+') do if #line > LONGEST then return true end end
  return false
end
local function run_engine(name)
  io.stdout:flush()
  local words = { 'sed' }
  for _, option in ipairs(options) do words[#words + 1] = option end
  words[#words + 1] = quote(script)
  words[#words + 1] = quote(name)
  if not os.execute(table.concat(words, ' ')) then failed = 1 end
end
local function edited(text)
  local out = {}
  for line, ending in text:gmatch('([^\n]*)(\n?)') do
    if line ~= '' or ending ~= '' then
      for _, edit in ipairs(edits) do line = line:gsub(edit.pattern, edit.text, edit.most) end
      out[#out + 1] = line .. ending
    end
  end
  return table.concat(out)
end
if #arg == 0 then
  if in_place then fail('no input files', 4) end
  arg[1] = '-'
end
local needs_break = false
for _, name in ipairs(arg) do
  if name:match('^%-.') then unknown(name) end
  if name == '-' and in_place then fail('- with -i is not available here: use lua', 2) end
  local text, problem
  if name == '-' then text = slurp(name) else text, problem = text_of(name) end
  if problem then
    failed = tell(name, in_place, failed)
    if failed == 4 then break end
  elseif name ~= '-' and is_for_engine(text) then
    if needs_break then io.write('\n') end
    needs_break = false
    run_engine(name)
  elseif in_place then
    local file = io.open(name, 'w')
    file:write(edited(text))
    file:close()
  elseif text ~= '' then
    if needs_break then io.write('\n') end
    io.write(edited(text))
    needs_break = text:sub(-1) ~= '\n'
  end
end`}`,
}
