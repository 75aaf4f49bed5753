/**
 * Regular expressions of POSIX as those of the engine, which reads all as its own dialect: `(`, `{`, `+`, `?` and `|` are literal
 * in a basic one, a brace that begins no interval is literal in an extended one, and where several alternatives match the
 * longest counts.
 *
 * `expression(patterns, mode, prints, escapes)`: texts that are alternatives; `basic`, `extended` or `fixed`; whether what matches
 * counts, and not only that something does; whether `\n` and `\t` are a line break and a tab.
 */
export const EXPRESSION = String.raw`
local function refused(what) fail(what .. ' in a pattern is not available here: use lua', 2) end
local function literal(char)
  if char:match('[%^\\]') then return '\\' .. char end
  return char:match('[][.*+?(){}|$]') and '[' .. (char:match('[][]') and '\\' or '') .. char .. ']' or char
end
-- The bracket that begins at a place as one of the engine, and the place after it.
local function bracket(text, at, escapes)
  local out, from = { '[' }, at + 1
  if text:sub(from, from) == '^' then out[1] = '[^'; from = from + 1 end
  local i, state = from, 'closed'
  while true do
    local char = text:match('^[%z\1-\127\192-\255][\128-\191]*', i)
    if char == nil then fail('Unmatched [, [^, [:, [., or [=', 2) end
    local class = text:match('^%[:%l+:%]', i)
    if char == ']' and i > from then return table.concat(out) .. ']', i + 1 end
    if class then
      out[#out + 1] = class
      i, state = i + #class, 'closed'
    elseif escapes and text:match('^\\[nt]', i) then
      out[#out + 1] = text:sub(i, i + 1)
      i, state = i + 2, 'closed'
    elseif text:match('^%[[.=:]', i) then refused(text:sub(i, i + 1))
    else
      i = i + #char
      local is_range = char == '-' and i - 1 > from and text:sub(i, i) ~= ']'
      if is_range and state ~= 'one' then refused('a range after a range') end
      state = is_range and 'open' or state == 'open' and 'closed' or 'one'
      out[#out + 1] = is_range and '-' or char:match('[][&~^\\-]') and '\\' .. char or char
    end
  end
end
-- What alternatives of a group are told apart by: their texts, where they are literal, and how they begin.
local function check_alternatives(ones, is_top)
  local starts, apart = {}, true
  for _, one in ipairs(ones) do
    local first = one.first and one.first:lower()
    if not first or starts[first] then apart = false end
    starts[first or ''] = true
  end
  if apart then return end
  for i, one in ipairs(ones) do
    if not one.literal then refused('an alternation of what is printed or replaced') end
    for j = 1, #ones do
      local other = ones[j].literal
      if i ~= j and not is_top and other and one.literal:lower():sub(1, #other) == other:lower() then
        refused('an alternation of what is printed or replaced')
      end
    end
  end
  table.sort(ones, function(a, b) return #a.literal > #b.literal end)
end
local function converted(text, mode, prints, top, escapes)
  local basic, at = mode == 'basic', 1
  local groups, ones = {}, top
  local one = { out = {}, literal = '' }
  local is_start, is_repeated, optional = true, false, 0
  local function put(piece, plain)
    one.out[#one.out + 1] = piece
    if #one.out == 1 then one.first = plain end
    one.literal = one.literal and plain and one.literal .. plain
    is_start, is_repeated = false, false
  end
  local function close_one()
    one.text = table.concat(one.out)
    ones[#ones + 1] = one
  end
  local function open()
    groups[#groups + 1] = { ones = ones, one = one }
    ones, one = {}, { out = {}, literal = '' }
    is_start = true
  end
  local function close()
    close_one()
    if prints and #ones > 1 then check_alternatives(ones, false) end
    local texts = {}
    for i, each in ipairs(ones) do texts[i] = each.text end
    local group = table.remove(groups)
    ones, one = group.ones, group.one
    put('(' .. table.concat(texts, '|') .. ')')
    one.closed = #one.out
  end
  local function again(piece)
    if is_start then refused('a repetition of nothing') end
    if is_repeated then
      if piece == '*' and one.out[#one.out] == '*' then return end
      refused('a repetition of a repetition')
    end
    if one.closed == #one.out and piece ~= '{1}' then optional = optional + 1 end
    if prints and optional > 1 then refused('several repeated groups of what is printed or replaced') end
    -- A character that is repeated does not tell how its alternative begins.
    if #one.out == 1 then one.first = nil end
    put(piece)
    is_repeated = true
  end
  while at <= #text do
    local char = text:match('^[%z\1-\127\192-\255][\128-\191]*', at) or text:sub(at, at)
    local sign = char
    if mode == 'fixed' then
      put(literal(char), char)
      at = at + #char
      goto continue
    end
    if char == '\\' then
      sign = text:sub(at, at + 1)
      if sign == '\\' then fail('Trailing backslash', 2) end
    end
    at = at + #sign
    do
      local rest = text:sub(at)
      local is_interval = sign == (basic and '\\{' or '{')
      local least, comma, most, after
      if is_interval then least, comma, most, after = rest:match('^(%d*)(,?)(%d*)' .. (basic and '\\' or '') .. '}()') end
      if sign == '[' then
        local set
        set, at = bracket(text, at - 1, escapes)
        put(set)
      elseif sign == '.' then put('.')
      elseif least and (least ~= '' or comma ~= '') then
        again('{' .. (least == '' and '0' or least) .. comma .. most .. '}')
        at = at + after - 1
      elseif is_interval and basic then fail('Invalid content of \\{\\}', 2)
      elseif sign == '*' and basic and is_start then put('[*]', '*')
      elseif sign == '*' or sign == (basic and '\\+' or '+') or sign == (basic and '\\?' or '?') then again(sign:sub(-1))
      elseif sign == (basic and '\\(' or '(') then open()
      -- grep takes a bracket that closes nothing for a character.
      elseif sign == ')' and not basic and #groups == 0 and not escapes then put('[)]', ')')
      elseif sign == (basic and '\\)' or ')') then
        if #groups == 0 then fail('Unmatched ) or \\)', 2) end
        close()
      elseif sign == (basic and '\\|' or '|') then
        close_one()
        one, is_start = { out = {}, literal = '' }, true
      elseif sign == '^' and (not basic or #one.out == 0) then
        put('^')
        is_start = true
      elseif sign == '$' and (not basic or rest == '' or rest:match('^\\[)|]')) then put('$')
      elseif sign:match('^\\%d') then refused('a reference to a group')
      elseif sign:match('^\\[<>bB]') then
        put(sign)
        is_repeated = true
      elseif sign:match('^\\[wWsS]') or (escapes and sign:match('^\\[nt]')) then put(sign)
      elseif #sign == 2 and char == '\\' then
        if sign:match("['${'`'}]") then refused(sign) end
        put(literal(sign:sub(2)), sign:sub(2))
      else put(literal(char), char) end
    end
    ::continue::
  end
  if #groups > 0 then fail('Unmatched ( or \\(', 2) end
  close_one()
end
-- What a program of the engine is to read has to be in a file.
local function input_file(text)
  local path = '/dev/.run/' .. tostring({}):gsub('%W', '') .. os.clock()
  local file = io.open(path, 'w')
  file:write(text or io.read('a') or '')
  file:close()
  return path
end
local function expression(patterns, mode, prints, escapes)
  local ones, texts = {}, {}
  for _, text in ipairs(patterns) do
    for line in (text .. '\n'):gmatch('([^\n]*)\n') do converted(line, mode, prints, ones, escapes) end
  end
  if prints and #ones > 1 then check_alternatives(ones, true) end
  for i, one in ipairs(ones) do texts[i] = one.text end
  return table.concat(texts, '|')
end
`
