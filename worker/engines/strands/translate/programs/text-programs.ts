import { BYTES } from './bytes.ts'

/** The first or last lines of files, by the name of the program. */
const ENDS = String.raw`${BYTES}
local first, count, bytes, quiet, verbose, from = NAME == 'head', '10', false, false, false, 1
local LONG = { ['--quiet'] = '-q', ['--silent'] = '-q', ['--verbose'] = '-v' }
local function set(letter, value)
  if not value then fail('option requires an argument -- ' .. letter) end
  count, bytes = value, letter == 'c'
end
while arg[from] and arg[from]:match('^[-+].') do
  local option = LONG[arg[from]] or arg[from]
  local short = option:match('^%-(%d+)$') or (not first and option:match('^(%+%d+)$'))
  local long, value = option:match('^%-%-([%a-]+)=(.*)$')
  if option == '--' then from = from + 1; break
  elseif option:sub(1, 1) == '+' and not short then break
  elseif short then
    count = short
    if not first and #arg > from + 1 then fail('option used in invalid context -- ' .. count:gsub('^%+', '')) end
  elseif long == 'lines' then set('n', value)
  elseif long == 'bytes' then set('c', value)
  elseif option:match('^%-%-') then unknown(option)
  else
    local i = 2
    while i <= #option do
      local letter = option:sub(i, i)
      if letter == 'q' then quiet, verbose = true, false
      elseif letter == 'v' then quiet, verbose = false, true
      elseif letter == 'n' or letter == 'c' then
        local attached = option:sub(i + 1)
        if attached == '' then from = from + 1; attached = arg[from] end
        set(letter, attached)
        break
      else unknown('-' .. option:sub(i)) end
      i = i + 1
    end
  end
  from = from + 1
end
if bytes then read_fed = fed_bytes end
local sign, number = count:match('^([-+]?)(%d+)$')
if number == nil and count:match('^[-+]?%d+%a+$') then unknown('-n ' .. count) end
if number == nil then fail('invalid number of ' .. (bytes and 'bytes' or 'lines') .. ": '" .. count .. "'") end
if first and sign == '+' then sign = '' end
number = math.tointeger(tonumber(number)) or math.maxinteger
local status, shown = 0, false
for i = from, math.max(#arg, from) do
  local path = arg[i]
  local ok, text = true, nil
  if path == nil or path == '-' then text = io.read('a') or ''
  else
    if bytes then text = bytes_of(path) else text = text_of(path) end
    if not text then
      io.stderr:write(NAME, ": cannot open '", path, "' for reading: No such file or directory\n")
      status = 1
      ok = false
    end
  end
  if ok then
    if (#arg > from and not quiet) or verbose then
      io.write(shown and '\n' or '', '==> ', (path == nil or path == '-') and 'standard input' or path, ' <==\n')
    end
    shown = true
    local pieces = {}
    for piece in text:gmatch(bytes and '.' or '[^\n]*\n?') do if piece ~= '' then pieces[#pieces + 1] = piece end end
    local start, stop = 1, #pieces
    if first then stop = sign == '-' and #pieces - number or math.min(number, #pieces)
    elseif sign == '+' then start = math.max(number, 1)
    else start = math.max(#pieces - number + 1, 1) end
    local out = table.concat(pieces, '', start, math.max(stop, start - 1))
    if bytes and not is_raw and not utf8.len(out) then fail('a part of a character, or of bytes that are no UTF-8, is not available here: write it to a file', 2) end
    io.write(out)
  end
end
os.exit(status)`

