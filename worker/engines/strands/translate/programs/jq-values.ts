/** Values of `jq` in lua: reading and writing JSON, indexes and order. */
export const JQ_VALUES = String.raw`
local NULL = {}
local globals = {}
local function array(items) items.n, items.is_array = #items, true; return items end
-- An object has its keys in their order.
local function object(keys, map) return { keys = keys, map = map } end
local function kind_of(value)
  local kind = type(value)
  if kind ~= 'table' then return kind end
  return value == NULL and 'null' or value.is_array and 'array' or 'object'
end
local function raise(message) error({ message = message }, 0) end
local function compile_error(text)
  io.stderr:write('jq: error: ', text, '\njq: 1 compile error\n')
  os.exit(3)
end
local function is_break(message) return type(message) == 'table' and next(message) == nil and message ~= NULL end
local function truth(value) return value ~= NULL and value ~= false end
local function with_key(one, key, value)
  local keys, map = one.keys, {}
  for k, v in pairs(one.map) do map[k] = v end
  if map[key] == nil then
    keys = { table.unpack(keys) }
    keys[#keys + 1] = key
  end
  map[key] = value
  return object(keys, map)
end
local function number_text(value)
  if value ~= value then return 'null' end
  if value == math.huge then return '1.7976931348623157e+308' end
  if value == -math.huge then return '-1.7976931348623157e+308' end
  if math.type(value) == 'integer' and value > -1e15 and value < 1e15 then return string.format('%d', value) end
  value = value * 1.0
  if value == 0 then return 1 / value < 0 and '-0' or '0' end
  if value == math.floor(value) and math.abs(value) < 1e15 then return string.format('%d', value) end
  local text
  for precision = 14, 16 do
    text = string.format('%.' .. precision .. 'e', value)
    if tonumber(text) == value then break end
  end
  local sign, digits, exponent = text:match('^(-?)([%d.]+)e([-+]%d+)$')
  digits = digits:gsub('%.', ''):gsub('0+$', '')
  local point = tonumber(exponent) + 1
  if point <= -4 or point > #digits + 15 then
    local rest = digits:sub(2)
    return string.format('%s%s%se%s%02d', sign, digits:sub(1, 1), rest == '' and '' or '.' .. rest, point > 0 and '+' or '-', math.abs(point - 1))
  end
  if point <= 0 then return sign .. '0.' .. ('0'):rep(-point) .. digits end
  if point >= #digits then return sign .. digits .. ('0'):rep(point - #digits) end
  return sign .. digits:sub(1, point) .. '.' .. digits:sub(point + 1)
end
local SHORT = { ['"'] = '\\"', ['\\'] = '\\\\', ['\n'] = '\\n', ['\t'] = '\\t', ['\r'] = '\\r', ['\b'] = '\\b', ['\f'] = '\\f' }
local ascii_only = false
local function string_text(value)
  local text = value:gsub('[%c"\\\127]', function(char) return SHORT[char] or string.format('\\u%04x', char:byte()) end)
  if ascii_only then
    text = text:gsub('[\194-\244][\128-\191]+', function(char)
      local code = utf8.codepoint(char)
      if code < 65536 then return string.format('\\u%04x', code) end
      code = code - 65536
      return string.format('\\u%04x\\u%04x', 0xd800 + (code >> 10), 0xdc00 + (code & 0x3ff))
    end)
  end
  return '"' .. text .. '"'
end
local function sorted_keys(one)
  local keys = { table.unpack(one.keys) }
  table.sort(keys)
  return keys
end
local sorts_keys = false
-- A value as JSON; with the indentation of a level on lines.
local function json(value, indent, level)
  local kind = kind_of(value)
  if kind == 'number' then return number_text(value) end
  if kind == 'string' then return string_text(value) end
  if kind == 'null' then return 'null' end
  if kind == 'boolean' then return tostring(value) end
  local parts = {}
  if kind == 'array' then
    for i = 1, value.n do parts[i] = json(value[i], indent, (level or 0) + 1) end
  else
    for i, key in ipairs(sorts_keys and sorted_keys(value) or value.keys) do
      parts[i] = string_text(key) .. (indent and ': ' or ':') .. json(value.map[key], indent, (level or 0) + 1)
    end
  end
  local open, close = kind == 'array' and '[' or '{', kind == 'array' and ']' or '}'
  if #parts == 0 then return open .. close end
  if not indent then return open .. table.concat(parts, ',') .. close end
  local inner, outer = '\n' .. indent:rep((level or 0) + 1), '\n' .. indent:rep(level or 0)
  return open .. inner .. table.concat(parts, ',' .. inner) .. outer .. close
end
local function described(value)
  local text = json(value)
  if #text > 11 then text = text:sub(1, 10) .. '...' end
  return kind_of(value) .. ' (' .. text .. ')'
end
-- Reads the value that begins at a place; the place behind it.
local function reader(text)
  local at = 1
  local read
  local function wrong(what) error({ invalid = what }, 0) end
  local function skip() at = text:match('^[ \t\r\n]*()', at) end
  local UNESCAPED = { n = '\n', t = '\t', r = '\r', b = '\b', f = '\f', ['"'] = '"', ['\\'] = '\\', ['/'] = '/' }
  local function read_string()
    local out = {}
    at = at + 1
    while true do
      local plain = text:match('^[^"\\]+', at)
      if plain then out[#out + 1] = plain; at = at + #plain end
      local char = text:sub(at, at)
      if char == '"' then at = at + 1; return table.concat(out) end
      if char == '' then wrong('Unfinished string') end
      local sign = text:sub(at + 1, at + 1)
      if sign == 'u' then
        local code = tonumber(text:match('^%x%x%x%x', at + 2) or wrong('Invalid escape'), 16)
        at = at + 6
        if code >= 0xd800 and code < 0xdc00 then
          local low = tonumber(text:match('^\\u(%x%x%x%x)', at) or 'fffd', 16)
          if low >= 0xdc00 and low < 0xe000 then
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
            at = at + 6
          else code = 0xfffd end
        elseif code >= 0xdc00 and code < 0xe000 then code = 0xfffd end
        out[#out + 1] = utf8.char(code)
      else
        out[#out + 1] = UNESCAPED[sign] or wrong('Invalid escape')
        at = at + 2
      end
    end
  end
  read = function()
    skip()
    local char = text:sub(at, at)
    if char == '"' then return read_string() end
    if char == '[' then
      local items = {}
      at = at + 1
      skip()
      if text:sub(at, at) == ']' then at = at + 1; return array(items) end
      while true do
        items[#items + 1] = read()
        skip()
        local sign = text:sub(at, at)
        at = at + 1
        if sign == ']' then return array(items) end
        if sign ~= ',' then wrong('Expected separator between values') end
      end
    end
    if char == '{' then
      local keys, map = {}, {}
      at = at + 1
      skip()
      if text:sub(at, at) == '}' then at = at + 1; return object(keys, map) end
      while true do
        skip()
        if text:sub(at, at) ~= '"' then wrong('Object keys must be strings') end
        local key = read_string()
        skip()
        if text:sub(at, at) ~= ':' then wrong('Objects must consist of key:value pairs') end
        at = at + 1
        if map[key] == nil then keys[#keys + 1] = key end
        map[key] = read()
        skip()
        local sign = text:sub(at, at)
        at = at + 1
        if sign == '}' then return object(keys, map) end
        if sign ~= ',' then wrong('Expected separator between values') end
      end
    end
    local word = text:match('^[%w+.-]+', at) or wrong('Invalid literal')
    at = at + #word
    if word == 'true' then return true elseif word == 'false' then return false elseif word == 'null' then return NULL end
    if word == 'nan' or word == 'NaN' then return 0 / 0 end
    if not word:match('^-?%d+%.?%d*[eE]?[-+]?%d*$') and not word:match('^-?%.%d+[eE]?[-+]?%d*$') then wrong('Invalid numeric literal') end
    local number = tonumber(word) or wrong('Invalid numeric literal')
    if math.type(number) == 'float' or math.abs(number) > 2 ^ 53 then number = number * 1.0 end
    return word:match('^-0+$') and -0.0 or number
  end
  return function()
    skip()
    if at > #text then return nil end
    return read()
  end
end
local RANKS = { null = 1, boolean = 2, number = 4, string = 5, array = 6, object = 7 }
local function rank_of(value) return value == true and 3 or RANKS[kind_of(value)] end
local function compare(a, b)
  local one, other = rank_of(a), rank_of(b)
  if one ~= other then return one < other and -1 or 1 end
  local kind = kind_of(a)
  if kind == 'number' or kind == 'string' then
    if kind == 'number' and a ~= a then return -1 end
    return a < b and -1 or a > b and 1 or 0
  end
  if kind == 'array' then
    for i = 1, math.min(a.n, b.n) do
      local order = compare(a[i], b[i])
      if order ~= 0 then return order end
    end
    return a.n < b.n and -1 or a.n > b.n and 1 or 0
  end
  if kind ~= 'object' then return 0 end
  local mine, theirs = sorted_keys(a), sorted_keys(b)
  for i = 1, math.min(#mine, #theirs) do
    if mine[i] ~= theirs[i] then return mine[i] < theirs[i] and -1 or 1 end
  end
  if #mine ~= #theirs then return #mine < #theirs and -1 or 1 end
  for _, key in ipairs(mine) do
    local order = compare(a.map[key], b.map[key])
    if order ~= 0 then return order end
  end
  return 0
end
local function equal(a, b) return compare(a, b) == 0 end
-- Sorts and keeps the order of equal ones.
local function sorted(items, order)
  local rows = {}
  for i = 1, items.n do rows[i] = { items[i], i } end
  table.sort(rows, function(a, b)
    local by = order(a[1], b[1])
    if by ~= 0 then return by < 0 end
    return a[2] < b[2]
  end)
  for i, row in ipairs(rows) do rows[i] = row[1] end
  return array(rows)
end
local function characters(text)
  local out = {}
  for _, code in utf8.codes(text) do out[#out + 1] = utf8.char(code) end
  return out
end
local function bounds(key, size)
  local from, to = key.map.start, key.map['end']
  from = (from == nil or from == NULL) and 0 or from
  to = (to == nil or to == NULL) and size or to
  if type(from) ~= 'number' or type(to) ~= 'number' then raise('Start and end indices of an array slice must be numbers') end
  if from < 0 then from = from + size end
  if to < 0 then to = to + size end
  from, to = math.max(0, math.min(math.floor(from), size)), math.max(0, math.min(math.ceil(to), size))
  return from, math.max(from, to)
end
local function index_of(value, key)
  local kind, by = kind_of(value), kind_of(key)
  if kind == 'null' and (by == 'string' or by == 'number' or by == 'null' or by == 'object') then return NULL end
  if kind == 'object' and by == 'string' then
    local found = value.map[key]
    if found == nil then return NULL end
    return found
  end
  if kind == 'array' and by == 'number' then
    if key ~= key then return NULL end
    local at = math.floor(key)
    if at < 0 then at = at + value.n end
    local found = value[at + 1]
    if found == nil or at < 0 then return NULL end
    return found
  end
  if by == 'object' and kind == 'array' then
    local from, to = bounds(key, value.n)
    return array({ table.unpack(value, from + 1, to) })
  end
  if by == 'object' and kind == 'string' then
    local chars = characters(value)
    local from, to = bounds(key, #chars)
    return table.concat(chars, '', from + 1, to)
  end
  if kind == 'array' and by == 'array' then
    local found = {}
    for i = 1, value.n - key.n + 1 do
      local same = key.n > 0
      for j = 1, key.n do same = same and equal(value[i + j - 1], key[j]) end
      if same then found[#found + 1] = i - 1 end
    end
    return array(found)
  end
  if by == 'string' then raise('Cannot index ' .. kind .. ' with "' .. key .. '"') end
  raise('Cannot index ' .. kind .. ' with ' .. by)
end
local function parsed(text)
  local ok, value = pcall(function()
    local next_value = reader(text)
    local one = next_value()
    if next_value() ~= nil then error({ invalid = 'Unexpected extra JSON values' }, 0) end
    return one
  end)
  if not ok then raise((type(value) == 'table' and value.invalid or tostring(value)) .. " (while parsing '" .. text .. "')") end
  if value == nil then return NULL end
  return value
end
local function each(value, tell, is_silent)
  local kind = kind_of(value)
  if kind == 'array' then
    for i = 1, value.n do tell(i - 1, value[i]) end
  elseif kind == 'object' then
    for _, key in ipairs(value.keys) do tell(key, value.map[key]) end
  elseif not is_silent then raise('Cannot iterate over ' .. (kind == 'null' and 'null' or described(value))) end
end
`
