import { SURE_INPUT } from './sure-input.ts'

/** Programs that lay out, mix, part and dump texts. */
export const SHAPING_PROGRAMS: Readonly<Record<string, string>> = {
  fold: String.raw`
local width, words, files, at = 80, false, {}, 1
while arg[at] do
  local option = arg[at]
  local spaced, number = option:match('^%-(s?)w(%d*)$')
  if number then
    words = words or spaced == 's'
    if number == '' then at = at + 1; number = arg[at] end
    width = tonumber(number)
  elseif option == '-s' then words = true
  elseif option:match('^%-%d+$') then width = tonumber(option:sub(2))
  elseif option:match('^%-.') then unknown(option)
  else files[#files + 1] = option end
  at = at + 1
end
if not width or width < 1 then fail('invalid number of columns') end
for _, text in ipairs(inputs(#arg - #files + 1)) do
  if text:find('[^\n -~]') then fail('a text with tabs or other than ASCII is not available here', 2) end
  text = text:gsub('[^\n]+', function(line)
    local rows = {}
    while #line > width do
      local cut = words and (line:sub(1, width):match('^.* ()') or width + 1) or width + 1
      rows[#rows + 1] = line:sub(1, cut - 1)
      line = line:sub(cut)
    end
    rows[#rows + 1] = line
    return table.concat(rows, '\n')
  end)
  io.write(text)
end`,
  column: String.raw`
local is_table, separator, joint, files, at = false, nil, '  ', {}, 1
while arg[at] do
  local option = arg[at]
  if option == '-t' or option == '--table' then is_table = true
  elseif option == '-s' or option == '-ts' then at = at + 1; separator, is_table = arg[at], is_table or option == '-ts'
  elseif option:match('^%-t?s.$') then separator, is_table = option:sub(-1), is_table or option:match('^%-t') ~= nil
  elseif option == '-o' then at = at + 1; joint = arg[at]
  elseif option:match('^%-.') then unknown(option)
  else files[#files + 1] = option end
  at = at + 1
end
if not is_table then fail('column without -t is not available here', 2) end
if #(separator or ' ') ~= 1 then fail('a separator of several characters is not available here', 2) end
local rows, widths = {}, {}
for _, text in ipairs(inputs(#arg - #files + 1)) do
  if text:find('[^\n\t -~]') then fail('a text other than ASCII is not available here', 2) end
  for _, line in ipairs(lines_of(text)) do
    local row = {}
    if line:match('^[ \t]*$') then row = nil
    elseif separator then for cell in (line .. separator):gmatch('(.-)' .. separator:gsub('%W', '%%%0')) do row[#row + 1] = cell end
    else for cell in line:gmatch('[^ \t]+') do row[#row + 1] = cell end end
    for i, cell in ipairs(row or {}) do widths[i] = math.max(widths[i] or 0, #cell) end
    rows[#rows + 1] = row
  end
end
for _, row in ipairs(rows) do
  for i = 1, #widths do
    local cell = row[i] or ''
    io.write(cell, i < #widths and (' '):rep(widths[i] - #cell) .. joint or '')
  end
  io.write('\n')
end`,
  shuf: String.raw`
local most, lines, files, at = math.huge, nil, {}, 1
while arg[at] do
  local option = arg[at]
  local low, high = option:match('^%-i(%d+)%-(%d+)$')
  if option == '-i' then at = at + 1; low, high = (arg[at] or ''):match('^(%d+)%-(%d+)$') end
  if low then
    lines = {}
    for number = tonumber(low), tonumber(high) do lines[#lines + 1] = tostring(number) end
  elseif option == '-n' then at = at + 1; most = tonumber(arg[at]) or fail('invalid line count')
  elseif option:match('^%-n%d+$') then most = tonumber(option:sub(3))
  elseif option == '-e' then lines = { table.unpack(arg, at + 1) }; break
  elseif option:match('^%-.') then unknown(option)
  else files[#files + 1] = option end
  at = at + 1
end
if #files > 1 or (lines and #files > 0) then fail('extra operand') end
for _, line in ipairs(lines or {}) do if line:match('^%-[a-z]') and arg[at] == '-e' then unknown(line .. ' behind -e') end end
if not lines then
  local text, problem = nil, nil
  if files[1] and files[1] ~= '-' then text, problem = text_of(files[1]) else text = io.read('a') or '' end
  lines = lines_of(text or fail(problem))
end
for i = 1, math.min(most, #lines) do
  local j = math.random(i, #lines)
  lines[i], lines[j] = lines[j], lines[i]
  io.write(lines[i], '\n')
end`,
  split: String.raw`
local count, digits, length, suffix, words, at = 1000, false, 2, '', {}, 1
while arg[at] do
  local option = arg[at]
  if option == '-l' then at = at + 1; count = tonumber(arg[at])
  elseif option:match('^%-l?%d+$') then count = tonumber(option:match('%d+'))
  elseif option:match('^%-%-lines=%d+$') then count = tonumber(option:match('%d+'))
  elseif option == '-d' then digits = true
  elseif option == '-a' then at = at + 1; length = tonumber(arg[at])
  elseif option:match('^%-a%d+$') then length = tonumber(option:sub(3))
  elseif option:match('^%-%-additional%-suffix=') then suffix = option:sub(21)
  elseif option:match('^%-.') then unknown(option)
  else words[#words + 1] = option end
  at = at + 1
end
if not count or count < 1 or not length or #words > 2 then fail('invalid number of lines') end
local text
if words[1] and words[1] ~= '-' then text = slurp(words[1]) else text = io.read('a') or '' end
local pieces, lines = {}, 0
for line in text:gmatch('[^\n]*\n?') do
  if line ~= '' then
    if lines % count == 0 then pieces[#pieces + 1] = {} end
    table.insert(pieces[#pieces], line)
    lines = lines + 1
  end
end
local base = digits and 10 or 26
if #pieces > base ^ length then fail('output file suffixes exhausted') end
-- Behind the first nine tenths of the names GNU's has longer ones.
if length == 2 and #pieces > (base - 1) * base then fail('as many pieces as these are not available here: use -a', 2) end
for number, piece in ipairs(pieces) do
  local rest, name = number - 1, ''
  for _ = 1, length do
    name = string.char((digits and 48 or 97) + rest % base) .. name
    rest = rest // base
  end
  local opened, file = pcall(io.open, (words[2] or 'x') .. name .. suffix, 'w')
  if not opened or not file then fail((words[2] or 'x') .. name .. suffix .. ': cannot be written') end
  file:write(table.concat(piece))
  file:close()
end`,
  xxd: String.raw`${SURE_INPUT}
local plain, limit, file, at = false, math.huge, nil, 1
while arg[at] do
  local option = arg[at]
  if option == '-p' or option == '-ps' then plain = true
  elseif option == '-l' then at = at + 1; limit = tonumber(arg[at]) or fail('invalid length')
  elseif option:match('^%-.') then unknown(option)
  elseif file then unknown('a second file')
  else file = option end
  at = at + 1
end
local text, problem = sure_input(file or '-')
if not text then fail(problem, 2) end
text = text:sub(1, math.min(limit, #text))
local function hex(char) return string.format('%02x', char:byte()) end
local size = plain and 30 or 16
for first = 1, #text, size do
  local row = text:sub(first, first + size - 1)
  if plain then io.write((row:gsub('.', hex)), '\n')
  else
    local bytes = row:gsub('..?', function(two) return two:gsub('.', hex) .. ' ' end)
    io.write(string.format('%08x: %-40s ', first - 1, bytes), (row:gsub('[^ -~]', '.')), '\n')
  end
end`,
  od: String.raw`${SURE_INPUT}
local kind, address, all, file, at = nil, 'o', false, nil, 1
while arg[at] do
  local option = arg[at]
  if option == '-c' or option == '-tc' then kind = 'c'
  elseif option == '-tx1' then kind = 'x'
  elseif option == '-t' then at = at + 1; kind = ({ c = 'c', x1 = 'x' })[arg[at]] or unknown('-t ' .. tostring(arg[at]))
  elseif option == '-A' then at = at + 1; address = arg[at]
  elseif option:match('^%-A[nxdo]$') then address = option:sub(3)
  elseif option == '-v' then all = true
  elseif option:match('^%-.') then unknown(option)
  elseif file then unknown('a second file')
  else file = option end
  at = at + 1
end
if not kind then fail('od without -c or -t x1 is not available here', 2) end
local format = ({ o = '%07o', d = '%07d', x = '%06x', n = '' })[address] or unknown('-A ' .. tostring(address))
local text, problem = sure_input(file or '-')
if not text then fail(problem) end
local NAMES = { [0] = '\\0', [7] = '\\a', [8] = '\\b', [9] = '\\t', [10] = '\\n', [11] = '\\v', [12] = '\\f', [13] = '\\r' }
local function shown(char)
  local byte = char:byte()
  if kind == 'x' then return string.format(' %02x', byte) end
  return string.format('%4s', NAMES[byte] or (char:match('[ -~]') or string.format('%03o', byte)))
end
local last, starred
for first = 1, #text, 16 do
  local row = text:sub(first, first + 15)
  if row == last and #row == 16 and not all then
    if not starred then io.write('*\n') end
    starred = true
  else
    io.write(address == 'n' and '' or string.format(format, first - 1), (row:gsub('.', shown)), '\n')
    last, starred = row, false
  end
end
if address ~= 'n' then io.write(string.format(format, #text), '\n') end`,
}
