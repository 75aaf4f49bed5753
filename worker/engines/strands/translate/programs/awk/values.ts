/** Texts and numbers as awk takes them for each other, in lua. */
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
`
