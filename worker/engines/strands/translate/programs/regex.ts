/**
 * Expressions of POSIX with the extensions of GNU, in lua: `regex(pattern, extended, fold, lines)` gives a function that finds them. With
 * `perl` they are Perl's: the first alternative that matches counts, not the longest match.
 */
export const REGEX = String.raw`
local function refused_expression(what) fail(what .. ' is not available here: use lua', 2) end
local function chars_of(text)
  local chars = {}
  if not text:find('[\128-\255]') then
    for i = 1, #text do chars[i] = text:sub(i, i) end
    return chars
  end
  for char in text:gmatch('[%z\1-\127\192-\255][\128-\191]*') do chars[#chars + 1] = char end
  return chars
end
local CLASSES = { alpha = '%a', digit = '%d', alnum = '%w', space = '%s', upper = '%u', lower = '%l', punct = '%p', cntrl = '%c', xdigit = '%x', blank = '[ \t]', print = '[\32-\126]', graph = '[\33-\126]' }
local PERL_CLASSES = { d = '[0-9]', D = '[^0-9]', w = '[%w_]', W = '[^%w_]', s = '%s', S = '%S', h = '[ \t]' }
local CONTROLS = { r = '\r', f = '\f' }
local function is_word(char) return char ~= nil and (char:match('^[%w_]$') ~= nil or #char > 1) end
-- The set that begins behind a bracket, and the place after it.
local function set_at(chars, at, fold, perl)
  local negated, items, first = false, {}, true
  -- Whether a class of Perl was added.
  local function added_class()
    local sign = perl and chars[at] == '\\' and chars[at + 1]
    if not sign then return false end
    local class = PERL_CLASSES[sign]
    if class then items[#items + 1], at = { class = '^' .. class .. '$' }, at + 2; return true end
    if sign:match('^%w$') and not sign:match('^[ntrf]$') then refused_expression('\\' .. sign) end
    return false
  end
  if chars[at] == '^' then negated, at = true, at + 1 end
  while true do
    local char = chars[at]
    if char == nil then fail('unterminated address regex or command', 1) end
    if char == ']' and not first then break end
    first = false
    if char == '[' and chars[at + 1] == ':' then
      local name, stop = '', at + 2
      while chars[stop] and chars[stop] ~= ':' do name, stop = name .. chars[stop], stop + 1 end
      local class = CLASSES[name]
      if not class or chars[stop + 1] ~= ']' then fail('invalid character class', 1) end
      if fold and (name == 'upper' or name == 'lower') then class = '%a' end
      items[#items + 1], at = { class = '^' .. class .. '$' }, stop + 2
    elseif added_class() then
      if chars[at] == '-' and chars[at + 1] ~= ']' then refused_expression('a range from a class') end
    elseif char == '[' and (chars[at + 1] == '.' or chars[at + 1] == '=') then refused_expression('[' .. chars[at + 1])
    else
      if char == '\\' and (chars[at + 1] == 'n' or chars[at + 1] == 't') then
        char, at = chars[at + 1] == 'n' and '\n' or '\t', at + 1
      elseif char == '\\' and perl then
        at = at + 1
        char = CONTROLS[chars[at]] or chars[at] or ''
      end
      if chars[at + 1] == '-' and chars[at + 2] and chars[at + 2] ~= ']' then
        if chars[at + 2] == '[' or perl and chars[at + 2] == '\\' then refused_expression('a range to ' .. chars[at + 2]) end
        if utf8.codepoint(char) > utf8.codepoint(chars[at + 2]) then fail('Invalid range end', 1) end
        items[#items + 1], at = { from = utf8.codepoint(char), to = utf8.codepoint(chars[at + 2]) }, at + 3
      else items[#items + 1], at = { char = char }, at + 1 end
    end
  end
  local function has(char)
    for _, item in ipairs(items) do
      if item.char == char then return true end
      if item.class and char:match(item.class) then return true end
      if item.from then
        local code = utf8.codepoint(char)
        if code >= item.from and code <= item.to then return true end
      end
    end
    return false
  end
  return function(char)
    local found = has(char) or (fold and (has(char:lower()) or has(char:upper())))
    return found ~= negated
  end, at + 1
end
local STEPS = 400000
local function regex(pattern, extended, fold, lines, perl)
  local source, at, groups, names, explores = chars_of(pattern), 1, 0, {}, false
  local text, starts, stops, steps, kept
  -- How many assertions of what comes before the place in the pattern lies in.
  local behind = 0
  local parse
  -- Nodes are functions of a place and of what matches behind.
  local function single(test)
    return { test = test, run = function(i, k) if text[i] ~= nil and test(text[i]) then return k(i + 1) end end }
  end
  local function literal(char)
    if fold then
      local lower = char:lower()
      return single(function(one) return one:lower() == lower end)
    end
    return single(function(one) return one == char end)
  end
  local function assertion(holds) return { run = function(i, k) if holds(i) then return k(i) end end, assertion = true } end
  local function is_start(i) return i == 1 or (lines and text[i - 1] == '\n') end
  local function is_end(i) return text[i] == nil or text[i] == '\n' and (lines or perl and text[i + 1] == nil) end
  local ESCAPES = {
    w = function() return single(is_word) end, W = function() return single(function(one) return not is_word(one) end) end,
    s = function() return single(function(one) return one:match('^%s$') ~= nil end) end,
    S = function() return single(function(one) return one:match('^%s$') == nil end) end,
    b = function() return assertion(function(i) return is_word(text[i - 1]) ~= is_word(text[i]) end) end,
    B = function() return assertion(function(i) return is_word(text[i - 1]) == is_word(text[i]) end) end,
    ['<'] = function() return assertion(function(i) return not is_word(text[i - 1]) and is_word(text[i]) end) end,
    ['>'] = function() return assertion(function(i) return is_word(text[i - 1]) and not is_word(text[i]) end) end,
    ["'"] = function() return assertion(function(i) return text[i] == nil end) end,
    ['\96'] = function() return assertion(function(i) return i == 1 end) end,
    n = function() return literal('\n') end, t = function() return literal('\t') end, r = function() return literal('\r') end,
    f = function() return literal('\f') end, v = function() return literal('\v') end, a = function() return literal('\a') end,
  }
  if perl then
    for _, sign in ipairs({ '<', '>', "'", '\96', 'v' }) do ESCAPES[sign] = nil end
    for sign, class in pairs(PERL_CLASSES) do
      local whole = '^' .. class .. '$'
      if not ESCAPES[sign] then ESCAPES[sign] = function() return single(function(one) return one:match(whole) ~= nil end) end end
    end
    ESCAPES.K = function()
      return { run = function(i, k)
        local before = kept
        kept = i
        local found = k(i)
        if not found then kept = before end
        return found
      end }
    end
  end
  local function repeated(node, least, most, lazy)
    if node.test and lazy then
      local test = node.test
      return { run = function(i, k)
        local count = 0
        while count <= most do
          local found = count >= least and k(i + count)
          if found then return found end
          if text[i + count] == nil or not test(text[i + count]) then return nil end
          count = count + 1
        end
      end }
    end
    if node.test then
      local test = node.test
      return { run = function(i, k)
        local count = 0
        while count < most and text[i + count] ~= nil and test(text[i + count]) do count = count + 1 end
        for j = count, least, -1 do
          local found = k(i + j)
          if found then return found end
        end
      end }
    end
    explores = true
    local function try(i, count, k)
      steps = steps + 1
      if steps > STEPS then refused_expression('an expression that takes this long') end
      if lazy and count >= least then
        local found = k(i)
        if found then return found end
      end
      if count < most then
        local found = node.run(i, function(j)
          if j == i and count >= least then return nil end
          return try(j, count + 1, k)
        end)
        if found then return found end
      end
      if count >= least and not lazy then return k(i) end
    end
    return { run = function(i, k) return try(i, 0, k) end }
  end
  -- What repeats: the least and most times, and the place behind it.
  local function count_at()
    local char = source[at]
    local sign = char == '\\' and not extended and char .. (source[at + 1] or '') or char
    if char == '*' then at = at + 1; return 0, math.huge end
    if sign == (extended and '+' or '\\+') then at = at + #sign; return 1, math.huge end
    if sign == (extended and '?' or '\\?') then at = at + #sign; return 0, 1 end
    if sign == (extended and '{' or '\\{') then
      local rest = table.concat(source, '', at + #sign)
      if perl and not rest:match('^%d+,?%d*}') then return nil end
      local least, comma, most, stop = rest:match('^(%d*)(,?)(%d*)' .. (extended and '}()' or '\\}()'))
      if not least or (least == '' and comma == '') then fail('Invalid preceding regular expression', 1) end
      at = at + #sign + stop - 1
      return tonumber(least) or 0, comma == '' and tonumber(least) or tonumber(most) or math.huge
    end
  end
  -- A group of Perl's that captures nothing, behind its bracket.
  local function special_group(depth)
    local sign = table.concat(source, '', at + 1, math.min(at + 3, #source)):match('^%?<?[:=!]')
    if not sign or sign == '?<:' then refused_expression('(' .. table.concat(source, '', at + 1, math.min(at + 3, #source))) end
    local is_behind, wanted = #sign == 3, sign:sub(-1) == '='
    at = at + 1 + #sign
    if is_behind then behind = behind + 1 end
    local inner = parse(depth + 1)
    if is_behind then behind = behind - 1 end
    if source[at] ~= ')' then fail('missing closing parenthesis', 2) end
    at = at + 1
    if sign == '?:' then return inner end
    local function holds(i)
      if not is_behind then return inner.run(i, function() return true end) == true end
      for j = i, 1, -1 do if inner.run(j, function(stop) return stop == i or nil end) then return true end end
      return false
    end
    return assertion(function(i) return holds(i) == wanted end)
  end
  local function sequence(depth)
    local nodes, is_first = {}, true
    while source[at] do
      local char = source[at]
      local sign = char == '\\' and char .. (source[at + 1] or '') or char
      local node
      if sign == '\\' then fail('Trailing backslash', 1) end
      if sign == (extended and '|' or '\\|') then break end
      if sign == (extended and ')' or '\\)') then
        if depth > 0 then break end
        fail('Unmatched ) or \\)', 1)
      end
      local rest = (source[at + 1] or '') .. (source[at + 2] or '')
      local name = perl and char == '(' and table.concat(source, '', at + 1):match('^%?<([%a_][%w_]*)>')
      if perl and char == '(' and source[at + 1] == '?' and not name then node = special_group(depth)
      elseif sign == (extended and '(' or '\\(') then
        at, groups = at + #sign + (name and #name + 3 or 0), groups + 1
        local number = groups
        names[number] = name or nil
        local inner = parse(depth + 1)
        local closing = extended and ')' or '\\)'
        if (source[at] or '') .. (extended and '' or source[at + 1] or '') ~= closing then fail('Unmatched ( or \\(', 1) end
        at = at + #closing
        node = { run = function(i, k)
          return inner.run(i, function(j)
            local before, behind = starts[number], stops[number]
            starts[number], stops[number] = i, j
            local found = k(j)
            if not found then starts[number], stops[number] = before, behind end
            return found
          end)
        end }
      elseif char == '[' then
        local test
        test, at = set_at(source, at + 1, fold, perl)
        node = single(test)
      elseif char == '.' then node, at = single(function(one) return not perl or one ~= '\n' end), at + 1
      elseif char == '*' and is_first and not extended then node, at = literal('*'), at + 1
      elseif char == '^' and (extended or is_first) then node, at = assertion(is_start), at + 1
      elseif char == '$' and (extended or rest == '' or rest == '\\)' or rest == '\\|') then node, at = assertion(is_end), at + 1
      elseif is_first and extended and char:match('^[*+?]$') then fail('Invalid preceding regular expression', 1)
      elseif sign:match('^\\[1-9]$') then
        local number = tonumber(sign:sub(2))
        if number > groups and perl then refused_expression(sign) end
        if number > groups then fail('Invalid back reference', 1) end
        explores, at = true, at + 2
        node = { run = function(i, k)
          if not starts[number] then return nil end
          local size = stops[number] - starts[number]
          for j = 0, size - 1 do
            local a, b = text[starts[number] + j], text[i + j]
            if b == nil or (fold and a:lower() ~= b:lower() or not fold and a ~= b) then return nil end
          end
          return k(i + size)
        end }
      elseif char == '\\' and ESCAPES[source[at + 1]] then node, at = ESCAPES[source[at + 1]](), at + 2
      elseif char == '\\' then
        if source[at + 1]:match(perl and '^%w$' or '^[cdox]$') then refused_expression(sign) end
        node, at = literal(source[at + 1]), at + 2
      else node, at = literal(char), at + 1 end
      local least, most = count_at()
      while least do
        if node.assertion and not extended then break end
        if behind > 0 and least ~= most then refused_expression('a look-behind of several lengths') end
        local lazy = perl and source[at] == '?'
        if lazy then at = at + 1 elseif perl and source[at] == '+' then refused_expression('a possessive repetition') end
        node = repeated(node, least, most, lazy)
        if perl then break end
        least, most = count_at()
      end
      nodes[#nodes + 1] = node
      is_first = not extended and node.assertion and char == '^'
    end
    if #nodes == 1 then return nodes[1] end
    return { run = function(i, k)
      local function from(n, j)
        if n > #nodes then return k(j) end
        return nodes[n].run(j, function(next) return from(n + 1, next) end)
      end
      return from(1, i)
    end }
  end
  parse = function(depth)
    local ones = { sequence(depth) }
    while source[at] == (extended and '|' or '\\') and (extended or source[at + 1] == '|') do
      at, explores = at + (extended and 1 or 2), true
      ones[#ones + 1] = sequence(depth)
    end
    if #ones == 1 then return ones[1] end
    return { run = function(i, k)
      for _, one in ipairs(ones) do
        local found = one.run(i, k)
        if found then return found end
      end
    end }
  end
  local top = parse(0)
  explores = explores and not perl
  -- The leftmost match from a place on, and the longest there: its start and the place behind it, and those of its groups.
  return function(chars, from)
    text, steps = chars, 0
    for i = from, #chars + 1 do
      starts, stops, kept = {}, {}, nil
      local best, best_starts, best_stops
      local found = top.run(i, function(j)
        if not explores then return j end
        steps = steps + 1
        if steps > STEPS then refused_expression('an expression that takes this long') end
        if not best or j > best then
          best, best_starts, best_stops = j, { table.unpack(starts, 1, groups) }, { table.unpack(stops, 1, groups) }
        end
        return j > #chars and j or nil
      end)
      if explores and best then return i, best, best_starts, best_stops end
      if found then return kept or i, found, starts, stops end
    end
  end, groups, names
end
`
