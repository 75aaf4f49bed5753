import { DAYS_FROM } from './days.ts'
import { BITS_OF } from './modes.ts'

/**
 * `find` with tests and actions that the engine's own lacks: it goes through the directories by the engine's `ls` and
 * computes the whole expression.
 */
export const FIND_TREE_PROGRAM: Readonly<Record<string, string>> = {
  'find-tree': String.raw`
local starts, words, at = {}, {}, 1
for i = 1, #arg do
  if #words == 0 and not arg[i]:match('^[-(!]') then starts[#starts + 1] = arg[i] else words[#words + 1] = arg[i] end
end
if #starts == 0 then starts[1] = '.' end
local least, most, inner_first, acts, status, quits = 0, math.huge, false, false, 0, false
local together = {}
local function missing(what) fail(what .. ' is not available here', 2) end
local function next_word(name)
  at = at + 1
  return words[at] or fail("missing argument to '" .. name .. "'")
end
local CLASSES = { alpha = '%a', digit = '%d', alnum = '%w', upper = '%u', lower = '%l', space = '%s', xdigit = '%x', punct = '%p' }
-- A pattern of names as one of lua; what it stands for may hold a slash.
local function pattern_of(glob)
  local out, i = '', 1
  while i <= #glob do
    local sign = glob:sub(i, i)
    local close = sign == '[' and glob:find(']', glob:match('^[!^]', i + 1) and i + 3 or i + 2, true)
    if close and glob:match('^%[:', i + 1) then close = glob:find(':]]', i, true) and glob:find(':]]', i, true) + 2 or missing('the pattern ' .. glob) end
    if sign == '*' then out = out .. '.*'
    elseif sign == '?' then out = out .. '[^\128-\191][\128-\191]*'
    elseif close then
      local set = glob:sub(i + 1, close - 1)
      if set:find('[\128-\255\\%%%]]') or set:find('%[') and not set:match('^[!^]?%[:%l+:%]$') then missing('the pattern ' .. glob) end
      local class = set:match('%[:(%l+):%]')
      local negated = set:match('^[!^]') and '^' or ''
      local inside = class and (CLASSES[class] or missing('the pattern ' .. glob)) or set:sub(#negated + 1):gsub('%^', '%%^')
      out = out .. '[' .. negated .. inside .. ']'
      i = close
    else
      if sign == '\\' then i = i + 1; sign = glob:sub(i, i) end
      out = out .. sign:gsub('%W', function(one) return one:byte() < 128 and '%' .. one or one end)
    end
    i = i + 1
  end
  return '^' .. out .. '$'
end
local function by_pattern(name, field)
  local folds = name:match('^%-i') ~= nil
  local glob = next_word(name)
  local pattern = pattern_of(folds and glob:lower() or glob)
  return function(one) return (folds and one[field]:lower() or one[field]):match(pattern) ~= nil end
end
local function by_number(word, name, value)
  local sign, number = word:match('^([-+]?)(%d+)$')
  if not number then fail("invalid argument '" .. word .. "' to '" .. name .. "'") end
  number = tonumber(number)
  return function(one)
    local lower, upper = value(one)
    local function holds(found)
      if sign == '+' then return found > number elseif sign == '-' then return found < number end
      return found == number
    end
    if holds(lower) ~= holds(upper or lower) then missing(name .. ' of a file at this limit') end
    return holds(lower)
  end
end
local MONTHS = { Jan = 1, Feb = 2, Mar = 3, Apr = 4, May = 5, Jun = 6, Jul = 7, Aug = 8, Sep = 9, Oct = 10, Nov = 11, Dec = 12 }
${DAYS_FROM}local now, this_year = os.time(), nil
-- The seconds that have passed since a file changed, at least and at most.
local function age(one)
  local month, day, hour, minute = (one.date or ''):match('^(%a+) +(%d+) (%d+):(%d+)$')
  if not month then missing('the time of ' .. one.path) end
  this_year = this_year or tonumber((output_of('date +%Y'):match('%d+')))
  local year = this_year
  local function changed() return days_from(year, MONTHS[month], tonumber(day)) * 86400 + tonumber(hour) * 3600 + tonumber(minute) * 60 end
  if changed() > now + 86400 then year = year - 1 end
  return math.max(0, now - changed() - 59), now - changed()
end
local function in_units(seconds)
  return function(one)
    local least_age, most_age = age(one)
    return least_age // seconds, most_age // seconds
  end
end
local UNITS = { c = 1, w = 2, b = 512, k = 1024, M = 1024 ^ 2, G = 1024 ^ 3 }
${BITS_OF}-- The bits of a mode such as 644, u=x or g+w,o+w.
local function mode_bits(mode)
  if mode:match('^[0-7]+$') then return tonumber(mode, 8) end
  local bits = 0
  for clause in mode:gmatch('[^,]+') do
    local who, letters = clause:match('^([ugoa]*)[=+]([rwx]+)$')
    if not who then return nil end
    if who == '' or who:find('a') then who = 'ugo' end
    for letter in letters:gmatch('.') do
      local bit = ({ r = 4, w = 2, x = 1 })[letter]
      for class in who:gmatch('.') do bits = bits | bit << ({ u = 6, g = 3, o = 0 })[class] end
    end
  end
  return bits
end
local function run(command)
  for i, word in ipairs(command) do command[i] = quote(word) end
  local ok, _, code = os.execute(table.concat(command, ' ') .. ' < /dev/null')
  if code == 1000 then os.exit(2) end
  return ok == true
end
local ESCAPES = { n = '\n', t = '\t', ['0'] = '\0', ['\\'] = '\\' }
local function formatted(format, one)
  local head = one.path:match('^(.*)/[^/]+/*$')
  local out, i = {}, 1
  while i <= #format do
    local sign, char = format:sub(i, i), format:sub(i + 1, i + 1)
    local value
    if sign == '\\' then value = ESCAPES[char] or missing('\\' .. char .. ' of -printf')
    elseif sign ~= '%' then value = sign
    elseif char == 'p' then value = one.path
    elseif char == 'f' then value = one.name
    elseif char == 'h' then value = head == '' and '/' or head or '.'
    elseif char == 'P' then value = one.path == one.start and '' or one.path:sub(#one.start + 1):gsub('^/', '')
    elseif char == 'd' then value = tostring(one.depth)
    elseif char == 'y' then value = one.kind
    elseif char == 'm' and one.mode then value = string.format('%o', bits_of(one.mode))
    elseif char == 's' and one.kind == 'f' then value = tostring(one.size)
    elseif char == '%' then value = '%'
    else missing('%' .. char .. ' of -printf here') end
    out[#out + 1] = value
    i = i + (value == sign and sign ~= '%' and sign ~= '\\' and 1 or 2)
  end
  return table.concat(out)
end
local function executed(name)
  local command = {}
  while true do
    local word = next_word(name)
    if word == ';' then break end
    if word == '+' and command[#command] == '{}' then
      command[#command] = nil
      local group = { command = command, paths = {} }
      together[#together + 1] = group
      return function(one) table.insert(group.paths, one.path); return true end
    end
    command[#command + 1] = word
  end
  return function(one)
    local own = {}
    for i, word in ipairs(command) do own[i] = word:gsub('{}', (one.path:gsub('%%', '%%%%'))) end
    return run(own)
  end
end
local function removed(one)
  if one.path == '.' then return true end
  local path = one.path:match('^%-') and './' .. one.path or one.path
  if one.kind ~= 'd' then return os.execute('rm -f ' .. quote(path)) == true end
  if output_of('ls -a ' .. quote(path)) == '' and os.execute('rmdir ' .. quote(path)) then return true end
  io.stderr:write("find: cannot delete '", one.path, "': Directory not empty\n")
  status = 1
  return false
end
local function primary()
  local name = words[at] or fail('expected an expression')
  if name == '-name' or name == '-iname' then return by_pattern(name, 'name') end
  if name:match('^%-i?path$') or name:match('^%-i?wholename$') then return by_pattern(name, 'path') end
  if name == '-type' then
    local kinds = ',' .. next_word(name) .. ','
    if kinds:find('[^fdl,]') then missing('-type ' .. words[at]) end
    return function(one) return kinds:find(',' .. one.kind .. ',', 1, true) ~= nil end
  elseif name == '-empty' then return function(one) return (one.kind == 'f' and one.size == 0) or (one.kind == 'd' and output_of('ls -a ' .. quote(one.path .. '/.')) == '') end
  elseif name == '-size' then
    local sign, number, unit = next_word(name):match('^([-+]?)(%d+)([cwbkMG]?)$')
    if not number then fail("invalid -size type '" .. words[at] .. "'") end
    return by_number(sign .. number, name, function(one)
      if one.kind ~= 'f' then missing('-size of a directory or link') end
      return math.ceil(one.size / (UNITS[unit] or 512))
    end)
  elseif name == '-mtime' then return by_number(next_word(name), name, in_units(86400))
  elseif name == '-mmin' then
    -- Minutes are counted up.
    return by_number(next_word(name), name, function(one) local low, high = age(one); return math.ceil(low / 60), math.ceil(high / 60) end)
  elseif name == '-newer' then
    local other = next_word(name)
    if not exists(other) then fail("'" .. other .. "': No such file or directory") end
    return function(one) return os.execute('[ ' .. quote(one.path) .. ' -nt ' .. quote(other) .. ' ]') == true end
  elseif name == '-perm' then
    local sign, mode = next_word(name):match('^([-/]?)(.+)$')
    local wanted = mode and mode_bits(mode) or missing('-perm ' .. tostring(words[at]))
    return function(one)
      local bits = one.mode and bits_of(one.mode) or missing('-perm of ' .. one.path)
      if sign == '-' then return bits & wanted == wanted elseif sign == '/' then return wanted == 0 or bits & wanted ~= 0 end
      return bits == wanted
    end
  elseif name == '-maxdepth' then most = tonumber(next_word(name)); return function() return true end
  elseif name == '-mindepth' then least = tonumber(next_word(name)); return function() return true end
  elseif name == '-depth' then inner_first = true; return function() return true end
  elseif name == '-executable' then return function(one) return (one.mode and bits_of(one.mode) or 0) & 73 ~= 0 end
  elseif name == '-true' or name == '-mount' or name == '-xdev' then return function() return true end
  elseif name == '-false' then return function() return false end
  elseif name == '-prune' then return function(one) one.pruned = true; return true end end
  acts = true
  if name == '-print' then return function(one) io.write(one.path, '\n'); return true end
  elseif name == '-print0' then return function(one) io.write(one.path, '\0'); return true end
  elseif name == '-printf' then
    local format = next_word(name)
    return function(one) io.write(formatted(format, one)); return true end
  elseif name == '-quit' then return function() quits = true; return true end
  elseif name == '-exec' then return executed(name)
  elseif name == '-delete' then inner_first = true; return removed end
  missing(name)
end
local either
local function factor()
  local word = words[at]
  if word == '!' or word == '-not' then
    at = at + 1
    local inner = factor()
    return function(one) return not inner(one) end
  end
  if word ~= '(' then
    local test = primary()
    at = at + 1
    return test
  end
  at = at + 1
  local inner = either()
  if words[at] ~= ')' then fail("expected a ')'") end
  at = at + 1
  return inner
end
-- A test of the kind comes before others that do nothing: sizes are those of files only.
local PURE = { ['-name'] = true, ['-iname'] = true, ['-path'] = true, ['-size'] = true, ['-mtime'] = true, ['-mmin'] = true, ['-newer'] = true, ['-perm'] = true, ['-empty'] = true, ['-maxdepth'] = true, ['-mindepth'] = true }
local function both()
  local is_pure = PURE[words[at]]
  local left = factor()
  while words[at] and words[at] ~= ')' and words[at] ~= '-o' and words[at] ~= '-or' do
    if words[at] == '-a' or words[at] == '-and' then at = at + 1 end
    local name = words[at]
    local first, second = left, factor()
    if name == '-type' and is_pure then first, second = second, first
    elseif not PURE[name] then is_pure = false end
    left = function(one) return first(one) and not quits and second(one) end
  end
  return left
end
either = function()
  local left = both()
  while words[at] == '-o' or words[at] == '-or' do
    at = at + 1
    local first, second = left, both()
    left = function(one) return first(one) or (not quits and second(one)) end
  end
  return left
end
local expression = #words > 0 and either() or function() return true end
if words[at] then fail("unexpected argument '" .. words[at] .. "'") end
local KINDS = { ['-'] = 'f', d = 'd', l = 'l' }
local function listed(directory, own)
  local found = {}
  for _, line in ipairs(lines_of(output_of('ls -la ' .. quote(directory)))) do
    local mode, size, date, shown = line:match('^(%S+)%s+(%d+)%s+(%a+%s+%d+%s+%S+) (.*)$')
    if not shown then missing('a name with a line break in ' .. directory) end
    local name = mode:match('^l') and shown:match('^(.-) %-> ') or shown
    if name ~= '.' and name ~= '..' and (not own or own == name) then
      found[#found + 1] = { name = name, mode = mode, kind = KINDS[mode:sub(1, 1)] or mode:sub(1, 1), size = tonumber(size), date = date }
    end
  end
  return found
end
local function visit(one)
  local judged = one.depth >= least
  local function judge() if judged and not quits and expression(one) and not acts then io.write(one.path, '\n') end end
  if not inner_first then judge() end
  if quits then return end
  if one.kind == 'd' and one.depth < most and not (one.pruned and not inner_first) then
    for _, inner in ipairs(listed(one.path .. '/.')) do
      inner.path, inner.depth, inner.start = one.path:gsub('(.)/+$', '%1') .. (one.path == '/' and '' or '/') .. inner.name, one.depth + 1, one.start
      visit(inner)
      if quits then return end
    end
  end
  if inner_first then judge() end
end
for _, start in ipairs(starts) do
  if not exists(start) then
    io.stderr:write("find: '", start, "': No such file or directory\n")
    status = 1
  elseif not quits then
    local plain = start:gsub('(.)/+$', '%1')
    if plain:match('^%.*$') or plain:match('/%.*$') then plain = output_of('cd ' .. quote(plain) .. ' && pwd -P'):gsub('\n$', '') end
    local parent, own = plain:match('^(.*)/([^/]*)$')
    if not parent then parent, own = '.', plain elseif parent == '' then parent = '/' end
    local one = own ~= '' and listed(parent, own)[1] or { kind = 'd' }
    one.path, one.depth, one.start, one.name = start, 0, start, start:match('([^/]+)/*$') or '/'
    visit(one)
  end
end
for _, group in ipairs(together) do
  if #group.paths > 0 then
    for _, path in ipairs(group.paths) do table.insert(group.command, path) end
    if not run(group.command) then status = 1 end
  end
end
os.exit(status)`,
}
