/** Sums, comparisons, matches and substitutions, in lua. */
export const AWK_OPERATORS = String.raw`
local function power_of(a, b) return a ^ b end
local COMPUTE = {
  ['+'] = function(a, b) return a + b end, ['-'] = function(a, b) return a - b end, ['*'] = function(a, b) return a * b end,
  ['/'] = function(a, b) if b == 0 then fail('fatal: division by zero attempted', 2) end; return a / b end,
  ['%'] = function(a, b) if b == 0 then fail("fatal: division by zero attempted in '%'", 2) end; return math.fmod(a, b) end,
  ['^'] = power_of,
}
local function compared(a, b)
  local left, right = type(a), type(b)
  if (left == 'number' or (left == 'table' and not a.text)) and (right == 'number' or (right == 'table' and not b.text)) then
    local x, y = num(a), num(b)
    return x < y and -1 or x > y and 1 or 0
  end
  local x, y = str(a), str(b)
  return x < y and -1 or x > y and 1 or 0
end
local COMPARE = {
  ['<'] = function(c) return c < 0 end, ['<='] = function(c) return c <= 0 end, ['=='] = function(c) return c == 0 end,
  ['!='] = function(c) return c ~= 0 end, ['>'] = function(c) return c > 0 end, ['>='] = function(c) return c >= 0 end,
}
local function pattern_of(node)
  if node == nil then wrong() end
  if node.t == 'group' then return pattern_of(node[1]) end
  if node.t == 'regex' then
    local one = compiled(node.text)
    return function() return one end
  end
  local value = value_of(node)
  return function() return regex_of(value()) end
end
local function replacement(text)
  if not text:find('[&\\]') then return function() return text end end
  return function(found)
    return (text:gsub('(\\*)(&?)', function(slashes, sign)
      if sign == '' then return slashes end
      local half = ('\\'):rep(#slashes // 2)
      return half .. (#slashes % 2 == 1 and '&' or found)
    end))
  end
end
local function substituted(text, one, by, all)
  local out, from, count, last = {}, 1, 0, 0
  while from <= #text + 1 do
    local start, stop = search(one, text, from)
    if not start then break end
    if stop >= start then
      out[#out + 1] = text:sub(from, start - 1) .. by(text:sub(start, stop))
      count, from, last = count + 1, stop + 1, stop
    else
      local char = char_at(text, start) or ''
      out[#out + 1] = text:sub(from, start - 1)
      if start ~= last + 1 or count == 0 then out[#out + 1] = by(''); count = count + 1 end
      out[#out + 1] = char
      from = start + math.max(#char, 1)
    end
    if not all then break end
  end
  if count == 0 then return text, 0 end
  if from <= #text then out[#out + 1] = text:sub(from) end
  return table.concat(out), count
end
`