/** Programs that read lines and write lines, in lua. */
export const TEXT_PROGRAMS: Readonly<Record<string, string>> = {
  head: ENDS,
  tail: ENDS,
  tac: String.raw`
for i = 1, #arg do if arg[i]:match('^%-.') then unknown(arg[i]) end end
for _, text in ipairs(inputs(1)) do
  local pieces = {}
  for piece in text:gmatch('[^\n]*\n?') do pieces[#pieces + 1] = piece end
  for i = #pieces, 1, -1 do io.write(pieces[i]) end
end`,
  rev: String.raw`
for i = 1, #arg do if arg[i]:match('^%-.') then unknown(arg[i]) end end
for _, text in ipairs(inputs(1)) do
  for _, line in ipairs(lines_of(text)) do
    if line:match('[\128-\255]') then
      local out = {}
      for char in line:gmatch('[%z\1-\127\192-\255][\128-\191]*') do table.insert(out, 1, char) end
      line = table.concat(out)
    else
      line = line:reverse()
    end
    io.write(line, '\n')
  end
end`,
  nl: String.raw`
local LONG = { ['body-numbering'] = 'b', ['starting-line-number'] = 'v', ['line-increment'] = 'i', ['number-width'] = 'w', ['number-separator'] = 's', ['number-format'] = 'n' }
local set, from = { b = 't', v = '1', i = '1', w = '6', s = '\t', n = 'rn' }, 1
while arg[from] and arg[from]:match('^%-.') do
  local letter, value = arg[from]:match('^%-([bviwsn])(.*)$')
  local name, attached = arg[from]:match('^%-%-([%a-]+)=(.*)$')
  if name then letter, value = LONG[name], attached
  elseif value == '' then from = from + 1; value = arg[from] end
  if not letter or not value then unknown(arg[from] or '-' .. letter) end
  set[letter] = value
  from = from + 1
end
local number, step, width = math.tointeger(tonumber(set.v)), math.tointeger(tonumber(set.i)), math.tointeger(tonumber(set.w))
if not number or not step or not width or width < 1 then fail('invalid number of an option') end
if not set.b:match('^[atn]$') then unknown('-b ' .. set.b) end
local form = ({ rn = '%' .. width .. 'd', ln = '%-' .. width .. 'd', rz = '%0' .. width .. 'd' })[set.n]
if not form then unknown('-n ' .. set.n) end
for _, text in ipairs(inputs(from)) do
  for _, line in ipairs(lines_of(text)) do
    if line:match('^\\:\\?:?\\?:?$') then fail('pages are not available here', 2) end
    if set.b == 'a' or (set.b == 't' and line ~= '') then
      io.write(string.format(form, number), set.s, line, '\n')
      number = number + step
    else io.write((' '):rep(width + #set.s), line, '\n') end
  end
end`,
  paste: String.raw`
local delimiters, serial, from = '\t', false, 1
while arg[from] and arg[from]:match('^%-.') do
  local option = arg[from]
  if option == '-s' then serial = true
  elseif option == '-d' then from = from + 1; delimiters = arg[from] or ''
  elseif option:match('^%-d.') then delimiters = option:sub(3)
  elseif option:match('^%-sd.') then serial = true; delimiters = option:sub(4)
  elseif option == '-sd' then serial = true; from = from + 1; delimiters = arg[from] or ''
  else unknown(option) end
  from = from + 1
end
delimiters = delimiters:gsub('\\(.)', { n = '\n', t = '\t', ['\\'] = '\\', ['0'] = '' })
local function delimiter(i)
  if delimiters == '' then return '' end
  local at = (i - 1) % #delimiters + 1
  return delimiters:sub(at, at)
end
local first = from
local count = math.max(#arg - first + 1, 1)
local columns, stdin = {}, nil
for i = 1, count do
  local path = arg[first + i - 1]
  if path == nil or path == '-' then
    stdin = stdin or { lines = lines_of(slurp()), at = 0 }
    columns[i] = stdin
  else columns[i] = { lines = lines_of(slurp(path)), at = 0 } end
end
if serial then
  for _, column in ipairs(columns) do
    for i, line in ipairs(column.lines) do
      if i > 1 then io.write(delimiter(i - 1)) end
      io.write(line)
    end
    io.write('\n')
  end
else
  while true do
    local row, any = {}, false
    for i, column in ipairs(columns) do
      column.at = column.at + 1
      row[i] = column.lines[column.at]
      if row[i] then any = true end
    end
    if not any then break end
    for i = 1, count do
      if i > 1 then io.write(delimiter(i - 1)) end
      io.write(row[i] or '')
    end
    io.write('\n')
  end
end`,
  cut: String.raw`
local list, delimiter, only, joined, files, at, ended, others = nil, '\t', false, nil, {}, 1, false, false
local signs
local function take(letter, value)
  if not value then fail('option requires an argument -- ' .. letter) end
  if letter == 'd' then delimiter = value else list, signs = value, letter ~= 'f' and letter end
end
while arg[at] do
  local word = arg[at]
  if ended or not word:match('^%-.') then files[#files + 1] = word
  elseif word == '--' then ended = true
  elseif word:match('^%-%-output%-delimiter=') then joined = word:sub(20)
  elseif word:match('^%-%-delimiter=') then delimiter = word:sub(13)
  elseif word:match('^%-%-fields=') then list = word:sub(10)
  elseif word:match('^%-%-characters=') then take('c', word:sub(14))
  elseif word:match('^%-%-bytes=') then take('b', word:sub(9))
  elseif word == '--only-delimited' then only = true
  elseif word == '--complement' then others = true
  elseif word:match('^%-%-') then unknown(word)
  else
    local i = 2
    while i <= #word do
      local letter = word:sub(i, i)
      if letter == 's' then only = true
      elseif letter:match('[dfcb]') then
        local value = word:sub(i + 1)
        if value == '' then at = at + 1; value = arg[at] end
        take(letter, value)
        break
      else unknown('-' .. letter .. ' beside others') end
      i = i + 1
    end
  end
  at = at + 1
end
if not list then fail('you must specify a list of bytes, characters, or fields') end
if signs and joined then unknown('--output-delimiter with -' .. signs) end
if #delimiter ~= 1 then fail('the delimiter must be a single character') end
local ranges = {}
for one in (list .. ','):gmatch('([^, ]*)[, ]') do
  local first, dash, last = one:match('^(%d*)(%-?)(%d*)$')
  if not first or (first == '' and last == '') then fail('invalid field range') end
  local range = { first = first == '' and 1 or tonumber(first), last = dash == '' and tonumber(first) or tonumber(last) or math.huge }
  if range.first == 0 or range.last == 0 then fail('fields are numbered from 1') end
  if range.last < range.first then fail('invalid decreasing range') end
  ranges[#ranges + 1] = range
end
local function chosen(number)
  for _, range in ipairs(ranges) do if number >= range.first and number <= range.last then return not others end end
  return others
end
local status = 0
if #files == 0 then files[1] = '-' end
for _, path in ipairs(files) do
  if path ~= '-' and not exists(path) then
    io.stderr:write('cut: ', path, ': No such file or directory\n')
    status = 1
  else
    for _, line in ipairs(lines_of(slurp(path))) do
      if signs then
        if signs == 'b' and line:find('[\128-\255]') then fail('-b of what is not ASCII is not available here', 2) end
        local kept, number = {}, 0
        for sign in line:gmatch('[%z\1-\127\192-\255][\128-\191]*') do
          number = number + 1
          if chosen(number) then kept[#kept + 1] = sign end
        end
        io.write(table.concat(kept), '\n')
      elseif not line:find(delimiter, 1, true) then
        if not only then io.write(line, '\n') end
      else
        local fields, number, start = {}, 1, 1
        while true do
          local stop = line:find(delimiter, start, true)
          if chosen(number) then fields[#fields + 1] = line:sub(start, (stop or 0) - 1) end
          if not stop then break end
          number, start = number + 1, stop + 1
        end
        io.write(table.concat(fields, joined or delimiter), '\n')
      end
    end
  end
end
os.exit(status)`,
  comm: String.raw`
local hide, checks, from = {}, true, 1
while arg[from] and arg[from]:match('^%-.') do
  local columns = arg[from]:match('^%-([123]+)$')
  if arg[from] == '--nocheck-order' then checks = false
  elseif not columns then unknown(arg[from]) end
  for column in (columns or ''):gmatch('.') do hide[tonumber(column)] = true end
  from = from + 1
end
if #arg ~= from + 1 then fail('expected two files', 1) end
local files = { lines_of(slurp(arg[from])), lines_of(slurp(arg[from + 1])) }
local a, b = files[1], files[2]
local function indent(column)
  local text = ''
  for i = 1, column - 1 do if not hide[i] then text = text .. '\t' end end
  return text
end
local function put(column, line) if not hide[column] then io.write(indent(column), line, '\n') end end
local at, is_unpairable, told = { 1, 1 }, false, {}
-- The order of a file matters once a line was found in one file only.
local function advance(number)
  local lines, next = files[number], at[number] + 1
  at[number] = next
  local last = lines[next] and next or next - 1
  if checks and is_unpairable and not told[number] and last > 1 and lines[last - 1] > lines[last] then
    io.stderr:write('comm: file ', number, ' is not in sorted order\n')
    told[number] = true
  end
end
while at[1] <= #a or at[2] <= #b do
  local one, other = a[at[1]], b[at[2]]
  local is_first = other == nil or (one ~= nil and one < other)
  if is_first or one == nil or other < one then
    is_unpairable = true
    put(is_first and 1 or 2, is_first and one or other)
    advance(is_first and 1 or 2)
  else
    put(3, one)
    advance(2)
    advance(1)
  end
end
if told[1] or told[2] then fail('input is not in sorted order') end`,
  'cat-visible': String.raw`
local LONG = { ['--show-all'] = 'A', ['--number'] = 'n', ['--number-nonblank'] = 'b', ['--squeeze-blank'] = 's', ['--show-ends'] = 'E', ['--show-tabs'] = 'T', ['--show-nonprinting'] = 'v' }
local ends, tabs, shows, numbers, squeezes, from, paths = false, false, false, nil, false, 1, {}
while arg[from] do
  local word = arg[from]
  if word == '--' then
    for i = from + 1, #arg do paths[#paths + 1] = arg[i] end
    break
  end
  if word:match('^%-%-') and not LONG[word] then unknown(word) end
  if word:match('^%-.') then
    for option in (LONG[word] or word:sub(2)):gmatch('.') do
      if option == 'A' then ends, tabs, shows = true, true, true
      elseif option == 'e' then ends, shows = true, true
      elseif option == 't' then tabs, shows = true, true
      elseif option == 'E' then ends = true
      elseif option == 'T' then tabs = true
      elseif option == 'v' then shows = true
      elseif option == 'b' then numbers = 'filled'
      elseif option == 'n' then numbers = numbers or 'all'
      elseif option == 's' then squeezes = true
      elseif option ~= 'u' then unknown('-' .. option) end
    end
  else paths[#paths + 1] = word end
  from = from + 1
end
arg = paths
local function visible(byte)
  local code = byte:byte()
  local meta = code >= 128 and 'M-' or ''
  code = code % 128
  if code < 32 then return meta .. '^' .. string.char(code + 64) end
  if code == 127 then return meta .. '^?' end
  return meta .. string.char(code)
end
if not (ends or tabs or shows or numbers or squeezes) then
  inputs(1, io.write)
  os.exit(failed)
end
local line, was_blank = 0, false
for piece in table.concat(inputs(1)):gmatch('[^\n]*\n?') do
  local is_blank = piece == '\n'
  if piece ~= '' and not (squeezes and is_blank and was_blank) then
    was_blank = is_blank
    if shows then piece = piece:gsub('[%z\1-\8\11-\31\127-\255]', visible) end
    if tabs then piece = piece:gsub('\t', '^I') end
    if ends then piece = piece:gsub('\n', '$\n') end
    if numbers == 'all' or (numbers and not is_blank) then
      line = line + 1
      io.write(string.format('%6d\t', line))
    end
    io.write(piece)
  end
end`,
  basename: String.raw`
local several, suffix, from = false, nil, 1
while arg[from] and arg[from]:match('^%-.') do
  local option = arg[from]
  if option == '--' then from = from + 1; break
  elseif option == '-a' or option == '--multiple' then several = true
  elseif option == '-s' then several = true; from = from + 1; suffix = arg[from]
  elseif option:match('^%-s.') then several = true; suffix = option:sub(3)
  elseif option:match('^%-%-suffix=') then several = true; suffix = option:sub(10)
  elseif option:match('^%-[asz%-]') then unknown(option)
  else fail("invalid option -- '" .. option:sub(2, 2) .. "'") end
  from = from + 1
end
if #arg < from then fail('missing operand') end
if not several then
  if #arg > from + 1 then fail("extra operand '" .. arg[from + 2] .. "'") end
  suffix = arg[from + 1]
end
for i = from, several and #arg or from do
  local name = arg[i]:match('^/+$') and '/' or arg[i]:gsub('/+$', ''):match('[^/]*$')
  if suffix and suffix ~= '' and name ~= suffix and name:sub(-#suffix) == suffix then name = name:sub(1, -#suffix - 1) end
  io.write(name, '\n')
end`,
  seq: String.raw`
local separator, wide, from = '\n', false, 1
while arg[from] and arg[from]:match('^%-[^%d.]') do
  local option = arg[from]
  if option == '-w' then wide = true
  elseif option == '-s' then from = from + 1; separator = arg[from] or ''
  elseif option:match('^%-s.') then separator = option:sub(3)
  else unknown(option) end
  from = from + 1
end
local values = {}
for i = from, #arg do
  if not arg[i]:match('^%-?%d+%.?%d*$') then fail("invalid floating point argument: '" .. arg[i] .. "'") end
  values[#values + 1] = arg[i]
end
if #values < 1 then fail('missing operand') end
if #values > 3 then fail("extra operand '" .. values[4] .. "'") end
local places = 0
for i = 1, #values do
  if i < #values or #values == 1 then places = math.max(places, #(values[i]:match('%.(%d*)') or '')) end
end
if #values == 1 then places = 0 end
local first = tonumber(#values > 1 and values[1] or '1')
local step = tonumber(#values == 3 and values[2] or '1')
local last = tonumber(values[#values])
if step == 0 then fail("invalid Zero increment value: '" .. values[2] .. "'") end
local count = math.floor((last - first) / step + 1e-9)
local width = 0
local function shown(number) return string.format('%.' .. places .. 'f', number) end
if wide then width = math.max(#shown(first), #shown(last)) end
for i = 0, count do
  local text = shown(first + i * step)
  local sign = text:match('^%-') or ''
  text = sign .. ('0'):rep(width - #text) .. text:sub(#sign + 1)
  io.write(text, i < count and separator or '\n')
end`,
}
