/** Regular expressions of awk, as patterns of lua where they are some. */
export const AWK_PATTERNS = String.raw`
-- An expression as POSIX writes it, and as a pattern of lua where it is one.
local PLAIN = { alpha = '%a', digit = '%d', alnum = '%w', space = '%s', upper = '%u', lower = '%l', punct = '%p', blank = ' \t', xdigit = '%x' }
local function set_in(text, at)
  local negated = text:sub(at, at) == '^'
  if negated then at = at + 1 end
  local posix, lua, closing, dash, first, fast = {}, {}, false, false, true, true
  while true do
    local char = char_at(text, at)
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
        char = char_at(text, at + 1) or '\\'
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
    local char = char_at(text, at) or text:sub(at, at)
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
`
