/** The functions that awk has, in lua: each node of a call becomes a function. */
export const AWK_FUNCTIONS = String.raw`
local CALLS = {}
local function at_most(node, least, most)
  if #node.args < least or #node.args > most then fail('fatal: ' .. #node.args .. ' is invalid as number of arguments for ' .. node.name, 2) end
end
local function numeric(name, compute)
  CALLS[name] = function(node)
    at_most(node, 1, 1)
    local one = value_of(node.args[1])
    return function() return compute(num(one())) + 0.0 end
  end
end
numeric('int', whole); numeric('sqrt', math.sqrt); numeric('exp', math.exp); numeric('log', math.log); numeric('sin', math.sin); numeric('cos', math.cos)
CALLS.atan2 = function(node)
  at_most(node, 2, 2)
  local a, b = value_of(node.args[1]), value_of(node.args[2])
  return function() return math.atan(num(a()), num(b())) end
end
CALLS.rand = function() return function() return math.random() end end
CALLS.srand = function(node)
  local one = node.args[1] and value_of(node.args[1])
  local before = 0.0
  return function()
    local old = before
    before = one and num(one()) or os.time() + 0.0
    math.randomseed(math.tointeger(whole(before)))
    return old
  end
end
CALLS.systime = function() return function() return os.time() + 0.0 end end
local function is_array_name(name) return arrays[name] ~= nil or scope and scope.arrays[name] end
CALLS.length = function(node)
  local one = node.args[1]
  if not one then return function() join_record(); return size(record) end end
  if one.t == 'var' and is_array_name(one.name) then
    local array = array_of(one.name)
    return function() return array().size + 0.0 end
  end
  local value = value_of(one)
  return function() return size(str(value())) end
end
CALLS.substr = function(node)
  at_most(node, 2, 3)
  local text, from, count = value_of(node.args[1]), value_of(node.args[2]), node.args[3] and value_of(node.args[3])
  return function() return substr(str(text()), num(from()), count and num(count())) end
end
CALLS.index = function(node)
  at_most(node, 2, 2)
  local text, part = value_of(node.args[1]), value_of(node.args[2])
  return function()
    local whole_text = str(text())
    local at = whole_text:find(str(part()), 1, true)
    return at and place(whole_text, at) or 0.0
  end
end
for _, name in ipairs({ 'lower', 'upper' }) do
  CALLS['to' .. name] = function(node)
    at_most(node, 1, 1)
    local value = value_of(node.args[1])
    return function()
      local text = str(value())
      if not is_ascii(text) then refused('to' .. name .. ' of a text other than ASCII') end
      return text[name](text)
    end
  end
end
CALLS.sprintf = function(node)
  at_most(node, 1, 1000)
  local ones = {}
  for i, one in ipairs(node.args) do ones[i] = value_of(one) end
  return function()
    local values = {}
    for i = 2, #ones do values[i - 1] = ones[i]() end
    return format_values(str(ones[1]()), values)
  end
end
CALLS.split = function(node)
  at_most(node, 2, 3)
  if node.args[2].t ~= 'var' then wrong() end
  local text, array, by = value_of(node.args[1]), array_of(node.args[2].name), node.args[3]
  local given = by and (by.t == 'regex' and function() return by.text end or value_of(by))
  local literal = by and by.t == 'regex'
  return function()
    local found = given and str(given()) or str(V.FS)
    -- A sign alone is itself as a text, and an expression between slashes.
    if literal and #found == 1 then found = found:match('^[%w ,;:/_-]$') and (found == ' ' and '[ ]' or found) or '(' .. found .. ')' end
    local parts, count = split_text(str(text()), found)
    local to = array()
    to.values, to.places, to.last, to.size = {}, {}, 0, 0
    for i = 1, count do put_element(to, string.format('%d', i), input_value(parts[i])) end
    return count + 0.0
  end
end
for _, name in ipairs({ 'sub', 'gsub' }) do
  CALLS[name] = function(node)
    at_most(node, 2, 3)
    local pattern, by = pattern_of(node.args[1]), value_of(node.args[2])
    local target = node.args[3] or { t = 'field', of = { t = 'value', value = 0.0 } }
    if not is_target(target) then wrong() end
    local key, get, set = target_of(target)
    return function()
      local at = key()
      local text, count = substituted(str(get(at)), pattern(), replacement(str(by())), name == 'gsub')
      if count > 0 then set(at, text) end
      return count + 0.0
    end
  end
end
CALLS.gensub = function(node)
  at_most(node, 3, 4)
  local pattern, by, how = pattern_of(node.args[1]), value_of(node.args[2]), value_of(node.args[3])
  local target = node.args[4] and value_of(node.args[4]) or function() return field(0) end
  return function()
    local text, one, template, which = str(target()), pattern(), str(by()), str(how())
    local all = which:match('^[gG]') ~= nil
    local wanted = all and 0 or math.max(1, math.tointeger(whole(prefix(which))) or 1)
    local out, from, count = {}, 1, 0
    while from <= #text + 1 do
      local start, stop, starts, stops, bytes = slow(one, text, from)
      if not start then break end
      count = count + 1
      out[#out + 1] = text:sub(from, start - 1)
      if all or count == wanted then
        out[#out + 1] = template:gsub('\\?.', function(sign)
          if sign == '&' or sign == '\\0' then return text:sub(start, stop) end
          local n = tonumber(sign:match('^\\(%d)$'))
          if not n then return #sign == 2 and (sign == '\\&' and '&' or sign:sub(2)) or nil end
          if not starts[n] then return '' end
          if bytes then return text:sub(bytes[starts[n]], bytes[stops[n]] - 1) end
          return text:sub(starts[n], stops[n] - 1)
        end)
      else out[#out + 1] = text:sub(start, stop) end
      if stop < start then
        local char = char_at(text, start) or ''
        out[#out + 1] = char
        from = start + math.max(#char, 1)
      else from = stop + 1 end
      if not all and count == wanted then break end
    end
    if from <= #text then out[#out + 1] = text:sub(from) end
    return table.concat(out)
  end
end
CALLS.match = function(node)
  at_most(node, 2, 3)
  local value, pattern = value_of(node.args[1]), pattern_of(node.args[2])
  local array = node.args[3] and array_of(node.args[3].name)
  return function()
    local text, one = str(value()), pattern()
    local start, stop, starts, stops, bytes = (array and slow or search)(one, text, 1)
    if array then
      local to = array()
      to.values, to.places, to.last, to.size = {}, {}, 0, 0
      if start then
        put_element(to, '0', input_value(text:sub(start, stop)))
        for n = 1, one.groups do
          if starts[n] then
            local a, b = starts[n], stops[n] - 1
            if bytes then a, b = bytes[starts[n]], bytes[stops[n]] - 1 end
            put_element(to, string.format('%d', n), input_value(text:sub(a, b)))
          end
        end
      end
    end
    if not start then V.RSTART, V.RLENGTH = 0.0, -1.0; return 0.0 end
    V.RSTART, V.RLENGTH = place(text, start), size(text:sub(start, stop))
    return V.RSTART
  end
end
CALLS.close = function(node)
  at_most(node, 1, 1)
  local value = value_of(node.args[1])
  return function()
    local name = str(value())
    local known = outputs[name] or files[name]
    if outputs[name] then outputs[name]:close(); outputs[name] = nil end
    files[name] = nil
    return known and 0.0 or -1.0
  end
end
CALLS.fflush = function(node)
  for _, one in ipairs(node.args) do value_of(one) end
  return function() return 0.0 end
end
`
