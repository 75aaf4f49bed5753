import { DAYS_FROM } from './days.ts'

/** The value of a text in arithmetic, in lua. */
const EVALUATE = String.raw`
-- A value of arithmetic: names stand for their values.
local PLACE, FROM_NAMES = '[[ ]]', false
local function refused(text)
  io.stderr:write('strands-shell: the value ', text, ' in ', PLACE, ' is not available here: use a number\n')
  os.exit(2)
end
local function wrong(text, why)
  io.stderr:write('strands-shell: ', PLACE == '[[ ]]' and '[[: ' or '', text, ': ', why, '\n')
  os.exit(1)
end
local function evaluate(text, depth)
  if depth > 20 then wrong(text, 'expression recursion level exceeded') end
  -- The engine takes the value of a name in a value for a number or 0.
  if FROM_NAMES and depth > 0 and text ~= '' and (text ~= '0' and not text:match('^%-?[1-9]%d*$') or #text > 18) then refused(text) end
  if text:match('^%s*%d+#') then refused(text) end
  if text:match('[^%w_%s+*/%%()<>&|=!~?:^,-]') then wrong(text, 'syntax error: invalid arithmetic operator') end
  if text:match('[=<>&|?:^,]') or text:match('%*%*') then
    refused(text)
  end
  local at = 1
  local sum
  local function skip() at = text:match('^[ \t\n]*()', at) end
  local function factor()
    skip()
    local sign = text:match('^[-+!~]', at)
    if sign then
      at = at + 1
      local value = factor()
      if sign == '-' then return -value elseif sign == '!' then return value == 0 and 1 or 0 elseif sign == '~' then return ~value end
      return value
    end
    if text:sub(at, at) == '(' then
      at = at + 1
      local value = sum()
      skip()
      if text:sub(at, at) ~= ')' then wrong(text, "missing ')'") end
      at = at + 1
      return value
    end
    local word = text:match('^[%w_]+', at)
    if word == nil then wrong(text, 'syntax error: operand expected') end
    at = at + #word
    if word:match('^[%a_]') then return evaluate(os.getenv(word) or '', depth + 1) end
    local hex, octal = word:match('^0[xX](%x+)$'), word:match('^0([0-7]+)$')
    if FROM_NAMES and #word > 16 and (hex or octal) then refused(word) end
    if hex then return math.tointeger(tonumber(hex, 16)) end
    if octal then return math.tointeger(tonumber(octal, 8)) end
    if word ~= '0' and not word:match('^[1-9]%d*$') then wrong(text, 'value too great for base') end
    local value = math.tointeger(tonumber(word))
    if value == nil or (FROM_NAMES and #word > 18) then refused(word) end
    return value
  end
  local function product()
    local value = factor()
    while true do
      skip()
      local operator = text:match('^[*/%%]', at)
      if operator == nil then return value end
      at = at + 1
      local right = factor()
      if operator == '*' then value = value * right
      elseif right == 0 then wrong(text, 'division by 0')
      elseif right == -1 then value = operator == '/' and -value or 0
      else
        local quotient = value // right
        if quotient < 0 and quotient * right ~= value then quotient = quotient + 1 end
        value = operator == '/' and quotient or value - quotient * right
      end
    end
  end
  sum = function()
    local value = product()
    while true do
      skip()
      local operator = text:match('^[-+]', at)
      if operator == nil then return value end
      at = at + 1
      local right = product()
      value = operator == '+' and value + right or value - right
    end
  end
  skip()
  if at > #text then return 0 end
  local value = sum()
  skip()
  if at <= #text then wrong(text, 'syntax error in expression') end
  return value
end
`

