/** Expressions in lua: each node of the tree becomes a function. */
export const AWK_EXPRESSIONS = String.raw`
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
`
