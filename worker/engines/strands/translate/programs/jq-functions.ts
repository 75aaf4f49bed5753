/** The functions of `jq` in lua, and its formats. */
export const JQ_FUNCTIONS = String.raw`
local function text_of_value(value) return type(value) == 'string' and value or json(value) end
local function cells(value, name, cell)
  if kind_of(value) ~= 'array' then raise(described(value) .. ' cannot be ' .. name .. '-formatted, only an array can be') end
  local out = {}
  for i = 1, value.n do out[i] = cell(value[i]) end
  return out
end
local LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
local function base64(text)
  local out = {}
  for i = 1, #text, 3 do
    local a, b, c = text:byte(i, i + 2)
    local bits = (a << 16) | ((b or 0) << 8) | (c or 0)
    local function letter(shift) local at = ((bits >> shift) & 63) + 1; return LETTERS:sub(at, at) end
    out[#out + 1] = letter(18) .. letter(12) .. (b and letter(6) or '=') .. (c and letter(0) or '=')
  end
  return table.concat(out)
end
local function unbase64(text)
  local out, bits, count = {}, 0, 0
  for char in text:gsub('=+$', ''):gmatch('.') do
    local at = LETTERS:find(char, 1, true)
    if not at then raise(described(text) .. ' is not valid base64 data') end
    bits, count = ((bits << 6) | (at - 1)) & 0xffffff, count + 6
    if count >= 8 then
      count = count - 8
      out[#out + 1] = string.char((bits >> count) & 255)
    end
  end
  local found = table.concat(out)
  if not utf8.len(found) then fail('@base64d of what is no UTF-8 is not available here', 2) end
  return found
end
FORMATS = {
  text = text_of_value, json = function(value) return json(value) end,
  csv = function(value)
    return table.concat(cells(value, 'csv', function(one)
      local kind = kind_of(one)
      if kind == 'string' then return '"' .. one:gsub('"', '""') .. '"' end
      if kind == 'array' or kind == 'object' then raise(described(one) .. ' is not valid in a csv row') end
      return kind == 'null' and '' or json(one)
    end), ',')
  end,
  tsv = function(value)
    return table.concat(cells(value, 'tsv', function(one)
      local kind = kind_of(one)
      if kind == 'string' then return (one:gsub('\\', '\\\\'):gsub('\t', '\\t'):gsub('\n', '\\n'):gsub('\r', '\\r')) end
      if kind == 'array' or kind == 'object' then raise(described(one) .. ' is not valid in a tsv row') end
      return kind == 'null' and '' or json(one)
    end), '\t')
  end,
  html = function(value) return (text_of_value(value):gsub('[<>&\'"]', { ['<'] = '&lt;', ['>'] = '&gt;', ['&'] = '&amp;', ["'"] = '&#39;', ['"'] = '&quot;' })) end,
  uri = function(value) return (text_of_value(value):gsub('[^%w_.~-]', function(char) return string.format('%%%02X', char:byte()) end)) end,
  sh = function(value)
    local function one(item)
      local kind = kind_of(item)
      if kind == 'array' or kind == 'object' then raise(described(item) .. ' can not be escaped for shell') end
      return kind == 'string' and "'" .. item:gsub("'", "'\\''") .. "'" or json(item)
    end
    if kind_of(value) ~= 'array' then return one(value) end
    return table.concat(cells(value, 'sh', one), ' ')
  end,
  base64 = function(value) return base64(text_of_value(value)) end,
  base64d = function(value) return unbase64(text_of_value(value)) end,
}
LACKING = {}
for name in ('strftime strptime mktime gmtime localtime strflocaltime date dateadd datesub todateiso8601 fromdateiso8601 tostream fromstream truncate_stream limit_stream input_line_number getpath_or ltrimstr_all splits_all get_search_list significand drem ldexp scalb scalbln nearbyint trunc gamma lgamma tgamma frexp modf SQL INDEX GROUP_BY UNIQUE_BY IN halt halt_error builtins modulemeta env_paths ascii getpath_all have_decnum debug stderr input_filename __loc__ limit_n skip pick have_literal_numbers abs toarray trim ltrim rtrim error_at sha1 md5 min_by_all'):gmatch('%S+') do LACKING[name] = true end
for _, name in ipairs({ 'pick', 'abs', 'toarray', 'trim', 'ltrim', 'rtrim', 'have_literal_numbers', 'skip' }) do LACKING[name] = nil end
local function plain(name, compute) functions[name .. '/0'] = function(value, _, emit) return emit(compute(value)) end end
-- A function of the values of its arguments.
local function of_values(name, count, compute)
  functions[name .. '/' .. count] = function(value, _, emit, args, env)
    local function with(i, found)
      if i == 0 then return emit(compute(value, table.unpack(found, 1, count))) end
      run(args[i], env, value, nil, function(one)
        found[i] = one
        return with(i - 1, found)
      end)
    end
    return with(count, {})
  end
end
local function first_of(node, env, value)
  local mark, found = {}, nil
  local ok, problem = protected(run, node, env, value, nil, function(one)
    found = one
    error(mark, 0)
  end)
  if not ok and problem ~= mark then error(problem, 0) end
  return found, problem == mark
end
local function must(value, kind, what) if kind_of(value) ~= kind then raise(described(value) .. ' ' .. what) end end
plain('not', function(value) return not truth(value) end)
plain('length', function(value)
  local kind = kind_of(value)
  if kind == 'string' then return utf8.len(value) or #value end
  if kind == 'array' then return value.n elseif kind == 'object' then return #value.keys elseif kind == 'null' then return 0 end
  if kind == 'number' then return math.abs(value) end
  raise(described(value) .. ' has no length')
end)
plain('utf8bytelength', function(value) must(value, 'string', 'only strings have UTF-8 byte length'); return #value end)
local function keys_of(value, is_sorted)
  local kind, out = kind_of(value), {}
  if kind == 'array' then for i = 1, value.n do out[i] = i - 1 end
  elseif kind == 'object' then out = is_sorted and sorted_keys(value) or { table.unpack(value.keys) }
  else raise(described(value) .. ' has no keys') end
  return array(out)
end
plain('keys', function(value) return keys_of(value, true) end)
plain('keys_unsorted', function(value) return keys_of(value, false) end)
plain('type', kind_of)
plain('null', function() return NULL end)
functions['empty/0'] = function() end
functions['error/0'] = function(value) error({ message = value }, 0) end
of_values('error', 1, function(_, message) error({ message = message }, 0) end)
plain('add', function(value)
  local sum = NULL
  each(value, function(_, one) sum = computed('+', sum, one) end)
  return sum
end)
functions['add/1'] = function(value, _, emit, args, env)
  local sum = NULL
  run(args[1], env, value, nil, function(one) sum = computed('+', sum, one) end)
  return emit(sum)
end
functions['range/1'] = function(value, _, emit, args, env)
  run(args[1], env, value, nil, function(to) for i = 0, to - 1 do if i < to then emit(i) end end end)
end
functions['range/2'] = function(value, _, emit, args, env)
  run(args[1], env, value, nil, function(from) run(args[2], env, value, nil, function(to)
    while from < to do emit(from); from = from + 1 end
  end) end)
end
functions['range/3'] = function(value, _, emit, args, env)
  run(args[1], env, value, nil, function(from) run(args[2], env, value, nil, function(to) run(args[3], env, value, nil, function(by)
    local at = from
    if by > 0 then while at < to do emit(at); at = at + by end elseif by < 0 then while at > to do emit(at); at = at + by end end
  end) end) end)
end
for name, compute in pairs({
  floor = math.floor, ceil = math.ceil, sqrt = math.sqrt, fabs = math.abs, exp = math.exp, log = math.log, sin = math.sin, cos = math.cos, tan = math.tan,
  asin = math.asin, acos = math.acos, atan = math.atan, exp2 = function(x) return 2.0 ^ x end, exp10 = function(x) return 10.0 ^ x end,
  log2 = function(x) return math.log(x, 2) end, log10 = function(x) return math.log(x, 10) end, cbrt = function(x) return x < 0 and -((-x) ^ (1 / 3)) or x ^ (1 / 3) end,
  round = function(x) return x < 0 and -math.floor(0.5 - x) or math.floor(x + 0.5) end, trunc = function(x) return x < 0 and math.ceil(x) or math.floor(x) end,
}) do
  plain(name, function(value) must(value, 'number', 'number required'); return compute(value) * 1.0 end)
end
LACKING.trunc = nil
of_values('pow', 2, function(_, a, b) return a ^ b end)
of_values('fmin', 2, function(_, a, b) return math.min(a, b) end)
of_values('fmax', 2, function(_, a, b) return math.max(a, b) end)
plain('infinite', function() return math.huge end)
plain('nan', function() return 0 / 0 end)
plain('isinfinite', function(value) return value == math.huge or value == -math.huge end)
plain('isnan', function(value) must(value, 'number', 'number required'); return value ~= value end)
plain('isnormal', function(value) return value == value and value ~= 0 and math.abs(value) ~= math.huge end)
plain('tostring', text_of_value)
plain('tojson', function(value) return json(value) end)
plain('fromjson', function(value) must(value, 'string', 'only strings can be parsed'); return parsed(value) end)
plain('tonumber', function(value)
  if kind_of(value) == 'number' then return value end
  must(value, 'string', 'cannot be parsed as a number')
  local number = parsed(value)
  must(number, 'number', 'cannot be parsed as a number')
  return number
end)
plain('ascii_downcase', function(value) must(value, 'string', 'explode input must be a string'); return value:lower() end)
plain('ascii_upcase', function(value) must(value, 'string', 'explode input must be a string'); return value:upper() end)
plain('explode', function(value)
  must(value, 'string', 'cannot be exploded')
  local out = {}
  for _, code in utf8.codes(value) do out[#out + 1] = code end
  return array(out)
end)
plain('implode', function(value)
  must(value, 'array', 'cannot be imploded')
  local out = {}
  for i = 1, value.n do out[i] = utf8.char(whole(value[i])) end
  return table.concat(out)
end)
for name, pattern in pairs({ trim = '^%s*(.-)%s*$', ltrim = '^%s*(.*)$', rtrim = '^(.-)%s*$' }) do
  plain(name, function(value) must(value, 'string', 'cannot be trimmed'); return value:match(pattern) end)
end
of_values('ltrimstr', 1, function(value, start)
  if type(value) == 'string' and type(start) == 'string' and value:sub(1, #start) == start then return value:sub(#start + 1) end
  return value
end)
of_values('rtrimstr', 1, function(value, stop)
  if type(value) == 'string' and type(stop) == 'string' and stop ~= '' and value:sub(-#stop) == stop then return value:sub(1, -#stop - 1) end
  return value
end)
of_values('startswith', 1, function(value, start)
  if type(value) ~= 'string' or type(start) ~= 'string' then raise('startswith() requires string inputs') end
  return value:sub(1, #start) == start
end)
of_values('endswith', 1, function(value, stop)
  if type(value) ~= 'string' or type(stop) ~= 'string' then raise('endswith() requires string inputs') end
  return stop == '' or value:sub(-#stop) == stop
end)
of_values('split', 1, function(value, by)
  if type(value) ~= 'string' or type(by) ~= 'string' then raise('split input and separator must be strings') end
  return split(value, by)
end)
of_values('join', 1, function(value, by)
  local out = {}
  each(value, function(_, one)
    local kind = kind_of(one)
    if kind == 'array' or kind == 'object' then raise(described(out[#out] or '') .. ' and ' .. described(one) .. ' cannot be added') end
    out[#out + 1] = kind == 'null' and '' or text_of_value(one)
  end)
  return table.concat(out, by)
end)
of_values('has', 1, function(value, key)
  local kind, by = kind_of(value), kind_of(key)
  if kind == 'object' and by == 'string' then return value.map[key] ~= nil end
  if kind == 'array' and by == 'number' then return key >= 0 and key < value.n end
  raise('Cannot check whether ' .. kind .. ' has a ' .. (by == 'string' and 'string' or by) .. ' key')
end)
of_values('in', 1, function(value, one) return kind_of(one) == 'object' and one.map[value] ~= nil or kind_of(one) == 'array' and value >= 0 and value < one.n end)
local function contains(a, b)
  local kind = kind_of(a)
  if kind ~= kind_of(b) then raise(described(a) .. ' and ' .. described(b) .. ' cannot have their containment checked') end
  if kind == 'string' then return a:find(b, 1, true) ~= nil end
  if kind == 'array' then
    for j = 1, b.n do
      local is_in = false
      for i = 1, a.n do is_in = is_in or (kind_of(a[i]) == kind_of(b[j]) and contains(a[i], b[j])) end
      if not is_in then return false end
    end
    return true
  end
  if kind == 'object' then
    for _, key in ipairs(b.keys) do
      if a.map[key] == nil or kind_of(a.map[key]) ~= kind_of(b.map[key]) or not contains(a.map[key], b.map[key]) then return false end
    end
    return true
  end
  return equal(a, b)
end
of_values('contains', 1, contains)
of_values('inside', 1, function(value, one) return contains(one, value) end)
local function indices(value, one)
  if value == NULL then return NULL end
  if kind_of(value) == 'string' then
    must(one, 'string', 'cannot be searched for')
    local out, at = {}, 1
    if one == '' then return NULL end
    while true do
      local from = value:find(one, at, true)
      if not from then return array(out) end
      out[#out + 1] = utf8.len(value, 1, from - 1) or from - 1
      at = from + 1
    end
  end
  must(value, 'array', 'cannot be searched')
  if kind_of(one) == 'array' then return index_of(value, one) end
  local out = {}
  for i = 1, value.n do if equal(value[i], one) then out[#out + 1] = i - 1 end end
  return array(out)
end
of_values('indices', 1, indices)
of_values('index', 1, function(value, one) local all = indices(value, one); return all == NULL and NULL or all[1] or NULL end)
of_values('rindex', 1, function(value, one) local all = indices(value, one); return all == NULL and NULL or all[all.n] or NULL end)
plain('reverse', function(value)
  local kind = kind_of(value)
  if kind == 'null' then return array({}) end
  local items = kind == 'string' and characters(value) or value
  local out = {}
  for i = #items, 1, -1 do out[#out + 1] = items[i] end
  return kind == 'string' and table.concat(out) or array(out)
end)
local function sorted_by(value, node, env)
  must(value, 'array', 'cannot be sorted, as it is not an array')
  local rows = {}
  for i = 1, value.n do
    local keys = {}
    if node then run(node, env, value[i], nil, function(one) keys[#keys + 1] = one end) else keys[1] = value[i] end
    rows[i] = { value = value[i], by = array(keys) }
  end
  return sorted(array(rows), function(a, b) return compare(a.by, b.by) end)
end
local function values_in(rows)
  local out = {}
  for i = 1, rows.n do out[i] = rows[i].value end
  return array(out)
end
local function groups_of(rows)
  local groups = {}
  for i = 1, rows.n do
    local last = groups[#groups]
    if last and equal(last.by, rows[i].by) then last[#last + 1] = rows[i].value else groups[#groups + 1] = { rows[i].value, by = rows[i].by } end
  end
  return groups
end
for _, name in ipairs({ 'sort', 'unique', 'min', 'max', 'group' }) do
  local function compute(value, node, env)
    if name == 'min' or name == 'max' then
      must(value, 'array', 'cannot be searched, as it is not an array')
      if value.n == 0 then return NULL end
    end
    local rows = sorted_by(value, node, env)
    if name == 'sort' then return values_in(rows) end
    if name == 'min' then return rows[1].value elseif name == 'max' then return rows[rows.n].value end
    local out = {}
    for i, group in ipairs(groups_of(rows)) do out[i] = name == 'unique' and group[1] or array(group) end
    return array(out)
  end
  if name ~= 'group' then plain(name, compute) end
  functions[name .. '_by/1'] = function(value, _, emit, args, env) return emit(compute(value, args[1], env)) end
end
local function flat(value, levels, out)
  each(value, function(_, one)
    if kind_of(one) == 'array' and levels > 0 then flat(one, levels - 1, out) else out[#out + 1] = one end
  end)
  return out
end
plain('flatten', function(value) return array(flat(value, math.huge, {})) end)
of_values('flatten', 1, function(value, levels)
  if levels < 0 then raise('flatten depth must not be negative') end
  return array(flat(value, levels, {}))
end)
plain('transpose', function(value)
  local width, out = 0, {}
  each(value, function(_, row) width = math.max(width, row.n) end)
  for i = 1, width do
    local column = {}
    for j = 1, value.n do column[j] = value[j][i] == nil and NULL or value[j][i] end
    out[i] = array(column)
  end
  return array(out)
end)
plain('to_entries', function(value)
  local out, is_array = {}, kind_of(value) == 'array'
  for i, key in ipairs(keys_of(value, false)) do
    local one
    if is_array then one = value[i] else one = value.map[key] end
    out[i] = object({ 'key', 'value' }, { key = key, value = one })
  end
  return array(out)
end)
local function from_entries(value)
  local made = object({}, {})
  each(value, function(_, entry)
    local function found(...)
      for _, name in ipairs({ ... }) do
        local one = index_of(entry, name)
        if one ~= NULL and one ~= false then return one end
      end
      for _, name in ipairs({ ... }) do if entry.map[name] == false then return false end end
      return NULL
    end
    local key = found('key', 'k', 'name', 'Name', 'Key', 'K')
    local kind = kind_of(key)
    if kind == 'null' then key = 'null' elseif kind ~= 'string' then
      if kind == 'array' or kind == 'object' then raise('Cannot use ' .. described(key) .. ' as object key') end
      key = text_of_value(key)
    end
    local one = NULL
    for _, name in ipairs({ 'value', 'v', 'Value', 'V' }) do
      if entry.map[name] ~= nil then one = entry.map[name]; break end
    end
    made = with_key(made, key, one)
  end)
  return made
end
plain('from_entries', from_entries)
functions['with_entries/1'] = function(value, _, emit, args, env)
  local out = {}
  must(value, 'object', 'has no keys')
  each(value, function(key, one)
    run(args[1], env, object({ 'key', 'value' }, { key = key, value = one }), nil, function(entry) out[#out + 1] = entry end)
  end)
  return emit(from_entries(array(out)))
end
functions['map/1'] = function(value, _, emit, args, env)
  local out = {}
  each(value, function(_, one) run(args[1], env, one, nil, function(found) out[#out + 1] = found end) end)
  return emit(array(out))
end
functions['map_values/1'] = function(value, _, emit, args, env)
  local result, removed = value, {}
  each(value, function(key, one)
    local found, is_there = first_of(args[1], env, one)
    if is_there then result = with_index(result, key, found) else removed[#removed + 1] = array({ key }) end
  end)
  return emit(delete_paths(result, removed))
end
functions['select/1'] = function(value, path, emit, args, env)
  run(args[1], env, value, nil, function(one) if truth(one) then emit(value, path) end end)
end
functions['recurse/0'] = function(value, path, emit, _, env) return run({ type = 'recurse' }, env, value, path, emit) end
functions['recurse_down/0'] = functions['recurse/0']
local function recurse(value, path, emit, args, env)
  local function down(one, at)
    if args[2] then
      local ok = false
      run(args[2], env, one, nil, function(found) ok = truth(found) end)
      if not ok then return end
    end
    emit(one, at)
    run(args[1], env, one, at, down)
  end
  down(value, path)
end
functions['recurse/1'], functions['recurse/2'] = recurse, recurse
local VALUED = { arrays = 'array', objects = 'object', strings = 'string', numbers = 'number', booleans = 'boolean', nulls = 'null' }
for name, kind in pairs(VALUED) do functions[name .. '/0'] = function(value, path, emit) if kind_of(value) == kind then return emit(value, path) end end end
functions['values/0'] = function(value, path, emit) if value ~= NULL then return emit(value, path) end end
functions['scalars/0'] = function(value, path, emit) local kind = kind_of(value); if kind ~= 'array' and kind ~= 'object' then return emit(value, path) end end
functions['iterables/0'] = function(value, path, emit) local kind = kind_of(value); if kind == 'array' or kind == 'object' then return emit(value, path) end end
local function quantified(name, wanted)
  local function all_of(each_one) return function(value, _, emit, args, env)
    local found = not wanted
    each_one(value, args, env, function(one) if truth(one) == wanted then found = wanted end end)
    return emit(found)
  end end
  functions[name .. '/0'] = all_of(function(value, _, _, tell) each(value, function(_, one) tell(one) end) end)
  functions[name .. '/1'] = all_of(function(value, args, env, tell) each(value, function(_, one) run(args[1], env, one, nil, tell) end) end)
  functions[name .. '/2'] = all_of(function(value, args, env, tell) run(args[1], env, value, nil, function(one) run(args[2], env, one, nil, tell) end) end)
end
quantified('any', true)
quantified('all', false)
local function stopping(compute)
  return function(value, path, emit, args, env)
    local mark = {}
    local ok, problem = protected(compute, value, path, emit, args, env, mark)
    if not ok and problem ~= mark then error(problem, 0) end
  end
end
functions['first/1'] = stopping(function(value, path, emit, args, env, mark)
  run(args[1], env, value, path, function(...) emit(...); error(mark, 0) end)
end)
functions['first/0'] = function(value, path, emit) return emit(index_of(value, 0), extend(path, 0)) end
functions['last/0'] = function(value, path, emit) return emit(index_of(value, -1), extend(path, -1)) end
functions['last/1'] = function(value, path, emit, args, env)
  local found
  run(args[1], env, value, path, function(one, at) found = { one, at } end)
  if found then return emit(found[1], found[2]) end
end
functions['nth/1'] = function(value, path, emit, args, env)
  run(args[1], env, value, nil, function(at) emit(index_of(value, at), extend(path, at)) end)
end
functions['nth/2'] = function(value, path, emit, args, env)
  run(args[1], env, value, nil, function(count)
    if count < 0 then raise('Out of bounds negative array index') end
    local left = count
    stopping(function(_, _, _, _, _, mark)
      run(args[2], env, value, path, function(...)
        if left == 0 then emit(...); error(mark, 0) end
        left = left - 1
      end)
    end)()
  end)
end
functions['limit/2'] = function(value, path, emit, args, env)
  run(args[1], env, value, nil, function(count)
    if count <= 0 then return end
    local left = count
    stopping(function(_, _, _, _, _, mark)
      run(args[2], env, value, path, function(...)
        left = left - 1
        emit(...)
        if left <= 0 then error(mark, 0) end
      end)
    end)()
  end)
end
functions['skip/2'] = function(value, path, emit, args, env)
  run(args[1], env, value, nil, function(count)
    local left = count
    run(args[2], env, value, path, function(...) if left > 0 then left = left - 1 else emit(...) end end)
  end)
end
functions['isempty/1'] = function(value, _, emit, args, env)
  local _, is_there = first_of(args[1], env, value)
  return emit(not is_there)
end
functions['until/2'] = function(value, _, emit, args, env)
  local state = value
  while true do
    if truth((first_of(args[1], env, state))) then return emit(state) end
    local is_there
    state, is_there = first_of(args[2], env, state)
    if not is_there then return end
  end
end
functions['while/2'] = function(value, path, emit, args, env)
  local state = value
  while truth((first_of(args[1], env, state))) do
    emit(state)
    local is_there
    state, is_there = first_of(args[2], env, state)
    if not is_there then return end
  end
end
functions['repeat/1'] = function(value, path, emit, args, env)
  local state, is_there = value, true
  while is_there do
    emit(state)
    state, is_there = first_of(args[1], env, state)
  end
end
functions['path/1'] = function(value, _, emit, args, env)
  run(args[1], env, value, ROOT, function(_, path)
    if not path then raise('Invalid path expression') end
    emit(list_of(path))
  end)
end
functions['paths/0'] = function(value, _, emit, _, env)
  run({ type = 'recurse' }, env, value, ROOT, function(_, path) if path ~= ROOT then emit(list_of(path)) end end)
end
functions['paths/1'] = function(value, _, emit, args, env)
  run({ type = 'recurse' }, env, value, ROOT, function(one, path)
    if path ~= ROOT then run(args[1], env, one, nil, function(found) if truth(found) then emit(list_of(path)) end end) end
  end)
end
functions['leaf_paths/0'] = function(value, _, emit, _, env)
  run({ type = 'recurse' }, env, value, ROOT, function(one, path)
    local kind = kind_of(one)
    if path ~= ROOT and kind ~= 'array' and kind ~= 'object' then emit(list_of(path)) end
  end)
end
functions['getpath/1'] = function(value, path, emit, args, env)
  run(args[1], env, value, nil, function(keys)
    local at = path
    for i = 1, keys.n do at = extend(at, keys[i]) end
    emit(get_path(value, keys), at)
  end)
end
of_values('setpath', 2, function(value, keys, one) return set_path(value, keys, 1, function() return one end) end)
of_values('delpaths', 1, function(value, list) return delete_paths(value, { table.unpack(list, 1, list.n) }) end)
functions['del/1'] = function(value, _, emit, args, env) return emit(delete_paths(value, paths_of(args[1], env, value))) end
functions['to_array/0'] = nil
plain('toarray', function(value) return kind_of(value) == 'array' and value or array({ value }) end)
functions['pick/1'] = function(value, _, emit, args, env)
  local made = NULL
  for _, keys in ipairs(paths_of(args[1], env, value)) do made = set_path(made, keys, 1, function() return get_path(value, keys) end) end
  return emit(made)
end
plain('abs', function(value) must(value, 'number', 'has no absolute value'); return value < 0 and -value or value end)
functions['walk/1'] = function(value, _, emit, args, env)
  local function walked(one)
    local kind = kind_of(one)
    if kind == 'object' then
      local made = object({}, {})
      for _, key in ipairs(one.keys) do
        local found, is_there = first_of({ type = 'literal', value = walked(one.map[key]) }, env, one)
        if is_there then made = with_key(made, key, found) end
      end
      one = made
    elseif kind == 'array' then
      local items = {}
      for i = 1, one.n do items[i] = walked(one[i]) end
      one = array(items)
    end
    return (first_of(args[1], env, one))
  end
  return emit(walked(value))
end
functions['combinations/0'] = function(value, _, emit)
  local function from(i, made)
    if i > value.n then return emit(array({ table.unpack(made) })) end
    each(value[i], function(_, one)
      made[i] = one
      from(i + 1, made)
      made[i] = nil
    end)
  end
  from(1, {})
end
of_values('splits_of', 1, split)
local function environment()
  local made = object({}, {})
  for _, line in ipairs(lines_of(output_of('env'))) do
    local name = line:match('^([%a_][%w_]*)=')
    if name and not name:match('^__ssr_') and os.getenv(name) then made = with_key(made, name, os.getenv(name)) end
  end
  return made
end
functions['env/0'] = function(_, _, emit) return emit(environment()) end
plain('now', function() return os.time() end)
local function days_of(year, month, day)
  if month <= 2 then year = year - 1 end
  local era = year // 400
  local of_era = year - era * 400
  return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + (153 * (month + (month > 2 and -3 or 9)) + 2) // 5 + day - 1 - 719468
end
local function from_date(value)
  must(value, 'string', 'cannot be parsed as a date')
  local year, month, day, hour, minute, second = value:match('^(%d%d%d%d)-(%d%d)-(%d%d)T(%d%d):(%d%d):(%d%d)Z$')
  if not year then raise('date "' .. value .. '" does not match format "%Y-%m-%dT%H:%M:%SZ"') end
  return days_of(tonumber(year), tonumber(month), tonumber(day)) * 86400 + tonumber(hour) * 3600 + tonumber(minute) * 60 + tonumber(second)
end
for _, name in ipairs({ 'fromdate', 'fromdateiso8601' }) do plain(name, from_date); LACKING[name] = nil end
local function to_date(value)
  must(value, 'number', 'cannot be formatted as a date')
  local seconds = math.floor(value)
  local days = seconds // 86400 + 719468
  local era = days // 146097
  local of_era = days - era * 146097
  local of_years = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
  local of_year = of_era - (365 * of_years + of_years // 4 - of_years // 100)
  local shifted = (5 * of_year + 2) // 153
  local month = shifted + (shifted < 10 and 3 or -9)
  local year = of_years + era * 400 + (month <= 2 and 1 or 0)
  local rest = seconds % 86400
  return string.format('%04d-%02d-%02dT%02d:%02d:%02dZ', year, month, of_year - (153 * shifted + 2) // 5 + 1, rest // 3600, rest // 60 % 60, rest % 60)
end
for _, name in ipairs({ 'todate', 'todateiso8601' }) do plain(name, to_date); LACKING[name] = nil end
-- Expressions: those that the programs here have in common with Oniguruma.
local compiled = {}
local function matcher(pattern, flags)
  local key = flags .. '/' .. pattern
  if compiled[key] then return compiled[key] end
  -- A hexadecimal digit there, a space in Perl.
  if pattern:find('\\h', 1, true) then fail('\\h in an expression is not available here: use lua', 2) end
  local find, groups, names = regex(pattern, true, flags:find('i') ~= nil, false, true)
  compiled[key] = { find = find, groups = groups, names = names }
  return compiled[key]
end
local function matches_of(value, pattern, flags)
  if type(value) ~= 'string' then raise(described(value) .. ' cannot be matched, as it is not a string') end
  if type(pattern) ~= 'string' then raise(described(pattern) .. ' cannot be matched, as it is not a string') end
  if flags == NULL then flags = '' end
  if flags:find('[^gin]') then fail('the flags ' .. flags .. ' of an expression are not available here', 2) end
  local one, chars, found, from = matcher(pattern, flags), chars_of(value), {}, 1
  while from <= #chars + 1 do
    local start, stop, starts, stops = one.find(chars, from)
    if not start then break end
    local captures = {}
    for i = 1, one.groups do
      local a, b = starts[i], stops[i]
      captures[i] = { name = one.names[i], from = a, text = a and table.concat(chars, '', a, b - 1) or nil }
    end
    if not (flags:find('n') and start == stop) then
      found[#found + 1] = { from = start, to = stop, text = table.concat(chars, '', start, stop - 1), captures = captures }
    end
    if not flags:find('g') then break end
    from = stop > start and stop or stop + 1
    if from == #chars + 1 and #chars > 0 and stop == #chars + 1 then break end
  end
  return found, chars
end
local function match_object(one)
  local captures = {}
  for i, each_one in ipairs(one.captures) do
    captures[i] = object({ 'offset', 'length', 'string', 'name' }, {
      offset = each_one.text and each_one.from - 1 or -1, length = each_one.text and utf8.len(each_one.text) or 0,
      string = each_one.text or NULL, name = each_one.name or NULL,
    })
  end
  return object({ 'offset', 'length', 'string', 'captures' }, { offset = one.from - 1, length = one.to - one.from, string = one.text, captures = array(captures) })
end
local function captured(one)
  local made = object({}, {})
  for _, each_one in ipairs(one.captures) do if each_one.name then made = with_key(made, each_one.name, each_one.text or NULL) end end
  return made
end
-- The pattern and its flags: a text, a text and flags, or an array of both.
local function expression_function(name, extra, tell)
  for count = 1, 2 do
    functions[name .. '/' .. count] = function(value, _, emit, args, env)
      run(args[1], env, value, nil, function(pattern)
        local function with(flags)
          if kind_of(pattern) == 'array' then pattern, flags = pattern[1], pattern[2] or '' end
          tell(value, matches_of(value, pattern, (flags == NULL and '' or flags) .. extra), emit)
        end
        if count == 1 then return with('') end
        run(args[2], env, value, nil, with)
      end)
    end
  end
end
expression_function('test', '', function(_, found, emit) emit(#found > 0) end)
expression_function('match', '', function(_, found, emit) for _, one in ipairs(found) do emit(match_object(one)) end end)
expression_function('capture', '', function(_, found, emit) for _, one in ipairs(found) do emit(captured(one)) end end)
expression_function('scan', 'g', function(_, found, emit)
  for _, one in ipairs(found) do
    if #one.captures == 0 then emit(one.text)
    else
      local texts = {}
      for i, each_one in ipairs(one.captures) do texts[i] = each_one.text or NULL end
      emit(array(texts))
    end
  end
end)
local function pieces_between(value, found)
  local out, chars, at = {}, chars_of(value), 1
  for _, one in ipairs(found) do
    out[#out + 1] = table.concat(chars, '', at, one.from - 1)
    at = one.to
  end
  out[#out + 1] = table.concat(chars, '', at, #chars)
  return out
end
expression_function('splits', 'g', function(value, found, emit) for _, one in ipairs(pieces_between(value, found)) do emit(one) end end)
local split_by = functions['splits/2']
functions['split/2'] = function(value, path, emit, args, env)
  local out = {}
  split_by(value, path, function(one) out[#out + 1] = one end, args, env)
  return emit(array(out))
end
for _, name in ipairs({ 'sub', 'gsub' }) do
  for count = 2, 3 do
    functions[name .. '/' .. count] = function(value, _, emit, args, env)
      run(args[1], env, value, nil, function(pattern)
        local flags = count == 3 and first_of(args[3], env, value) or ''
        local found, chars = matches_of(value, pattern, flags .. (name == 'gsub' and 'g' or ''))
        local function from(i, at, made)
          local one = found[i]
          if not one then return emit(made .. table.concat(chars, '', at, #chars)) end
          run(args[2], env, captured(one), nil, function(text)
            if type(text) ~= 'string' then raise(described(captured(one)) .. ' cannot be added to a string') end
            return from(i + 1, one.to, made .. table.concat(chars, '', at, one.from - 1) .. text)
          end)
        end
        return from(1, 1, '')
      end)
    end
  end
end
plain('ascii', function(value) return string.char(whole(value)) end)
LACKING.ascii = nil
functions['input/0'] = function(_, _, emit)
  local value = next_input()
  if value == nil then raise('No more inputs') end
  return emit(value)
end
functions['inputs/0'] = function(_, _, emit)
  while true do
    local value = next_input()
    if value == nil then return end
    emit(value)
  end
end
-- Names are looked at before anything runs.
local function check(node, scope)
  if type(node) ~= 'table' or node == NULL then return end
  if node.type == 'call' then
    local key = node.name .. '/' .. #node.args
    local at = scope
    while at and not at[key] do at = at.outer end
    if not at and not functions[key] then
      if LACKING[node.name] then fail(node.name .. ' is not available here: use lua', 2) end
      compile_error(key .. ' is not defined')
    end
  elseif node.type == 'define' then
    local inner = { [node.name .. '/' .. #node.params] = true, outer = scope }
    local own = { outer = inner }
    for _, name in ipairs(node.params) do own[name:gsub('^%$', '') .. '/0'] = true end
    check(node.definition, own)
    return check(node.body, inner)
  elseif node.type == 'literal' then return end
  for _, inner in pairs(node) do check(inner, scope) end
end
`