/** Programs that compute, in lua. */
export const COMPUTING_PROGRAMS: Readonly<Record<string, string>> = {
  __compare: `${EVALUATE}
local operator = arg[2]
local left, right = evaluate(arg[1]:sub(2), 0), evaluate(arg[3]:sub(2), 0)
local holds
if operator == '-eq' then holds = left == right
elseif operator == '-ne' then holds = left ~= right
elseif operator == '-lt' then holds = left < right
elseif operator == '-le' then holds = left <= right
elseif operator == '-gt' then holds = left > right
else holds = left >= right end
os.exit(holds and 0 or 1)`,
  __number: `${EVALUATE}
-- Looks at values of variables in $(( )): t and a text, v and the value of a name, d and decimal digits.
PLACE, FROM_NAMES = 'arithmetic', true
for _, one in ipairs(arg) do
  local kind, text = one:sub(1, 1), one:sub(2)
  if kind == 'd' then
    if not text:match('^%d+$') then wrong('10#' .. text, 'invalid integer constant') end
    if #text:gsub('^0+', '') > 18 then refused(text) end
  elseif kind == 't' and text == 'e' then wrong('an operand', 'it is empty')
  else
    evaluate(text, 0)
    if kind == 't' and not text:match('^%s*[-+]?[%w_]*%s*$') then refused(text) end
  end
end`,
  expr: String.raw`
local at = 1
local function too_large()
  io.stderr:write('strands-shell: expr with a number over 64 bits is not available here: use a BashSandbox\n')
  os.exit(2)
end
local function integer(text)
  if not text:match('^%-?%d+$') then fail('non-integer argument', 2) end
  return math.tointeger(tonumber(text)) or too_large()
end
local function fitting(number, float)
  if math.abs(float) >= 2 ^ 63 then too_large() end
  return string.format('%d', number)
end
local function text_of(number) return string.format('%d', number) end
local parse_or
local function primary()
  local word = arg[at]
  if word == nil then fail('syntax error: missing argument', 2) end
  at = at + 1
  if word == '(' then
    local value = parse_or()
    if arg[at] ~= ')' then fail('syntax error: expecting )', 2) end
    at = at + 1
    return value
  end
  if word == 'length' and arg[at] then at = at + 1; return tostring(#arg[at - 1]) end
  if word == 'substr' or word == 'index' or word == 'match' or word == '+' then unknown(word) end
  return word
end
local function chain(next_level, operators)
  local left = next_level()
  while arg[at] and operators[arg[at]] do
    local operator = operators[arg[at]]
    at = at + 1
    left = operator(left, next_level())
  end
  return left
end
local function truth(value) return value ~= '' and not value:match('^%-?0+$') end
local function compare(test)
  return function(a, b)
    if a:match('^%-?%d+$') and b:match('^%-?%d+$') then a, b = tonumber(a), tonumber(b) end
    return test(a, b) and '1' or '0'
  end
end
local function divided(a, b)
  if b == 0 then fail('division by zero', 2) end
  local quotient = math.abs(a) // math.abs(b)
  return (a < 0) ~= (b < 0) and -quotient or quotient
end
local function multiplicative()
  if arg[at + 1] == ':' then fail('the operator : is not available here', 2) end
  return chain(primary, {
    ['*'] = function(a, b) a, b = integer(a), integer(b); return fitting(a * b, a * 1.0 * b) end,
    ['/'] = function(a, b) a, b = integer(a), integer(b); return fitting(divided(a, b), a / b) end,
    ['%'] = function(a, b) a, b = integer(a), integer(b); return text_of(a - divided(a, b) * b) end,
  })
end
local function additive()
  return chain(multiplicative, {
    ['+'] = function(a, b) a, b = integer(a), integer(b); return fitting(a + b, a + 0.0 + b) end,
    ['-'] = function(a, b) a, b = integer(a), integer(b); return fitting(a - b, a + 0.0 - b) end,
  })
end
local function comparison()
  return chain(additive, {
    ['<'] = compare(function(a, b) return a < b end), ['<='] = compare(function(a, b) return a <= b end),
    ['>'] = compare(function(a, b) return a > b end), ['>='] = compare(function(a, b) return a >= b end),
    ['='] = compare(function(a, b) return a == b end), ['=='] = compare(function(a, b) return a == b end),
    ['!='] = compare(function(a, b) return a ~= b end),
  })
end
local function parse_and()
  return chain(comparison, { ['&'] = function(a, b) return truth(a) and truth(b) and a or '0' end })
end
parse_or = function()
  return chain(parse_and, { ['|'] = function(a, b) return truth(a) and a or truth(b) and b or '0' end })
end
local value = parse_or()
if arg[at] then fail("syntax error: unexpected argument '" .. arg[at] .. "'", 2) end
io.write(value, '\n')
os.exit(truth(value) and 0 or 1)`,
  __expand: String.raw`
-- The parameter expansions that the engine lacks: expand slice|replace|case VALUE ...
local function characters(text)
  local out = {}
  for char in text:gmatch('[%z\1-\127\192-\255][\128-\191]*') do out[#out + 1] = char end
  return out
end
local kind, value = arg[1], arg[2]
if kind == 'slice' then
  local chars = characters(value)
  local from = tonumber(arg[3])
  local length = arg[4] and tonumber(arg[4])
  if from < 0 then from = #chars + from end
  if from < 0 or from > #chars then os.exit(0) end
  local to = length == nil and #chars or length < 0 and #chars + length or math.min(from + length, #chars)
  if to < from then fail(length .. ': substring expression < 0') end
  io.write(table.concat(chars, '', from + 1, to))
elseif kind == 'case' then
  local upper = arg[3]:sub(1, 1) == '^'
  local change = upper and string.upper or string.lower
  if value:match('[\128-\255]') then fail('only ASCII letters can be changed here', 2) end
  if #arg[3] == 2 then io.write(change(value)) else io.write(change(value:sub(1, 1)), value:sub(2)) end
else
  local chars = characters(value)
  local operator, replacement = arg[3], arg[4]
  -- Items of the pattern: a character, '?', '*' or a set.
  local items = {}
  for i = 5, #arg, 2 do
    local piece = characters(arg[i + 1])
    local at = 1
    while at <= #piece do
      local char = piece[at]
      if arg[i] == 'l' then items[#items + 1] = char
      elseif char == '*' then items[#items + 1] = { star = true }
      elseif char == '?' then items[#items + 1] = { any = true }
      elseif char == '\\' and piece[at + 1] then at = at + 1; items[#items + 1] = piece[at]
      elseif char == '[' then
        local set, negated, stop = {}, false, at + 1
        if piece[stop] == '!' or piece[stop] == '^' then negated = true; stop = stop + 1 end
        local first = stop
        while piece[stop] and (piece[stop] ~= ']' or stop == first) do
          if piece[stop] == '[' and piece[stop + 1] == ':' then
            local name = ''
            stop = stop + 2
            while piece[stop] and piece[stop] ~= ':' do name = name .. piece[stop]; stop = stop + 1 end
            local class = ({ alpha = '%a', digit = '%d', alnum = '%w', space = '%s', upper = '%u', lower = '%l', punct = '%p' })[name]
            if not class then fail('the class ' .. name .. ' is not available here', 2) end
            set[#set + 1] = { class = class }
            stop = stop + 2
          elseif piece[stop] == '\\' and piece[stop + 1] then set[#set + 1] = piece[stop + 1]; stop = stop + 2
          elseif piece[stop + 1] == '-' and piece[stop + 2] and piece[stop + 2] ~= ']' then
            set[#set + 1] = { from = piece[stop], to = piece[stop + 2] }
            stop = stop + 3
          else set[#set + 1] = piece[stop]; stop = stop + 1 end
        end
        if piece[stop] == ']' then items[#items + 1] = { set = set, negated = negated }; at = stop
        else items[#items + 1] = '[' end
      else items[#items + 1] = char end
      at = at + 1
    end
  end
  local function fits(item, char)
    if type(item) == 'string' then return item == char end
    if item.any then return true end
    local found = false
    for _, one in ipairs(item.set) do
      if type(one) == 'string' then found = found or one == char
      elseif one.class then found = found or char:match('^' .. one.class .. '$') ~= nil
      else found = found or (char >= one.from and char <= one.to) end
    end
    return found ~= item.negated
  end
  -- Ends of matches that begin at a place; the longest counts.
  local function longest(start)
    local ends = { [start] = true }
    for _, item in ipairs(items) do
      local next_ends, low = {}, nil
      if type(item) == 'table' and item.star then
        for place in pairs(ends) do low = math.min(low or place, place) end
        if low then for place = low, #chars + 1 do next_ends[place] = true end end
      else
        for place in pairs(ends) do
          if chars[place] and fits(item, chars[place]) then next_ends[place + 1] = true end
        end
      end
      ends = next_ends
    end
    local best
    for place in pairs(ends) do best = math.max(best or place, place) end
    return best
  end
  if #items == 0 then io.write(value); os.exit(0) end
  local out, at, done = {}, 1, false
  while at <= #chars + 1 do
    local stop
    if operator == '/%' then
      stop = not done and longest(at)
      if stop ~= #chars + 1 then stop = nil end
    elseif operator == '/#' then stop = at == 1 and longest(1) or nil
    elseif not done or operator == '//' then stop = longest(at) end
    if stop and (stop > at or (#chars == 0 and at == 1)) then
      out[#out + 1] = replacement
      done = true
      at = stop
      if #chars == 0 then break end
    else
      out[#out + 1] = chars[at] or ''
      at = at + 1
    end
  end
  io.write(table.concat(out))
end`,
  date: String.raw`
local DAYS = { 'Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday' }
local MONTHS = { 'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December' }
${DAYS_FROM}local function civil(days)
  days = days + 719468
  local era = days // 146097
  local of_era = days - era * 146097
  local year_of_era = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
  local of_year = of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
  local shifted = (5 * of_year + 2) // 153
  local month = shifted + (shifted < 10 and 3 or -9)
  return year_of_era + era * 400 + (month <= 2 and 1 or 0), month, of_year - (153 * shifted + 2) // 5 + 1
end
local function time_of(year, month, day, hour, minute, second)
  month = month - 1
  year = year + month // 12
  return days_from(year, month % 12 + 1, 1) * 86400 + (day - 1) * 86400 + hour * 3600 + minute * 60 + second
end
local UNITS = { second = 1, sec = 1, minute = 60, min = 60, hour = 3600, day = 86400, week = 604800, fortnight = 1209600 }
local now = os.time()
local function moved(time, count, unit)
  unit = unit:gsub('s$', '')
  if UNITS[unit] then return time + count * UNITS[unit] end
  if unit ~= 'month' and unit ~= 'year' then return nil end
  local year, month, day = civil(time // 86400)
  if unit == 'month' then month = month + count else year = year + count end
  return time_of(year, month, day, 0, 0, time % 86400)
end
local function parse(text)
  local at = text:match('^@(-?%d+)$')
  if at then return tonumber(at) end
  local time, given = now, false
  local function invalid() fail("invalid date '" .. text .. "'", 1) end
  local rest = text:lower()
  local year, month, day, tail = rest:match('^%s*(%d%d%d%d)%-(%d%d?)%-(%d%d?)(.*)$')
  if year then
    year, month, day = tonumber(year), tonumber(month), tonumber(day)
    if month < 1 or month > 12 or day < 1 or day > 31 then invalid() end
    time = time_of(year, month, day, 0, 0, 0)
    local _, real = civil(time // 86400)
    if real ~= month then invalid() end
    rest, given = tail, true
    local hour, minute, second, more = rest:match('^[t ]%s*(%d%d):(%d%d):?(%d*)(.*)$')
    if hour then
      if tonumber(hour) > 23 or tonumber(minute) > 59 then invalid() end
      time = time + tonumber(hour) * 3600 + tonumber(minute) * 60 + (tonumber(second) or 0)
      rest = more:gsub('^%.%d+', '')
      local sign, off_hour, off_minute = rest:match('^%s*([+-])(%d%d):?(%d%d)')
      if sign and rest:match('^%s*[+-]%d%d:?%d%d%s*$') then
        local offset = tonumber(off_hour) * 3600 + tonumber(off_minute) * 60
        time = sign == '+' and time - offset or time + offset
        rest = ''
      end
      rest = rest:gsub('^%s*z', ''):gsub('^%s*utc', ''):gsub('^%s*gmt', '')
    end
  end
  for word in rest:gmatch('%S+') do if word == 'utc' or word == 'now' then given = true end end
  rest = rest:gsub('%f[%w]now%f[%W]', ''):gsub('%f[%w]utc%f[%W]', '')
  rest = rest:gsub('%f[%w]today%f[%W]', function() given = true return '' end)
  rest = rest:gsub('%f[%w]yesterday%f[%W]', function() time = time - 86400; given = true; return '' end)
  rest = rest:gsub('%f[%w]tomorrow%f[%W]', function() time = time + 86400; given = true; return '' end)
  rest = rest:gsub('%f[%w]midnight%f[%W]', function() time = time - time % 86400; given = true; return '' end)
  local bad = false
  local function shift(sign, count, unit, ago)
    local number = (tonumber(count) or 1) * (sign == '-' and -1 or 1)
    if ago then number = -number end
    local to = moved(time, number, unit)
    if not to then bad = true return '' end
    time, given = to, true
    return ''
  end
  rest = rest:gsub('([+-]?)%s*(%d+)%s*(%a+)%s+ago', function(s, c, u) return shift(s, c, u, true) end)
  rest = rest:gsub('([+-]?)%s*(%d+)%s*(%a+)', function(s, c, u) return shift(s, c, u) end)
  rest = rest:gsub('next%s+(%a+)', function(u) return shift('+', '1', u) end)
  rest = rest:gsub('last%s+(%a+)', function(u) return shift('-', '1', u) end)
  if bad or rest:match('%S') or not given then
    if text:match('^%s*$') then return now - now % 86400 end
    if rest:match('%S') and not bad then fail("the date '" .. text .. "' cannot be read here: write YYYY-MM-DD HH:MM:SS, @SECONDS or '1 day ago'", 2) end
    if bad then invalid() end
  end
  return time
end
local format, time, from = nil, now, 1
while arg[from] do
  local option = arg[from]
  if option == '-u' or option == '--utc' then
  elseif option == '-d' or option == '--date' then from = from + 1; time = parse(arg[from] or '')
  elseif option:match('^%-d.') then time = parse(option:sub(3))
  elseif option:match('^%-ud$') then from = from + 1; time = parse(arg[from] or '')
  elseif option:match('^%-%-date=') then time = parse(option:sub(8))
  elseif option == '-I' or option == '-Idate' or option == '--iso-8601' then format = '%Y-%m-%d'
  elseif option == '-Iseconds' or option == '--iso-8601=seconds' then format = '%Y-%m-%dT%H:%M:%S+00:00'
  elseif option == '-R' then format = '%a, %d %b %Y %H:%M:%S +0000'
  elseif option:match('^%+') then format = option:sub(2)
  else unknown(option) end
  from = from + 1
end
local year, month, day = civil(time // 86400)
local seconds = time % 86400
local hour, minute, second = seconds // 3600, seconds // 60 % 60, seconds % 60
local weekday = (time // 86400 + 4) % 7
local of_year = time // 86400 - days_from(year, 1, 1)
local show
local function iso_week()
  local thursday = time // 86400 - (weekday + 6) % 7 + 3
  local iso_year = civil(thursday)
  return iso_year, (thursday - days_from(iso_year, 1, 1)) // 7 + 1
end
local FIELDS = {
  Y = function() return tostring(year) end, m = function() return month, 2 end, d = function() return day, 2 end,
  H = function() return hour, 2 end, M = function() return minute, 2 end, S = function() return second, 2 end,
  y = function() return year % 100, 2 end, C = function() return year // 100, 2 end,
  e = function() return day, 2, ' ' end, k = function() return hour, 2, ' ' end,
  I = function() return (hour + 11) % 12 + 1, 2 end, l = function() return (hour + 11) % 12 + 1, 2, ' ' end,
  j = function() return of_year + 1, 3 end, N = function() return 0, 9 end,
  u = function() return tostring(weekday == 0 and 7 or weekday) end, w = function() return tostring(weekday) end,
  s = function() return tostring(time) end, Z = function() return 'UTC' end, z = function() return '+0000' end,
  a = function() return DAYS[weekday + 1]:sub(1, 3) end, A = function() return DAYS[weekday + 1] end,
  b = function() return MONTHS[month]:sub(1, 3) end, h = function() return MONTHS[month]:sub(1, 3) end,
  B = function() return MONTHS[month] end, p = function() return hour < 12 and 'AM' or 'PM' end,
  P = function() return hour < 12 and 'am' or 'pm' end,
  F = function() return show('%Y-%m-%d') end, T = function() return show('%H:%M:%S') end,
  R = function() return show('%H:%M') end, D = function() return show('%m/%d/%y') end,
  c = function() return show('%a %b %e %H:%M:%S %Y') end, x = function() return show('%m/%d/%y') end,
  X = function() return show('%H:%M:%S') end, r = function() return show('%I:%M:%S %p') end,
  n = function() return '\n' end, t = function() return '\t' end, ['%'] = function() return '%' end,
  U = function() return (of_year + 7 - weekday) // 7, 2 end, W = function() return (of_year + 7 - (weekday + 6) % 7) // 7, 2 end,
  V = function() local _, week = iso_week(); return week, 2 end, G = function() return tostring((iso_week())) end,
  q = function() return tostring((month + 2) // 3) end,
}
show = function(text)
  return (text:gsub('%%([-_0^]?)(%d*)(:?.)', function(flag, wide, field)
    local make = FIELDS[field]
    if not make then fail('the field %' .. field .. ' is not available here', 2) end
    local value, width, pad = make()
    if type(value) == 'string' then return flag == '^' and value:upper() or value end
    if field == 'N' and wide ~= '' then return ('0'):rep(tonumber(wide)) end
    pad = flag == '_' and ' ' or flag == '0' and '0' or pad or '0'
    local digits = tostring(value)
    return flag == '-' and digits or pad:rep(width - #digits) .. digits
  end))
end
io.write(show(format or '%a %b %e %H:%M:%S UTC %Y'), '\n')`,
  printf: String.raw`
local pieces = {}
local function put(text) pieces[#pieces + 1] = text end
local function leave(status)
  local text = table.concat(pieces)
  if not utf8.len(text) then fail('text that is no UTF-8 is not available here', 2) end
  io.write(text)
  os.exit(status)
end
local is_echo = arg[1] == '--echo'
if is_echo or arg[1] == '--' then table.remove(arg, 1) end
local format = arg[1]
if format == nil then fail('usage: printf format [arguments]', 2) end
local ESCAPES = { n = '\n', t = '\t', r = '\r', a = '\a', b = '\b', f = '\f', v = '\v', ['\\'] = '\\', e = '\27', E = '\27' }
local QUOTES = { ['"'] = '"', ["'"] = "'", ['?'] = '?' }
local ended = false
local function unescape(text, is_b)
  local out, at = {}, 1
  while at <= #text do
    local char = text:sub(at, at)
    local following = text:sub(at + 1, at + 1)
    if char ~= '\\' or following == '' then out[#out + 1] = char; at = at + 1
    elseif following == 'x' and text:match('^%x%x?', at + 2) then
      local digits = text:match('^%x%x?', at + 2)
      out[#out + 1] = string.char(tonumber(digits, 16)); at = at + 2 + #digits
    elseif (following == 'u' and text:match('^%x', at + 2)) or (following == 'U' and text:match('^%x', at + 2)) then
      local digits = text:match(following == 'u' and '^%x%x?%x?%x?' or '^%x%x?%x?%x?%x?%x?%x?%x?', at + 2)
      out[#out + 1] = utf8.char(tonumber(digits, 16)); at = at + 2 + #digits
    elseif is_b and following == 'c' then ended = true; return table.concat(out)
    elseif not is_b and QUOTES[following] then out[#out + 1] = QUOTES[following]; at = at + 2
    elseif following:match(is_b and is_echo and '0' or '[0-7]') then
      local digits = text:match(is_b and following == '0' and '^0[0-7]?[0-7]?[0-7]?' or '^[0-7][0-7]?[0-7]?', at + 1)
      out[#out + 1] = string.char(tonumber(digits, 8) % 256); at = at + 1 + #digits
    elseif ESCAPES[following] then out[#out + 1] = ESCAPES[following]; at = at + 2
    else out[#out + 1] = '\\' .. following; at = at + 2 end
  end
  return table.concat(out)
end
local next_argument, status = 2, 0
local function take()
  local value = arg[next_argument]
  next_argument = next_argument + 1
  return value
end
local function wrong(text)
  io.stderr:write('printf: ', text, ': invalid number\n')
  status = 1
end
-- A number as C reads it: what follows it is told.
local function whole(text)
  local blank, sign, rest = text:match('^(%s*)([+-]?)(.*)$')
  local base = rest:match('^0[xX]%x') and 16 or rest:match('^0') and 8 or 10
  local digits = rest:match(base == 16 and '^0[xX](%x+)' or base == 8 and '^[0-7]+' or '^%d*')
  if digits == '' or #digits + (base == 16 and 2 or 0) < #rest then wrong(text) end
  local value, size = 0, 0.0
  for digit in digits:gmatch('.') do
    value = value * base + tonumber(digit, 16)
    size = size * base + tonumber(digit, 16)
  end
  if size >= 2 ^ 63 then
    if size >= 2 ^ 64 or sign == '-' then fail('a number of the size of ' .. text .. ' is not available here', 2) end
    return value, true
  end
  return sign == '-' and -value or value, false
end
local function number(text, is_float)
  if text == nil or text == '' then return 0 end
  if text:match("^['\"].") then return utf8.codepoint(text, 2) end
  if not is_float then return whole(text) end
  local start = text:match('^%s*[+-]?%d+%.?%d*[eE][+-]?%d+') or text:match('^%s*[+-]?%d+%.?%d*') or text:match('^%s*[+-]?%.%d+')
  if start ~= text then
    if text:lower():match('^[+-]?inf') or text:lower():match('^[+-]?nan') or text:match('^[+-]?0[xX]') then unknown(text) end
    wrong(text)
  end
  return start and tonumber((start:gsub('^%s*%+?', ''))) or 0
end
local function unsigned(value)
  if value >= 0 then return string.format('%d', value) end
  local tens = (value >> 1) // 5
  return string.format('%d%d', tens, value - tens * 10)
end
-- Lua's own format takes two digits of width and precision, and no flags that mean nothing.
local function formatted(flags, width, precision, kind, value)
  flags = flags:gsub(kind == 's' and '[^-]' or kind:match('[oxX]') and '[+ ]' or kind == 'd' and '#' or "'", '')
  if #width < 3 and #precision < 4 then return string.format('%' .. flags .. width .. precision .. kind, value) end
  local most, digits = tonumber(width ~= '' and width or 0), tonumber(precision:sub(2))
  if most > 2 ^ 26 or (kind ~= 's' and (#precision > 3 or flags:find('0'))) then
    fail('a field of this width is not available here', 2)
  end
  local text = kind == 's' and value:sub(1, digits or -1) or string.format('%' .. flags .. precision .. kind, value)
  local rest = (' '):rep(most - #text)
  return flags:find('-', 1, true) and text .. rest or rest .. text
end
repeat
  local before, at = next_argument, 1
  while at <= #format do
    local start, stop, flags, width, dot, precision, kind = format:find("^%%([-+ #0']*)([%d*]*)(%.?)([%d*]*)[hlLjzt]*(.)", at)
    if not start then
      local text = format:match('^[^%%]+', at) or '%'
      put(unescape(text))
      at = at + #text
    else
      at = stop + 1
      if width == '*' then width = tostring((number(take()))) end
      if precision == '*' then precision = tostring((number(take()))) end
      flags = flags:gsub("'", '')
      if width:find('^%-') then flags, width = flags .. '-', width:sub(2) end
      if tonumber(width) == 0 then width = '' end
      if precision:find('^%-') then dot, precision = '', '' end
      local is_plain = flags .. width .. dot .. precision == ''
      local function field(as, value) return formatted(flags, width, dot .. precision, as, value) end
      if kind == '%' and stop == start + 1 then put('%')
      elseif kind == '%' then
        io.stderr:write("printf: '%': invalid format character\n")
        leave(1)
      elseif kind == 's' then put(field('s', take() or ''))
      elseif kind == 'b' then
        put(field('s', unescape(take() or '', true)))
        if ended then leave(status) end
      elseif kind == 'c' then put(formatted(flags, width, '', 's', (take() or ''):sub(1, 1)))
      elseif kind == 'q' then
        local value = take() or ''
        if value:match('[%c]') then fail('%q of a control character is not available here', 2) end
        put(value == '' and "''" or (value:gsub('[][ !"$&\'()*,;<>?\\^${'`'}{|}]', '\\%0'):gsub('^[#~]', '\\%0')))
      elseif kind:match('[diouxX]') then
        local value, is_large = number(take())
        if is_large and kind:match('[di]') then fail('a number of this size is not available here', 2) end
        if kind == 'u' and value < 0 and is_plain then put(unsigned(value))
        elseif kind == 'u' and value < 0 then fail('a number of this size is not available here', 2)
        else put(field(kind == 'u' and 'd' or kind, value)) end
      elseif kind:match('[aAeEfFgG]') then put(field(kind == 'F' and 'f' or kind, number(take(), true)))
      else fail('%' .. kind .. ' is not available here', 2) end
    end
  end
until next_argument > #arg or next_argument == before
leave(status)`,
}
