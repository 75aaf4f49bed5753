/** Arrays in the order of gawk, and what can be set, in lua. */
export const AWK_VARIABLES = String.raw`
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
`
