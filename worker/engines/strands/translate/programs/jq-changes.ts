/** Changes of values of `jq` in lua, and arithmetic. */
export const JQ_CHANGES = String.raw`
local function with_index(value, key, inner)
  local kind, by = kind_of(value), kind_of(key)
  if by == 'string' and (kind == 'object' or kind == 'null') then return with_key(kind == 'null' and object({}, {}) or value, key, inner) end
  if by == 'number' and (kind == 'array' or kind == 'null') then
    local items = kind == 'null' and {} or { table.unpack(value, 1, value.n) }
    local at = math.floor(key)
    if at < 0 then at = at + #items end
    if at < 0 then raise('Out of bounds negative array index') end
    for i = #items + 1, at do items[i] = NULL end
    items[at + 1] = inner
    return array(items)
  end
  if by == 'object' and (kind == 'array' or kind == 'null') then
    if kind_of(inner) ~= 'array' then raise('A slice of an array can only be assigned another array') end
    local size = kind == 'null' and 0 or value.n
    local from, to = bounds(key, size)
    local items = kind == 'null' and {} or { table.unpack(value, 1, from) }
    for i = 1, inner.n do items[#items + 1] = inner[i] end
    for i = to + 1, size do items[#items + 1] = value[i] end
    return array(items)
  end
  index_of(value, key)
  raise('Cannot update ' .. kind .. ' with ' .. by)
end
local function delete_key(value, key)
  local kind, by = kind_of(value), kind_of(key)
  if kind == 'null' then return NULL end
  if kind == 'object' and by == 'string' then
    if value.map[key] == nil then return value end
    local keys, map = {}, {}
    for _, one in ipairs(value.keys) do
      if one ~= key then keys[#keys + 1], map[one] = one, value.map[one] end
    end
    return object(keys, map)
  end
  if kind == 'array' and (by == 'number' or by == 'object') then
    local from, to
    if by == 'object' then from, to = bounds(key, value.n)
    else
      from = key < 0 and key + value.n or key
      to = from + 1
    end
    local items = {}
    for i = 1, value.n do if i <= from or i > to then items[#items + 1] = value[i] end end
    return array(items)
  end
  raise('Cannot delete field at ' .. (by == 'string' and 'object' or 'array') .. ' index of ' .. kind)
end
local function delete_path(value, keys, at)
  if value == NULL then return NULL end
  if at == keys.n then return delete_key(value, keys[at]) end
  local inner = index_of(value, keys[at])
  if inner == NULL then return value end
  return with_index(value, keys[at], delete_path(inner, keys, at + 1))
end
-- The last ones first: the others keep their places.
local function delete_paths(value, list)
  table.sort(list, function(a, b) return compare(a, b) > 0 end)
  for _, keys in ipairs(list) do value = keys.n == 0 and NULL or delete_path(value, keys, 1) end
  return value
end
local function merged(a, b, is_deep)
  local result = a
  for _, key in ipairs(b.keys) do
    local mine, theirs = result.map[key], b.map[key]
    local both = is_deep and mine ~= nil and kind_of(mine) == 'object' and kind_of(theirs) == 'object'
    result = with_key(result, key, both and merged(mine, theirs, true) or theirs)
  end
  return result
end
local function split(text, by)
  local out, at = {}, 1
  if text == '' then return array(out) end
  if by == '' then return array(characters(text)) end
  while true do
    local from, to = text:find(by, at, true)
    if not from then break end
    out[#out + 1] = text:sub(at, from - 1)
    at = to + 1
  end
  out[#out + 1] = text:sub(at)
  return array(out)
end
local function whole(value)
  if value ~= value then return 0 end
  return math.tointeger(value < 0 and math.ceil(value) or math.floor(value)) or 0
end
local function computed(operator, a, b)
  local one, other = kind_of(a), kind_of(b)
  if operator == '==' then return equal(a, b) elseif operator == '!=' then return not equal(a, b) end
  if operator == '<' then return compare(a, b) < 0 elseif operator == '<=' then return compare(a, b) <= 0 end
  if operator == '>' then return compare(a, b) > 0 elseif operator == '>=' then return compare(a, b) >= 0 end
  local numbers = one == 'number' and other == 'number'
  if operator == '+' then
    if one == 'null' then return b elseif other == 'null' then return a end
    if numbers then return a * 1.0 + b end
    if one == 'string' and other == 'string' then return a .. b end
    if one == 'array' and other == 'array' then
      local items = { table.unpack(a, 1, a.n) }
      for i = 1, b.n do items[#items + 1] = b[i] end
      return array(items)
    end
    if one == 'object' and other == 'object' then return merged(a, b) end
    raise(described(a) .. ' and ' .. described(b) .. ' cannot be added')
  elseif operator == '-' then
    if numbers then return a * 1.0 - b end
    if one == 'array' and other == 'array' then
      local items = {}
      for i = 1, a.n do
        local is_in = false
        for j = 1, b.n do is_in = is_in or equal(a[i], b[j]) end
        if not is_in then items[#items + 1] = a[i] end
      end
      return array(items)
    end
    raise(described(a) .. ' and ' .. described(b) .. ' cannot be subtracted')
  elseif operator == '*' then
    if numbers then return a * 1.0 * b end
    if one == 'number' and other == 'string' then a, b, one, other = b, a, other, one end
    if one == 'string' and other == 'number' then
      if b <= 0 then return NULL end
      local times = b < 1 and 1 or math.floor(b)
      if #a * times > 10000000 then fail('a text of this length is not available here', 2) end
      return a:rep(times)
    end
    if one == 'object' and other == 'object' then return merged(a, b, true) end
    raise(described(a) .. ' and ' .. described(b) .. ' cannot be multiplied')
  elseif operator == '/' then
    if numbers then
      if b == 0 then raise(described(a) .. ' and ' .. described(b) .. ' cannot be divided because the divisor is zero') end
      return a / b
    end
    if one == 'string' and other == 'string' then return split(a, b) end
    raise(described(a) .. ' and ' .. described(b) .. ' cannot be divided')
  elseif operator == '%' then
    if not numbers then raise(described(a) .. ' and ' .. described(b) .. ' cannot be divided') end
    local divisor = whole(b)
    if divisor == 0 then raise(described(a) .. ' and ' .. described(b) .. ' cannot be divided because the divisor is zero') end
    return math.fmod(whole(a), math.abs(divisor))
  end
end
`
