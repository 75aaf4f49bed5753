/**
 * `sort` with options: the engine's compares no number that text follows, and leaves lines of the same key as they were.
 * `uniq`: the engine's drops an empty first line.
 */
export const ORDER_PROGRAMS: Readonly<Record<string, string>> = {
  sort: String.raw`
local keys, global, separator, unique, stable, files, output = {}, {}, nil, false, false, {}, nil
local LONG = { ['--numeric-sort'] = '-n', ['--reverse'] = '-r', ['--ignore-case'] = '-f', ['--ignore-leading-blanks'] = '-b', ['--unique'] = '-u', ['--stable'] = '-s', ['--random-sort'] = '-R', ['--check'] = '-c', ['--human-numeric-sort'] = '-h', ['--version-sort'] = '-V' }
local checks, random = false, false
local function flag(options, letter)
  if not letter:match('[nrfbhV]') then unknown('-' .. letter) end
  options[letter] = true
end
local function key(text)
  local from, from_char, from_flags, rest = text:match('^(%d+)%.?(%d*)([a-zV]*)(.*)$')
  local to, to_char, to_flags = (rest or ''):match('^,(%d+)%.?(%d*)([a-zV]*)$')
  if from == nil or (rest ~= '' and to == nil) then fail("invalid field specification '" .. text .. "'", 2) end
  if from_char ~= '' or (to_char or '') ~= '' then unknown('-k ' .. text) end
  local one = { from = tonumber(from), to = tonumber(to), options = {} }
  for letter in (from_flags .. (to_flags or '')):gmatch('.') do flag(one.options, letter) end
  keys[#keys + 1] = one
end
local i = 1
while arg[i] do
  local option = LONG[arg[i]] or arg[i]:gsub('^%-%-key=', '-k'):gsub('^%-%-field%-separator=', '-t'):gsub('^%-%-output=', '-o')
  if option == '--' then for j = i + 1, #arg do files[#files + 1] = arg[j] end; break end
  if not option:match('^%-.') then files[#files + 1] = option
  elseif option:match('^%-%-') then unknown(option)
  else
    local at = 2
    while at <= #option do
      local letter = option:sub(at, at)
      if letter:match('[kto]') then
        local value = option:sub(at + 1)
        if value == '' then i = i + 1; value = arg[i] or '' end
        if letter == 'k' then key(value) elseif letter == 'o' then output = value else separator = value end
        if letter == 't' and #value ~= 1 then fail('multi-character tab ' .. value, 2) end
        break
      elseif letter == 'u' then unique = true
      elseif letter == 's' then stable = true
      elseif letter == 'c' then checks = true
      elseif letter == 'R' then random = true
      else flag(global, letter) end
      at = at + 1
    end
  end
  i = i + 1
end
local function fields_of(line)
  local fields, at = {}, 1
  if separator then
    while true do
      local stop = line:find(separator, at, true)
      if not stop then fields[#fields + 1] = line:sub(at); return fields end
      fields[#fields + 1] = line:sub(at, stop - 1)
      at = stop + 1
    end
  end
  for field in line:gmatch('[ \t]*[^ \t]+') do fields[#fields + 1] = field end
  return fields
end
-- A text whose order by bytes is that of a name with versions: a tilde, the end, digits, letters, other signs.
local function version_of(text)
  local out, at = {}, 1
  while at <= #text do
    local digits = text:match('^0*(%d*)', at)
    local all = text:match('^%d*', at)
    if all ~= '' then
      out[#out + 1] = 'c' .. string.format('%06d', #digits) .. digits
      at = at + #all
      if at <= #text and not text:match('^%d', at) then goto continue end
    end
    if at <= #text then
      local sign = text:sub(at, at)
      out[#out + 1] = sign == '~' and 'a' or (sign:match('%a') and 'd' or 'e') .. sign
      at = at + 1
    end
    ::continue::
  end
  out[#out + 1] = 'b'
  return table.concat(out)
end
local function versions_of(text)
  local kind = text == '' and 'a' or text == '.' and 'b' or text == '..' and 'c' or text:sub(1, 1) == '.' and 'd' or 'e'
  local bare = text
  while true do
    local shorter = bare:match('^(.*)%.[%a~][%w~]*$')
    if not shorter then break end
    bare = shorter
  end
  return kind .. version_of(bare) .. version_of(text)
end
local function value_of(text, options)
  if options.b then text = text:gsub('^[ \t]+', '') end
  if options.V then return versions_of(text) end
  if options.h then
    local sign, number, unit = text:match('^[ \t]*(%-?)(%d*%.?%d*)([KMGTPEk]?)')
    if sign == '-' then unknown('-h of numbers below 0') end
    return string.format('%d%040.12f', tonumber(number or '') and tonumber(number) > 0 and unit ~= '' and ('KMGTPE'):find(unit:upper(), 1, true) or 0, tonumber(number or '') or 0)
  end
  if options.n then return tonumber(text:match('^[ \t]*(%-?%d*%.?%d*)')) or 0 end
  if options.f then text = text:upper() end
  return text
end
local lines = {}
local sources = {}
if #files == 0 then sources[1] = io.read('a') or '' end
for _, file in ipairs(files) do
  local text
  if file == '-' then text = io.read('a') or '' else
    local opened, handle = pcall(io.open, file, 'r')
    text = opened and handle and handle:read('a')
    if opened and handle then handle:close() end
    if not opened and is_binary(handle) then fail(file .. ', which is no UTF-8, is not available here', 2) end
    if not text then fail('cannot read: ' .. file .. ': No such file or directory', 2) end
  end
  sources[#sources + 1] = text
end
for _, text in ipairs(sources) do
  for _, line in ipairs(lines_of(text)) do
    local row = { line = line, at = #lines }
    if #keys == 0 then row[1] = value_of(line, global)
    else
      local fields = fields_of(line)
      for k, one in ipairs(keys) do
        local options = next(one.options) and one.options or global
        one.used = options
        row[k] = value_of(table.concat(fields, separator or '', one.from, math.min(one.to or #fields, #fields)), options)
      end
    end
    lines[#lines + 1] = row
  end
end
if random then
  if #keys > 0 or next(global) or checks then unknown('-R beside others') end
  local places = {}
  for _, row in ipairs(lines) do
    places[row.line] = places[row.line] or math.random()
    row[1] = places[row.line]
  end
end
local count = math.max(#keys, 1)
local function order(a, b)
  for k = 1, count do
    if a[k] ~= b[k] then
      local reverse = (#keys == 0 and global or keys[k].used).r
      return (a[k] < b[k]) ~= (reverse == true) and -1 or 1
    end
  end
  return 0
end
if checks then
  if #files > 1 then fail("extra operand '" .. files[2] .. "' not allowed with -c", 2) end
  for at = 2, #lines do
    local a, b = lines[at - 1], lines[at]
    local by = order(a, b)
    if by == 0 and not unique and not stable and a.line ~= b.line then by = (a.line < b.line) ~= (global.r == true) and -1 or 1 end
    if by > 0 or (unique and by == 0) then fail((files[1] or '-') .. ':' .. at .. ': disorder: ' .. b.line) end
  end
  os.exit(0)
end
table.sort(lines, function(a, b)
  local by = order(a, b)
  if by ~= 0 then return by < 0 end
  if not unique and not stable and a.line ~= b.line then return (a.line < b.line) ~= (global.r == true) end
  return a.at < b.at
end)
local out, last = {}, nil
for _, row in ipairs(lines) do
  if not unique or last == nil or order(last, row) ~= 0 then out[#out + 1] = row.line .. '\n' end
  last = row
end
if output then
  local handle = io.open(output, 'w')
  handle:write(table.concat(out))
  handle:close()
else io.write(table.concat(out)) end`,
  uniq: String.raw`
local count, repeated, single, fold, files, at = false, false, false, false, {}, 1
local skipped = { f = 0, s = 0, w = math.huge }
while arg[at] do
  local letter, number = arg[at]:match('^%-([fsw])(%d*)$')
  if letter then
    if number == '' then at = at + 1; number = arg[at] end
    skipped[letter] = tonumber(number) or fail(tostring(number) .. ': invalid number')
  elseif arg[at]:match('^%-.') then
    for letter in arg[at]:sub(2):gmatch('.') do
      if letter == 'c' then count = true elseif letter == 'd' then repeated = true
      elseif letter == 'u' then single = true elseif letter == 'i' then fold = true else unknown('-' .. letter) end
    end
  else files[#files + 1] = arg[at] end
  at = at + 1
end
local function key(line)
  for _ = 1, skipped.f do line = line:gsub('^[ \t]*[^ \t]*', '') end
  if skipped.s > 0 or skipped.w < math.huge then
    if line:find('[\128-\255]') then fail('-s and -w of other than ASCII are not available here', 2) end
    line = line:sub(skipped.s + 1):sub(1, math.min(skipped.w, #line))
  end
  return fold and line:lower() or line
end
if #files > 1 then fail('the output file ' .. files[2] .. ' is not available here', 2) end
local last, times = nil, 0
local function finish()
  if last == nil or (repeated and times < 2) or (single and times > 1) then return end
  io.write(count and string.format('%7d ', times) or '', last, '\n')
end
for _, line in ipairs(lines_of(slurp(files[1]))) do
  if last ~= nil and (line == last or key(line) == key(last)) then times = times + 1
  else finish(); last = line; times = 1 end
end
finish()`,
}
