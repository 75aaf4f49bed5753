/** Runs the tree of a program of awk, in lua: each node becomes a function. */
export const AWK_RUN = String.raw`
-- Records and their fields.
local record, fields, split_done, stale = '', {}, true, false
local count_of_fields = 0
local function new_array() return { values = {}, places = {}, last = 0, size = 0 } end
local globals = {}
local frame
local function regex_of(value) return compiled(str(value)) end
local function split_text(text, by)
  local out, n = {}, 0
  if text == '' then return out, 0 end
  if by == ' ' then
    for field in text:gmatch('[^ \t\n]+') do n = n + 1; out[n] = field end
    return out, n
  elseif by == '' then
    for i, char in ipairs(chars_of(text)) do out[i] = char; n = i end
    return out, n
  end
  if #by == 1 and by ~= '\\' then
    local at = 1
    while true do
      local stop = text:find(by, at, true)
      n = n + 1
      if not stop then out[n] = text:sub(at); return out, n end
      out[n] = text:sub(at, stop - 1)
      at = stop + 1
    end
  end
  local one, at, from = compiled(by), 1, 1
  while from <= #text do
    local start, stop = search(one, text, from)
    if not start then break end
    if stop >= start then
      n = n + 1
      out[n] = text:sub(at, start - 1)
      at, from = stop + 1, stop + 1
    else from = start + #(text:match('^[%z\1-\127\192-\255][\128-\191]*', start) or ' ') end
  end
  out[n + 1] = text:sub(at)
  return out, n + 1
end
-- The separators of the record: those of when it was read.
local record_fs, record_rs
local function separator()
  local by = str(record_fs or V.FS)
  return (record_rs or V.RS) == '' and by ~= ' ' and by ~= '\n' and (#by == 1 and '[' .. (by:match('^[\\^%]]$') and '\\' or '') .. by .. '\n]' or '(' .. by .. ')|\n') or by
end
local function split_record()
  if split_done then return end
  split_done = true
  fields, count_of_fields = split_text(record, separator())
end
local function join_record()
  if not stale then return end
  stale = false
  local texts = {}
  for i = 1, count_of_fields do texts[i] = fields[i] and str(fields[i]) or '' end
  record = table.concat(texts, str(V.OFS))
end
local function set_record(text)
  record, split_done, stale = text, false, false
  record_fs, record_rs = V.FS, V.RS
end
local function field(at)
  if at == 0 then join_record(); return input_value(record) end
  if at < 0 then fail('fatal: attempt to access field ' .. string.format('%d', at), 2) end
  split_record()
  local value = fields[at]
  if value == nil then return UNSET end
  return type(value) == 'string' and input_value(value) or value
end
local function set_count(count)
  if count < 0 then fail('fatal: NF set to negative value', 2) end
  split_record()
  for i = count + 1, count_of_fields do fields[i] = nil end
  count_of_fields, stale = count, true
end
local function set_field(at, value)
  if at == 0 then set_record(str(value)); return end
  if at < 0 then fail('fatal: attempt to access field ' .. string.format('%d', at), 2) end
  split_record()
  -- What is assigned keeps its kind: a number stays one, and a text is none.
  fields[at] = type(value) == 'string' and { s = value, n = prefix(value), text = true } or value
  if at > count_of_fields then count_of_fields = at end
  stale = true
end
-- Input.
local buffer, written = {}, 0
local function flush()
  if #buffer > 0 then io.write(table.concat(buffer)); buffer = {} end
end
local quit_at_once = fail
fail = function(...) flush(); quit_at_once(...) end
local outputs = {}
local function put(text, mode, to)
  if not to or to == '/dev/stdout' or to == '-' then
    buffer[#buffer + 1] = text
    if #buffer > 2000 then flush() end
  elseif to == '/dev/stderr' then flush(); io.stderr:write(text)
  else
    local out = outputs[to]
    if not out then
      -- The engine's own appending begins the file anew.
      local old = mode == 'a' and exists(to) and text_of(to)
      -- The engine opens a file in a directory that is not there, and fails as it closes it.
      local directory = to:match('^(.+)/[^/]*$')
      local opened, file = false, nil
      if not directory or is_directory(directory) then opened, file = pcall(io.open, to, 'w') end
      if not opened or not file then fail('fatal: cannot redirect to ' .. to .. ': No such file or directory', 2) end
      if old then file:write(old) end
      out = file
      outputs[to] = out
    end
    out:write(text)
  end
end
local function reader(text) return { text = text, at = 1 } end
local function read_record(from)
  local text, at, by = from.text, from.at, V.RS
  if at > #text then return nil end
  by = str(by)
  local start, stop
  if by == '\n' then start = text:find('\n', at, true); stop = start
  elseif by == '' then
    at = text:find('[^\n]', at)
    if not at then from.at = #text + 1; return nil end
    start, stop = text:find('\n\n+', at)
    if not start then start, stop = text:find('\n+$', at) end
  elseif #by == 1 then start = text:find(by, at, true); stop = start
  else start, stop = search(compiled(by), text, at) end
  if not start then from.at = #text + 1; start = #text + 1
    -- The line break at the end belongs to the last record, unless records end there.
    return text:sub(at)
  end
  from.at = stop + 1
  return text:sub(at, start - 1)
end
local operands, operand_at, current, used_operand = {}, 1, nil, false
local assign_text
local function next_record()
  while true do
    if current then
      local text = read_record(current)
      if text then
        V.NR, V.FNR = num(V.NR) + 1, num(V.FNR) + 1
        return text
      end
      current = nil
    end
    local name = operands[operand_at]
    if name == nil then
      if used_operand then return nil end
      used_operand = true
      current = reader(slurp())
      V.FNR = 0.0
    else
      operand_at = operand_at + 1
      local variable, value = name:match('^([%a_][%w_]*)=(.*)$')
      if variable then assign_text(variable, value)
      elseif name ~= '' then
        used_operand = true
        local text, problem
        if name == '-' then text = slurp() else text, problem = text_of(name) end
        if problem then
          flush()
          if is_directory(name) then io.stderr:write('awk: warning: command line argument ', name, ' is a directory: skipped\n')
          else io.stderr:write('awk: warning: cannot open file ', name, ' for reading: No such file or directory\n'); failed = 2 end
        else
          current = reader(text)
          V.FNR, V.FILENAME = 0.0, name
        end
      end
    end
  end
end
local files = {}
-- The order in which gawk takes the keys of an array.
local SIZES = { 13, 127, 1021, 8191, 131071, 1048573 }
local function hash(key)
  local code = 0
  for i = 1, #key do
    local byte = key:byte(i)
    if byte > 127 then byte = byte - 256 end
    code = (code * 65599 + byte) & 0xffffffff
  end
  return code
end
local function keys_of(array)
  local names, numbers, texts = {}, {}, {}
  for key in pairs(array.values) do names[#names + 1] = key end
  table.sort(names, function(a, b) return array.places[a] < array.places[b] end)
  for _, key in ipairs(names) do
    if key == '0' or key:match('^[1-9]%d?%d?%d?%d?%d?%d?%d?%d?%d?$') and tonumber(key) < 2147483648 then numbers[#numbers + 1] = key
    else texts[#texts + 1] = key end
  end
  local grown, lists = 1, {}
  local function put_key(key)
    local at = hash(key) % SIZES[grown]
    lists[at] = lists[at] or {}
    table.insert(lists[at], 1, key)
  end
  local function all()
    local out = {}
    for at = 0, SIZES[grown] - 1 do for _, key in ipairs(lists[at] or {}) do out[#out + 1] = key end end
    return out
  end
  for n, key in ipairs(texts) do
    if SIZES[grown + 1] and n // SIZES[grown] > 2 then
      local old = all()
      grown, lists = grown + 1, {}
      for _, moved in ipairs(old) do put_key(moved) end
    end
    put_key(key)
  end
  local out = all()
  table.sort(numbers, function(a, b) return tonumber(a) < tonumber(b) end)
  for _, key in ipairs(numbers) do out[#out + 1] = key end
  return out
end
-- Nodes as functions.
local value_of, run_of, scope
local function text_key(keys)
  if #keys == 1 then
    local one = value_of(keys[1])
    return function() return str(one()) end
  end
  local ones = {}
  for i, key in ipairs(keys) do ones[i] = value_of(key) end
  return function()
    local texts = {}
    for i, one in ipairs(ones) do texts[i] = str(one()) end
    return table.concat(texts, str(V.SUBSEP))
  end
end
local function array_of(name)
  local at = scope and scope.places[name]
  if at then return function()
    local array = frame[at]
    if array == nil or array == UNSET then array = new_array(); frame[at] = array end
    return array
  end end
  arrays[name] = arrays[name] or new_array()
  local array = arrays[name]
  return function() return array end
end
local function put_element(array, key, value)
  if array.values[key] == nil then
    array.last, array.size = array.last + 1, array.size + 1
    array.places[key] = array.last
  end
  array.values[key] = value
end
local function drop_element(array, key)
  if array.values[key] ~= nil then array.values[key] = nil; array.size = array.size - 1 end
end
local function environment(name) return name == 'ENVIRON' and not (scope and scope.places[name]) end
-- What reads a target, and what sets it.
local function target_of(node)
  if node.t == 'field' then
    local at = value_of(node.of)
    return function() return math.tointeger(whole(num(at()))) end, field, set_field
  elseif node.t == 'index' then
    if environment(node.name) then
      local key = text_key(node.keys)
      return key, function(name) local text = os.getenv(name); return text and input_value(text) or UNSET end, function() refused('an assignment to ENVIRON') end
    end
    local array, key = array_of(node.name), text_key(node.keys)
    return key, function(name)
      local one = array()
      local value = one.values[name]
      if value == nil then put_element(one, name, UNSET); return UNSET end
      return value
    end, function(name, value) put_element(array(), name, value) end
  end
  local name = node.name
  local at = scope and scope.places[name]
  local function none() end
  if at then return none, function() return frame[at] or UNSET end, function(_, value) frame[at] = value end end
  if functions[name] then wrong() end
  if name == 'NF' then return none, function() split_record(); return count_of_fields + 0.0 end, function(_, value) set_count(math.tointeger(whole(num(value)))) end end
  return none, function() local value = V[name]; return value == nil and UNSET or value end, function(_, value) V[name] = value end
end
assign_text = function(name, value)
  if UNKNOWN[name] then refused(name .. ' of awk') end
  local _, _, set = target_of({ t = 'var', name = name })
  set(nil, input_value(escapes(value)))
end
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
      local char = text:match('^[%z\1-\127\192-\255][\128-\191]*', start) or ''
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
        local char = text:match('^[%z\1-\127\192-\255][\128-\191]*', start) or ''
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
local function called(node)
  local one = functions[node.name]
  if not one then fail('fatal: function ' .. node.name .. ' not defined', 2) end
  if #node.args > #one.params then fail('fatal: function ' .. node.name .. ' called with more arguments than declared', 2) end
  local ones = {}
  for i, arg in ipairs(node.args) do
    if one.arrays[one.params[i]] and arg.t == 'var' then ones[i] = array_of(arg.name) else ones[i] = value_of(arg) end
  end
  return function()
    local inner = {}
    for i, given in ipairs(ones) do inner[i] = given() end
    local before = frame
    frame = inner
    local how, value = one.run()
    frame = before
    if how == 'exit' then error({ exit = true }) end
    return how == 'return' and value or UNSET
  end
end
local VALUES = {
  value = function(node) local value = node.value; return function() return value end end,
  group = function(node) return value_of(node[1]) end,
  regex = function(node)
    local one = compiled(node.text)
    return function() join_record(); return has(one, record) and 1.0 or 0.0 end
  end,
  concat = function(node)
    local a, b = value_of(node[1]), value_of(node[2])
    return function() local left = str(a()); return left .. str(b()) end
  end,
  binary = function(node)
    local a, b, compute = value_of(node[1]), value_of(node[2]), COMPUTE[node.op]
    return function() local left = num(a()); return compute(left, num(b())) end
  end,
  negative = function(node) local one = value_of(node.of); return function() return -num(one()) end end,
  positive = function(node) local one = value_of(node.of); return function() return num(one()) end end,
  ['not'] = function(node) local one = value_of(node.of); return function() return truth(one()) and 0.0 or 1.0 end end,
  ['and'] = function(node)
    local a, b = value_of(node[1]), value_of(node[2])
    return function() return truth(a()) and truth(b()) and 1.0 or 0.0 end
  end,
  ['or'] = function(node)
    local a, b = value_of(node[1]), value_of(node[2])
    return function() return (truth(a()) or truth(b())) and 1.0 or 0.0 end
  end,
  choice = function(node)
    local a, b, c = value_of(node[1]), value_of(node[2]), value_of(node[3])
    return function() if truth(a()) then return b() end; return c() end
  end,
  compare = function(node)
    local a, b, holds = value_of(node[1]), value_of(node[2]), COMPARE[node.op]
    return function() local left = a(); return holds(compared(left, b())) and 1.0 or 0.0 end
  end,
  matches = function(node)
    local text, pattern, negated = value_of(node.text), pattern_of(node.pattern), node.negated
    return function() return has(pattern(), str(text())) ~= negated and 1.0 or 0.0 end
  end,
  ['in'] = function(node)
    local key = text_key(node.keys)
    if environment(node.name) then return function() return os.getenv(key()) and 1.0 or 0.0 end end
    local array = array_of(node.name)
    return function() return array().values[key()] ~= nil and 1.0 or 0.0 end
  end,
  assign = function(node)
    local key, get, set = target_of(node.target)
    local value, compute = value_of(node.value), COMPUTE[node.op:sub(1, -2)]
    if not compute then return function()
      local at, made = key(), value()
      set(at, made)
      return made
    end end
    return function()
      local at = key()
      local right = num(value())
      local made = compute(num(get(at)), right)
      set(at, made)
      return made
    end
  end,
  step = function(node)
    local key, get, set = target_of(node.target)
    local by, post = node.by, node.post
    return function()
      local at = key()
      local old = num(get(at))
      set(at, old + by)
      return post and old or old + by
    end
  end,
  builtin = function(node) return CALLS[node.name](node) end,
  call = called,
  getline = function(node)
    local key, get, set
    if node.target then key, get, set = target_of(node.target) end
    local name = node.file and value_of(node.file)
    return function()
      local text
      if name then
        local path = str(name())
        local from = files[path]
        if not from then
          local all = (path == '-' or path == '/dev/stdin') and slurp() or text_of(path)
          if not all then return -1.0 end
          from = reader(all)
          files[path] = from
        end
        text = read_record(from)
      else text = next_record() end
      if not text then return 0.0 end
      if set then set(key(), input_value(text)) else set_record(text) end
      return 1.0
    end
  end,
}
value_of = function(node)
  if node == nil then wrong() end
  local make = VALUES[node.t]
  if make then return make(node) end
  if not is_target(node) then wrong() end
  if node.t == 'var' and is_array_name(node.name) then fail("fatal: attempt to use array '" .. node.name .. "' in a scalar context", 2) end
  local key, get = target_of(node)
  return function() return get(key()) end
end
local exit_status = 0
local RUNS = {
  block = function(node)
    local ones = {}
    for i, one in ipairs(node) do ones[i] = run_of(one) end
    local count = #ones
    return function()
      for i = 1, count do
        local how, value = ones[i]()
        if how then return how, value end
      end
    end
  end,
  expr = function(node) local one = value_of(node[1]); return function() one() end end,
  print = function(node)
    local ones, to = {}, node.to and value_of(node.to)
    for i, one in ipairs(node.args) do ones[i] = value_of(one) end
    local count, mode = #ones, node.mode
    return function()
      local text
      if count == 0 then join_record(); text = record
      elseif count == 1 then text = output(ones[1]())
      else
        local texts = {}
        for i = 1, count do texts[i] = output(ones[i]()) end
        text = table.concat(texts, str(V.OFS))
      end
      put(text .. str(V.ORS), mode, to and str(to()))
    end
  end,
  printf = function(node)
    local text, to = CALLS.sprintf({ name = 'printf', args = #node.args == 1 and node.args[1].t == 'group' and { node.args[1][1] } or node.args }), node.to and value_of(node.to)
    local mode = node.mode
    return function() put(text(), mode, to and str(to())) end
  end,
  ['if'] = function(node)
    local condition, yes, no = value_of(node.condition), run_of(node.body), node.other and run_of(node.other)
    return function()
      if truth(condition()) then return yes() elseif no then return no() end
    end
  end,
  ['for'] = function(node)
    local first, condition, step, inner = node.first and run_of(node.first), node.condition and value_of(node.condition), node.step and run_of(node.step), run_of(node.body)
    return function()
      if first then first() end
      while not condition or truth(condition()) do
        local how, value = inner()
        if how == 'break' then break end
        if how and how ~= 'continue' then return how, value end
        if step then step() end
      end
    end
  end,
  ['do'] = function(node)
    local condition, inner = value_of(node.condition), run_of(node.body)
    return function()
      repeat
        local how, value = inner()
        if how == 'break' then break end
        if how and how ~= 'continue' then return how, value end
      until not truth(condition())
    end
  end,
  each = function(node)
    if environment(node.name) then refused('for (... in ENVIRON)', 'use env') end
    local _, _, set = target_of(node.target)
    local array, inner = array_of(node.name), run_of(node.body)
    return function()
      for _, key in ipairs(keys_of(array())) do
        set(nil, key)
        local how, value = inner()
        if how == 'break' then break end
        if how and how ~= 'continue' then return how, value end
      end
    end
  end,
  jump = function(node) local to = node.to; return function() return to end end,
  exit = function(node)
    local one = node.value and value_of(node.value)
    return function()
      if one then exit_status = math.tointeger(whole(num(one()))) % 256 end
      return 'exit'
    end
  end,
  ['return'] = function(node)
    local one = node.value and value_of(node.value)
    return function() return 'return', one and one() or UNSET end
  end,
  delete = function(node)
    local array, key = array_of(node.name), node.keys and text_key(node.keys)
    return function()
      local one = array()
      if key then drop_element(one, key()) else one.values, one.places, one.last, one.size = {}, {}, 0, 0 end
    end
  end,
}
run_of = function(node)
  local make = RUNS[node.t]
  if not make then wrong() end
  return make(node)
end
`
