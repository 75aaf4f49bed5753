import { LINE_CHANGES } from './line-changes.ts'
import { SURE_INPUT } from './sure-input.ts'

/** Programs that compare files. */
export const COMPARING_PROGRAMS: Readonly<Record<string, string>> = {
  diff: String.raw`${SURE_INPUT}${LINE_CHANGES}
local files, labels, context, brief, tells_same, folds, spaces = {}, {}, nil, false, false, false, nil
local at, ended = 1, false
while arg[at] do
  local option = arg[at]
  if ended or option == '-' or not option:match('^%-') then files[#files + 1] = option
  elseif option == '--' then ended = true
  elseif option == '--brief' then brief = true
  elseif option == '--unified' then context = 3
  elseif option:match('^%-%-unified=%d+$') then context = tonumber(option:sub(11))
  elseif option:match('^%-%-label=') then labels[#labels + 1] = option:sub(9)
  elseif option == '--label' then at = at + 1; labels[#labels + 1] = arg[at]
  elseif option == '-L' then at = at + 1; labels[#labels + 1] = arg[at]
  elseif option == '-U' then at = at + 1; context = tonumber(arg[at]) or fail('invalid context length', 2)
  elseif option:match('^%-U%d+$') then context = tonumber(option:sub(3))
  elseif option:match('^%-%-') then unknown(option)
  else
    for letter in option:sub(2):gmatch('.') do
      if letter == 'u' then context = 3 elseif letter == 'q' then brief = true
      elseif letter == 's' then tells_same = true elseif letter == 'i' then folds = true
      elseif letter == 'w' or (letter == 'b' and spaces ~= 'w') then spaces = letter
      elseif letter ~= 'b' then unknown('-' .. letter) end
    end
  end
  at = at + 1
end
if #files ~= 2 then fail('expected two files', 2) end
if is_directory(files[1]) or is_directory(files[2]) then fail('a directory is not available here: compare files', 2) end
local texts, missing = {}, false
for i, file in ipairs(files) do
  local text, problem = sure_input(file)
  if not text then
    io.stderr:write('diff: ', problem, '\n')
    missing = true
  end
  texts[i] = text
end
if missing then os.exit(2) end
if texts[1] ~= texts[2] and not brief and (texts[1]:sub(1, 32768):find('\0', 1, true) or texts[2]:sub(1, 32768):find('\0', 1, true)) then
  io.write('Binary files ', files[1], ' and ', files[2], ' differ\n')
  os.exit(1)
end
if texts[1] ~= texts[2] and not (utf8.len(texts[1]) and utf8.len(texts[2])) and (not brief or folds or spaces) then
  fail('the lines of a file that is no UTF-8 are not available here: use cmp', 2)
end
local lines, keys = {}, {}
for side = 1, 2 do
  lines[side], keys[side] = lines_of(texts[side]), {}
  local is_ended = texts[side]:sub(-1) == '\n'
  for i, line in ipairs(lines[side]) do
    local key = folds and line:lower() or line
    if spaces == 'w' then key = key:gsub('%s+', '') elseif spaces == 'b' then key = key:gsub('%s+$', ''):gsub('%s+', ' ') end
    -- A last line without a line break is another one.
    if i == #lines[side] and not is_ended then
      if not spaces then key = key .. '\0' end
      lines[side][i] = line .. '\n\\ No newline at end of file'
    end
    keys[side][i] = key
  end
end
local changes = changes_of(keys[1], keys[2], context or 0)
if #changes == 0 then
  if tells_same then io.write('Files ', files[1], ' and ', files[2], ' are identical\n') end
  os.exit(0)
end
if brief then
  io.write('Files ', files[1], ' and ', files[2], ' differ\n')
  os.exit(1)
end
local function put(sign, side, from, to) for i = from, to do io.write(sign, lines[side][i], '\n') end end
if not context then
  local function range(from, to) return from < to and from .. ',' .. to or tostring(to) end
  for _, one in ipairs(changes) do
    local removes, adds = one.a_end >= one.a, one.b_end >= one.b
    io.write(range(one.a, one.a_end), removes and adds and 'c' or adds and 'a' or 'd', range(one.b, one.b_end), '\n')
    put('< ', 1, one.a, one.a_end)
    if removes and adds then io.write('---\n') end
    put('> ', 2, one.b, one.b_end)
  end
  os.exit(1)
end
io.write('--- ', labels[1] or files[1], '\n+++ ', labels[2] or files[2], '\n')
local function range(from, to)
  local count = to - from + 1
  if count == 1 then return tostring(from) end
  return (count == 0 and from - 1 or from) .. ',' .. count
end
local first = 1
while first <= #changes do
  local last = first
  while changes[last + 1] and changes[last + 1].a - changes[last].a_end - 1 <= 2 * context do last = last + 1 end
  local a_from, b_from = math.max(changes[first].a - context, 1), math.max(changes[first].b - context, 1)
  local above = math.min(changes[first].a - a_from, changes[first].b - b_from)
  a_from, b_from = changes[first].a - above, changes[first].b - above
  local below = math.min(context, #lines[1] - changes[last].a_end)
  local a_to, b_to = changes[last].a_end + below, changes[last].b_end + below
  io.write('@@ -', range(a_from, a_to), ' +', range(b_from, b_to), ' @@\n')
  local line = a_from
  for i = first, last do
    put(' ', 1, line, changes[i].a - 1)
    put('-', 1, changes[i].a, changes[i].a_end)
    put('+', 2, changes[i].b, changes[i].b_end)
    line = changes[i].a_end + 1
  end
  put(' ', 1, line, a_to)
  first = last + 1
end
os.exit(1)`,
  cmp: String.raw`${SURE_INPUT}
local files, silent = {}, false
for i = 1, #arg do
  if arg[i] == '-s' or arg[i] == '--silent' or arg[i] == '--quiet' then silent = true
  elseif arg[i]:match('^%-.') then unknown(arg[i])
  else files[#files + 1] = arg[i] end
end
if #files ~= 2 then fail('expected two files', 2) end
local texts = {}
for i, file in ipairs(files) do
  local text, problem = sure_input(file)
  if not text then
    if not silent then io.stderr:write('cmp: ', problem, '\n') end
    os.exit(2)
  end
  texts[i] = text
end
local a, b = texts[1], texts[2]
if a == b then os.exit(0) end
if silent then os.exit(1) end
local at, line = 1, 1
while at <= #a and at <= #b and a:byte(at) == b:byte(at) do
  if a:byte(at) == 10 then line = line + 1 end
  at = at + 1
end
if at <= #a and at <= #b then io.write(files[1], ' ', files[2], ' differ: byte ', at, ', line ', line, '\n')
else
  local shorter = #a < #b and 1 or 2
  local place = at == 1 and ' which is empty' or ' after byte ' .. at - 1 .. ', ' .. (texts[shorter]:sub(-1) == '\n' and 'line ' .. line - 1 or 'in line ' .. line)
  io.stderr:write('cmp: EOF on ', files[shorter], place, '\n')
end
os.exit(1)`,
}
