/** Values of awk, in lua: numbers, texts, and texts of an input that are numbers; expressions, and what \`printf\` makes. */
export const AWK_VALUES = String.raw`
-- What has no value yet.
local UNSET = { s = '', n = 0.0 }
local V = { FS = ' ', OFS = ' ', ORS = '\n', RS = '\n', SUBSEP = '\28', CONVFMT = '%.6g', OFMT = '%.6g', NR = 0.0, FNR = 0.0, RSTART = 0.0, RLENGTH = -1.0, FILENAME = '' }
local function prefix(text)
  local digits = text:match('^%s*[+-]?%d+%.?%d*') or text:match('^%s*[+-]?%.%d+')
  if not digits then return 0.0 end
  return tonumber(digits .. (text:match('^[eE][+-]?%d+', #digits + 1) or '')) + 0.0
end
local function num(value)
  local kind = type(value)
  if kind == 'number' then return value end
  return kind == 'table' and value.n or prefix(value)
end
local function shown(number, format)
  if number == math.floor(number) and number > -1e300 and number < 1e300 then
    return number == 0 and '0' or string.format('%.0f', number)
  end
  if number ~= number then return number < 0 and '-nan' or '+nan' end
  if number >= 1e300 or number <= -1e300 then
    if number == math.huge then return '+inf' elseif number == -math.huge then return '-inf' end
    return string.format('%.0f', number)
  end
  return format == '%.6g' and string.format('%.6g', number) or nil
end
local format_values
local function str(value)
  local kind = type(value)
  if kind == 'string' then return value end
  if kind == 'table' then return value.s end
  return shown(value, V.CONVFMT) or format_values(V.CONVFMT, { value })
end
local function output(value)
  if type(value) == 'number' then return shown(value, V.OFMT) or format_values(str(V.OFMT), { value }) end
  return str(value)
end
-- A text of an input: a number as well, where it looks like one.
local function input_value(text)
  if not text:find('^%s*[+-]?%.?%d') then return text end
  local digits = text:match('^%s*([+-]?%d+%.?%d*)') or text:match('^%s*([+-]?%.%d+)')
  local all = text:match('^%s*([+-]?[%d.]+[eE][+-]?%d+)%s*$') or text:match('^%s*([+-]?[%d.]+)%s*$')
  local number = digits and all and tonumber(all)
  return number and { s = text, n = number + 0.0 } or text
end
local function truth(value)
  local kind = type(value)
  if kind == 'number' then return value ~= 0 end
  if kind == 'string' then return value ~= '' end
  return value.n ~= 0
end
local function is_ascii(text) return not text:find('[\128-\255]') end
local function size(text) return (is_ascii(text) and #text or utf8.len(text) or #text) + 0.0 end
-- The place of a byte, in characters.
local function place(text, byte) return (is_ascii(text) and byte or utf8.len(text, 1, byte - 1) + 1) + 0.0 end
local function whole(number) return number < 0 and math.ceil(number) or math.floor(number) end
local function substr(text, from, count)
  from = math.max(1, whole(from))
  local last = count and from + whole(count) - 1 or math.huge
  local length = size(text)
  if last > length then last = length end
  if from > last then return '' end
  from, last = math.tointeger(from), math.tointeger(last)
  if is_ascii(text) then return text:sub(from, last) end
  return text:sub(utf8.offset(text, from), utf8.offset(text, last + 1) - 1)
end
-- An expression as POSIX writes it, and as a pattern of lua where it is one.
local PLAIN = { alpha = '%a', digit = '%d', alnum = '%w', space = '%s', upper = '%u', lower = '%l', punct = '%p', blank = ' \t', xdigit = '%x' }
local function set_in(text, at)
  local negated = text:sub(at, at) == '^'
  if negated then at = at + 1 end
  local posix, lua, closing, dash, first, fast = {}, {}, false, false, true, true
  while true do
    local char = text:match('^[%z\1-\127\192-\255][\128-\191]*', at)
    if not char then fail('unterminated [', 2) end
    if char == ']' and not first then break end
    first = false
    local class = text:match('^%[:(%a+):%]', at)
    if class then
      posix[#posix + 1] = '[:' .. class .. ':]'
      if PLAIN[class] then lua[#lua + 1] = PLAIN[class] else fast = false end
      at = at + #class + 4
    else
      local escaped = char == '\\'
      if escaped then
        char = text:match('^[%z\1-\127\192-\255][\128-\191]*', at + 1) or '\\'
        if char:match('^[%w]$') and not ESCAPED[char] then refused_expression('\\' .. char .. ' in [ ]') end
        at = at + 1
        char = ESCAPED[char] or char
      end
      at = at + #char
      local to = text:match('^%-([^%]\\%[])', at)
      if to and not (char == '-' and not escaped) then
        posix[#posix + 1] = char .. '-' .. to
        if (char .. to):match('^%w%w$') then lua[#lua + 1] = char .. '-' .. to else fast = false end
        at = at + 1 + #to
      elseif char == ']' then closing = true; lua[#lua + 1] = '%]'
      elseif char == '-' then dash = true; lua[#lua + 1] = '%-'
      else
        posix[#posix + 1] = char
        lua[#lua + 1] = char:match('^%p$') and '%' .. char or char
        if #char > 1 then fast = false end
      end
    end
  end
  -- A backslash before n or t would be read with it, and a sign at the beginning would negate.
  table.sort(posix, function(a, b) return (a == '\\' and 2 or a == '^' and 1 or 0) < (b == '\\' and 2 or b == '^' and 1 or 0) end)
  local inner = (closing and ']' or '') .. table.concat(posix) .. (dash and '-' or '')
  if inner == '^' and not negated then return '\\^', '%^', at + 1, false end
  return '[' .. (negated and '^' or '') .. inner .. ']', fast and '[' .. (negated and '^' or '') .. table.concat(lua) .. ']' or nil, at + 1, negated
end
local ATOMS = { w = true, W = true, s = true, S = true, B = true, ['<'] = true, ['>'] = true, n = true, t = true, r = true, f = true, v = true, a = true }
local function analysed(text)
  local posix, lua, at, fast, counts, wide = {}, {}, 1, true, 0, false
  while at <= #text do
    local char = text:match('^[%z\1-\127\192-\255][\128-\191]*', at) or text:sub(at, at)
    if char == '[' then
      local set, pattern, next_at, negated = set_in(text, at + 1)
      posix[#posix + 1] = set
      if pattern then lua[#lua + 1] = pattern else fast = false end
      wide = wide or negated or not pattern
      at = next_at
    elseif char == '\\' then
      local sign = text:sub(at + 1, at + 1)
      if sign == 'y' then posix[#posix + 1] = '\\b'; fast = false
      elseif sign:match('^[bcdox\96]$') or sign:match('%d') then refused_expression('\\' .. sign)
      elseif sign == '/' or sign == '"' then posix[#posix + 1] = sign; lua[#lua + 1] = '%' .. sign
      elseif ATOMS[sign] then
        posix[#posix + 1] = '\\' .. sign
        local plain = ESCAPED[sign] or sign == 's' and '%s'
        if plain then lua[#lua + 1] = plain else fast = false end
      else
        posix[#posix + 1] = '\\' .. sign
        if sign:match('^%p$') then lua[#lua + 1] = '%' .. sign else fast = false end
      end
      at = at + 2
    else
      posix[#posix + 1] = char
      if char:match('^[(|){}]$') or #char > 1 then fast = false end
      if char:match('^[*+?]$') then
        counts = counts + 1
        if #lua == 0 or text:sub(at - 1, at - 1):match('^[*+?^]$') and text:sub(at - 2, at - 2) ~= '\\' then fast = false end
        lua[#lua + 1] = char
      elseif char == '.' then lua[#lua + 1] = '.'; wide = true
      elseif char == '^' then if at == 1 then lua[#lua + 1] = '^' else fast = false end
      elseif char == '$' then if at == #text then lua[#lua + 1] = '$' else fast = false end
      else lua[#lua + 1] = char:match('^%p$') and '%' .. char or char end
      at = at + #char
    end
  end
  return table.concat(posix), fast and table.concat(lua) or nil, counts, wide
end
local expressions = {}
local function compiled(text)
  local found = expressions[text]
  if found then return found end
  local posix, pattern, counts, wide = analysed(text)
  found = { posix = posix, pattern = pattern, exact = counts < 2, wide = wide, anchored = pattern ~= nil and pattern:sub(1, 1) == '^' }
  expressions[text] = found
  return found
end
local last_text, last_chars, last_bytes
local function chars_in(text)
  if text ~= last_text then
    last_text, last_chars, last_bytes = text, chars_of(text), nil
    if not is_ascii(text) then
      last_bytes = { 1 }
      for i, char in ipairs(last_chars) do last_bytes[i + 1] = last_bytes[i] + #char end
    end
  end
  return last_chars, last_bytes
end
local function slow(one, text, from)
  if not one.find then one.find, one.groups = regex(one.posix, true, false, false, false) end
  local chars, bytes = chars_in(text)
  local first = from
  if bytes then
    first = 1
    while bytes[first] < from do first = first + 1 end
  end
  local start, stop, starts, stops = one.find(chars, first)
  if not start then return nil end
  if bytes then return bytes[start], bytes[stop] - 1, starts, stops, bytes end
  return start, stop - 1, starts, stops
end
local function is_plain(one, text) return one.pattern and not (one.wide and not is_ascii(text)) end
-- The first and the last byte of the leftmost longest match; the last is before the first where it is empty.
local function search(one, text, from)
  if is_plain(one, text) and one.exact then
    if one.anchored and from > 1 then return nil end
    return text:find(one.pattern, from)
  end
  return slow(one, text, from)
end
local function has(one, text)
  if is_plain(one, text) then return text:find(one.pattern) ~= nil end
  return slow(one, text, 1) ~= nil
end
local function padded(text, width, left, zero)
  local missing = width - size(text)
  if missing <= 0 then return text end
  missing = math.tointeger(missing)
  if left then return text .. (' '):rep(missing) end
  if zero then
    local sign, rest = text:match('^([+ -]?)(.*)$')
    return sign .. ('0'):rep(missing) .. rest
  end
  return (' '):rep(missing) .. text
end
local function formatted(letter, flags, width, precision, value)
  local left, zero = flags:find('-', 1, true), flags:find('0', 1, true)
  local sign = flags:find('+', 1, true) and '+' or flags:find(' ', 1, true) and ' ' or ''
  if letter == 'c' then
    local text
    if type(value) == 'number' or (type(value) == 'table' and value ~= UNSET) then text = utf8.char(math.tointeger(whole(num(value))) or 0)
    else text = str(value):match('^[%z\1-\127\192-\255][\128-\191]*') or '' end
    return padded(text, width, left)
  elseif letter == 's' then
    local text = str(value)
    if precision then text = substr(text, 1, precision) end
    return padded(text, width, left)
  end
  local number = num(value)
  if number ~= number or number == math.huge or number == -math.huge then return padded(shown(number), width, left) end
  if letter:match('[diouxX]') then
    local cut = whole(number)
    local digits
    if letter:match('[oxX]') and cut >= 0 and cut < 2 ^ 63 then digits = string.format('%' .. letter, math.tointeger(cut))
      if flags:find('#', 1, true) and cut ~= 0 then digits = (letter == 'o' and '0' or '0' .. letter) .. digits end
    else digits = string.format('%.0f', math.abs(cut)) end
    if precision then digits = ('0'):rep(math.tointeger(math.max(0, precision - #digits))) .. digits; zero = false end
    return padded((cut < 0 and '-' or letter:match('[di]') and sign or '') .. digits, width, left, zero)
  end
  if flags:find('#', 1, true) then refused('# in a format of awk') end
  local text = string.format('%' .. (precision and '.' .. string.format('%d', precision) or '') .. letter, number)
  if sign ~= '' and not text:find('^-') then text = sign .. text end
  return padded(text, width, left, zero)
end
format_values = function(format, values)
  local out, at, used = {}, 1, 0
  local function next_value()
    used = used + 1
    return values[used]
  end
  while true do
    local begin = format:find('%', at, true)
    if not begin then out[#out + 1] = format:sub(at); break end
    out[#out + 1] = format:sub(at, begin - 1)
    local flags, width, precision, letter, stop = format:match('^%%([-+ #0]*)([%d*]*)(%.?[%d*]*)[hlL]*(.?)()', begin)
    if letter == '%' then out[#out + 1] = '%'
    elseif not letter:match('^[diouxXeEfFgGcs]$') then out[#out + 1] = format:sub(begin, stop - 1)
    else
      if width == '*' then
        width = num(next_value() or UNSET)
        if width < 0 then flags, width = flags .. '-', -width end
      end
      if precision == '.*' then precision = num(next_value() or UNSET) elseif precision == '.' then precision = 0 elseif precision ~= '' then precision = tonumber(precision:sub(2)) else precision = nil end
      local value = next_value()
      if value == nil then fail('fatal: not enough arguments to satisfy format string', 2) end
      out[#out + 1] = formatted(letter == 'F' and 'f' or letter, flags, tonumber(width) or 0, precision, value)
    end
    at = stop
  end
  return table.concat(out)
end
`
