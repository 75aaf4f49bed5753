import { JQ_CHANGES } from './jq-changes.ts'
import { JQ_COMMAND_LINE, JQ_INPUTS } from './jq-command-line.ts'
import { JQ_FUNCTIONS } from './jq-functions.ts'
import { JQ_PARSER } from './jq-parser.ts'
import { JQ_PATHS } from './jq-paths.ts'
import { JQ_VALUES } from './jq-values.ts'
import { REGEX } from './regex.ts'

/** What runs filters: a value goes in, each result goes to `emit` with its path, where one is asked for. */
const EVALUATION = `
local functions, FORMATS, LACKING = {}, nil, nil
local run
local depth = 0
-- What an error leaves is not as deep any more.
local function protected(...)
  local before = depth
  local ok, problem = pcall(...)
  depth = before
  return ok, problem
end
-- Paths are lists from their end: the last key and the rest.
local function extend(path, key) return path and { key = key, rest = path } end
local ROOT = {}
local function list_of(path)
  local keys = {}
  while path and path ~= ROOT do
    table.insert(keys, 1, path.key)
    path = path.rest
  end
  return array(keys)
end
local function get_path(value, keys)
  for i = 1, keys.n do
    if value == NULL then return NULL end
    value = index_of(value, keys[i])
  end
  return value
end
local function set_path(value, keys, at, change)
  if at > keys.n then return change(value) end
  local key = keys[at]
  local inner = index_of(value, key)
  return with_index(value, key, set_path(inner, keys, at + 1, change))
end
local function paths_of(node, env, value)
  local found = {}
  run(node, env, value, ROOT, function(_, path)
    if not path then raise('Invalid path expression') end
    found[#found + 1] = list_of(path)
  end)
  return found
end
local function bind(pattern, env, value, k)
  if pattern.kind == 'variable' then
    return k({ parent = env, name = pattern.name, value = value })
  elseif pattern.kind == 'array' then
    if value ~= NULL and kind_of(value) ~= 'array' then raise('Cannot index ' .. kind_of(value) .. ' with number') end
    local function at(i, inner)
      if i > #pattern then return k(inner) end
      return bind(pattern[i], inner, value == NULL and NULL or index_of(value, i - 1), function(next) return at(i + 1, next) end)
    end
    return at(1, env)
  end
  local function at(i, inner)
    local entry = pattern[i]
    if not entry then return k(inner) end
    run(entry.key, inner, value, nil, function(key)
      if kind_of(key) ~= 'string' then raise('Cannot index ' .. kind_of(value) .. ' with ' .. kind_of(key)) end
      local found = value == NULL and NULL or index_of(value, key)
      local next = entry.name and { parent = inner, name = entry.name, value = found } or inner
      if entry.pattern then return bind(entry.pattern, next, found, function(more) return at(i + 1, more) end) end
      return at(i + 1, next)
    end)
  end
  return at(1, env)
end
local function variable(env, name)
  while env do
    if env.name == name then return env.value end
    env = env.parent
  end
  local value = globals[name]
  if value == nil then compile_error('$' .. name .. ' is not defined') end
  return value
end
local function defined(env, key)
  while env do
    if env.key == key then return env end
    env = env.parent
  end
end
-- What an emitter raises is not caught by the filter that it stands behind.
local function guarded(emit)
  return function(...)
    local ok, problem = pcall(emit, ...)
    if not ok then error({ passed = problem }, 0) end
  end
end
local function attempt(body, handler)
  local ok, problem = protected(body)
  if ok then return end
  if type(problem) == 'table' and problem.passed ~= nil then error(problem.passed, 0) end
  if type(problem) ~= 'table' or problem.message == nil then error(problem, 0) end
  handler(problem.message)
end
local function call(node, env, value, path, emit)
  local key = node.name .. '/' .. #node.args
  local found = defined(env, key)
  if found then
    if found.closure then return run(found.closure, found.env, value, path, emit) end
    local inner = found
    local function with(i, scope)
      if i > #found.params then return run(found.body, scope, value, path, emit) end
      local name = found.params[i]
      if name:sub(1, 1) ~= '$' then
        return with(i + 1, { parent = scope, key = name .. '/0', closure = node.args[i], env = env })
      end
      run(node.args[i], env, value, nil, function(argument)
        local bound = { parent = scope, name = name:sub(2), value = argument }
        local literal = { parent = bound, key = name:sub(2) .. '/0', closure = { type = 'literal', value = argument }, env = env }
        return with(i + 1, literal)
      end)
    end
    return with(1, { parent = inner })
  end
  local own = functions[key]
  if not own then
    if LACKING[node.name] then fail(node.name .. ' is not available here: use lua', 2) end
    compile_error(key .. ' is not defined')
  end
  return own(value, path, emit, node.args, env)
end
local function update(node, env, value, emit)
  local operator = node.operator
  if operator == '|=' then
    local result = value
    local removed = {}
    for _, keys in ipairs(paths_of(node.left, env, value)) do
      local done, changed = false, nil
      local before = get_path(result, keys)
      run(node.right, env, before, nil, function(one)
        if not done then done, changed = true, one end
      end)
      if done then result = set_path(result, keys, 1, function() return changed end)
      else removed[#removed + 1] = keys end
    end
    return emit(delete_paths(result, removed))
  end
  run(node.right, env, value, nil, function(right)
    local result = value
    for _, keys in ipairs(paths_of(node.left, env, value)) do
      result = set_path(result, keys, 1, function(before)
        if operator == '=' then return right end
        if operator == '//=' then return truth(before) and before or right end
        return computed(operator:sub(1, -2), before, right)
      end)
    end
    emit(result)
  end)
end
local HANDLERS = {
  identity = function(_, _, value, path, emit) return emit(value, path) end,
  literal = function(node, _, _, _, emit) return emit(node.value) end,
  recurse = function(_, _, value, path, emit)
    local function down(one, at)
      emit(one, at)
      each(one, function(key, inner) down(inner, extend(at, key)) end, true)
    end
    down(value, path)
  end,
  pipe = function(node, env, value, path, emit)
    return run(node.left, env, value, path, function(one, at) return run(node.right, env, one, at, emit) end)
  end,
  comma = function(node, env, value, path, emit)
    run(node.left, env, value, path, emit)
    return run(node.right, env, value, path, emit)
  end,
  index = function(node, env, value, path, emit)
    return run(node.of, env, value, path, function(one, at)
      return run(node.key, env, value, nil, function(key) return emit(index_of(one, key), extend(at, key)) end)
    end)
  end,
  slice = function(node, env, value, path, emit)
    return run(node.of, env, value, path, function(one, at)
      return run(node.to, env, value, nil, function(to)
        return run(node.from, env, value, nil, function(from)
          local key = object({ 'start', 'end' }, { start = from, ['end'] = to })
          return emit(index_of(one, key), extend(at, key))
        end)
      end)
    end)
  end,
  iterate = function(node, env, value, path, emit)
    return run(node.of, env, value, path, function(one, at)
      each(one, function(key, inner) emit(inner, extend(at, key)) end)
    end)
  end,
  fixed = function(node, _, _, _, emit) return node.tell(emit) end,
  -- Of an index only the last step may fail.
  optional = function(node, env, value, path, emit)
    local out, of = guarded(emit), node.of
    local function try(one)
      attempt(function() run(one, env, value, path, out) end, function(message)
        if is_break(message) then error({ message = message }, 0) end
      end)
    end
    if of.type ~= 'index' and of.type ~= 'slice' and of.type ~= 'iterate' then return try(of) end
    return run(of.of, env, value, path, function(inner, at)
      try({ type = of.type, key = of.key, from = of.from, to = of.to, of = { type = 'fixed', tell = function(tell) return tell(inner, at) end } })
    end)
  end,
  try = function(node, env, value, path, emit)
    local out = guarded(emit)
    local caught
    attempt(function() run(node.body, env, value, path, out) end, function(message)
      if is_break(message) then error({ message = message }, 0) end
      caught = { message }
    end)
    if caught and node.handler then return run(node.handler, env, caught[1], nil, emit) end
  end,
  variable = function(node, env, _, _, emit) return emit(variable(env, node.name)) end,
  array = function(node, env, value, _, emit)
    local items = {}
    if node.body then run(node.body, env, value, nil, function(one) items[#items + 1] = one end) end
    return emit(array(items))
  end,
  object = function(node, env, value, _, emit)
    local function from(i, made)
      local entry = node[i]
      if not entry then return emit(made) end
      run(entry.key, env, value, nil, function(key)
        if kind_of(key) ~= 'string' then raise('Object keys must be strings') end
        run(entry.value, env, value, nil, function(one) return from(i + 1, with_key(made, key, one)) end)
      end)
    end
    return from(1, object({}, {}))
  end,
  text = function(node, env, value, _, emit)
    local format = FORMATS[node.format]
    local function from(i, made)
      local piece = node[i]
      if not piece then return emit(made) end
      if type(piece) == 'string' then return from(i + 1, made .. piece) end
      run(piece, env, value, nil, function(one) return from(i + 1, made .. format(one)) end)
    end
    return from(1, '')
  end,
  format = function(node, _, value, _, emit) return emit(FORMATS[node.format](value)) end,
  negation = function(node, env, value, _, emit)
    return run(node.of, env, value, nil, function(one)
      if kind_of(one) ~= 'number' then raise(described(one) .. ' cannot be negated') end
      return emit(-one)
    end)
  end,
  binary = function(node, env, value, _, emit)
    return run(node.right, env, value, nil, function(right)
      return run(node.left, env, value, nil, function(left) return emit(computed(node.operator, left, right)) end)
    end)
  end,
  ['and'] = function(node, env, value, _, emit)
    return run(node.left, env, value, nil, function(left)
      if not truth(left) then return emit(false) end
      return run(node.right, env, value, nil, function(right) return emit(truth(right)) end)
    end)
  end,
  ['or'] = function(node, env, value, _, emit)
    return run(node.left, env, value, nil, function(left)
      if truth(left) then return emit(true) end
      return run(node.right, env, value, nil, function(right) return emit(truth(right)) end)
    end)
  end,
  alternative = function(node, env, value, path, emit)
    local found = false
    local out = guarded(emit)
    attempt(function()
      run(node.left, env, value, path, function(one, at)
        if truth(one) then
          found = true
          out(one, at)
        end
      end)
    end, function(message) if is_break(message) then error({ message = message }, 0) end end)
    if not found then return run(node.right, env, value, path, emit) end
  end,
  update = function(node, env, value, _, emit) return update(node, env, value, emit) end,
  condition = function(node, env, value, path, emit)
    return run(node.test, env, value, nil, function(one)
      if truth(one) then return run(node.yes, env, value, path, emit) end
      if node.no then return run(node.no, env, value, path, emit) end
      return emit(value, path)
    end)
  end,
  bind = function(node, env, value, path, emit)
    return run(node.of, env, value, nil, function(one)
      return bind(node.pattern, env, one, function(inner) return run(node.body, inner, value, path, emit) end)
    end)
  end,
  reduce = function(node, env, value, path, emit)
    local state, is_set = NULL, false
    run(node.start, env, value, nil, function(one) state, is_set = one, true end)
    if not is_set then return end
    run(node.of, env, value, nil, function(one)
      bind(node.pattern, env, one, function(inner)
        local last = NULL
        run(node.step, inner, state, nil, function(next) last = next end)
        state = last
      end)
    end)
    return emit(state)
  end,
  foreach = function(node, env, value, path, emit)
    return run(node.start, env, value, nil, function(first)
      local state = first
      run(node.of, env, value, nil, function(one)
        bind(node.pattern, env, one, function(inner)
          run(node.step, inner, state, nil, function(next)
            state = next
            if node.extract then run(node.extract, inner, next, nil, emit) else emit(next) end
          end)
        end)
      end)
    end)
  end,
  define = function(node, env, value, path, emit)
    return run(node.body, { parent = env, key = node.name .. '/' .. #node.params, params = node.params, body = node.definition }, value, path, emit)
  end,
  label = function(node, env, value, path, emit)
    local mark = {}
    local ok, problem = protected(run, node.body, { parent = env, name = '*' .. node.name, value = mark }, value, path, emit)
    if not ok then
      if type(problem) == 'table' and problem.message == mark then return end
      error(problem, 0)
    end
  end,
  breaks = function(node, env) error({ message = variable(env, '*' .. node.name), is_break = true }, 0) end,
  call = call,
}
run = function(node, env, value, path, emit)
  depth = depth + 1
  if depth > 3000 then fail('a filter that is nested this deep is not available here: use lua', 2) end
  HANDLERS[node.type](node, env, value, path, emit)
  depth = depth - 1
end
`

/** `jq` 1.6 in lua: that of the engine sorts the keys of objects and prints `5.0`. */
export const JQ_PROGRAMS: Readonly<Record<string, string>> = {
  jq: `${REGEX}${JQ_VALUES}${JQ_CHANGES}${JQ_PARSER}${EVALUATION}${JQ_INPUTS}${JQ_FUNCTIONS}${JQ_COMMAND_LINE}`,
  'jq-path': `${JQ_VALUES}${JQ_INPUTS}${JQ_PATHS}${JQ_COMMAND_LINE}`,
}
