/** The formats of printf, in lua. */
export const AWK_FORMATS = String.raw`
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
    else text = char_at(str(value), 1) or '' end
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
