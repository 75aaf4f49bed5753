/** Reads an expression of awk into a tree, in lua. */
export const AWK_EXPRESSION_PARSER = String.raw`
local function variable()
  local name = val
  if UNKNOWN[name] then refused(name .. ' of awk') end
  advance()
  if tok ~= '[' then return { t = 'var', name = name } end
  advance()
  local keys = list(']')
  if #keys == 0 then wrong() end
  advance()
  if tok == '[' then refused('an array of arrays') end
  return { t = 'index', name = name, keys = keys }
end
local function regex_literal()
  local at, inside = start + 1, false
  while true do
    local char = src:sub(at, at)
    if char == '' or char == '\n' then fail('unterminated regexp', 1) end
    if char == '\\' then at = at + 1
    elseif char == '[' and not inside then
      inside = true
      at = at + #src:match('^%^?%]?', at + 1)
    elseif inside and src:match('^%[[:.=]', at) then at = (src:find(']', at, true) or #src)
    elseif char == ']' then inside = false
    elseif char == '/' and not inside then break end
    at = at + 1
  end
  local text = src:sub(start + 1, at - 1)
  pos = at + 1
  advance()
  return { t = 'regex', text = text }
end
local function postfix()
  local node = primary()
  if is_target(node) and (tok == '++' or tok == '--') then
    node = { t = 'step', target = node, by = tok == '++' and 1 or -1, post = true }
    advance()
  end
  return node
end
local function power()
  local base = postfix()
  if tok ~= '^' then return base end
  advance()
  local negative = tok == '-'
  if negative or tok == '+' then advance() end
  local by = power()
  if negative then by = { t = 'negative', of = by } end
  return { t = 'binary', op = '^', base, by }
end
local function unary()
  if tok == '!' or tok == '-' or tok == '+' then
    local sign = tok
    advance()
    return { t = sign == '!' and 'not' or sign == '-' and 'negative' or 'positive', of = unary() }
  end
  return power()
end
local function left_of(next_level, signs)
  return function()
    local node = next_level()
    while signs[tok] do
      local op = tok
      advance()
      node = { t = 'binary', op = op, node, next_level() }
    end
    return node
  end
end
local product = left_of(unary, { ['*'] = true, ['/'] = true, ['%'] = true })
local sum = left_of(product, { ['+'] = true, ['-'] = true })
local BEGINS = { number = true, string = true, name = true, call = true, builtin = true, ['$'] = true, ['('] = true, ['!'] = true, ['-'] = true, ['+'] = true, ['++'] = true, ['--'] = true }
concat = function()
  local node = sum()
  while BEGINS[tok] and tok ~= '!' do node = { t = 'concat', node, sum() } end
  return node
end
local COMPARES = { ['<'] = true, ['<='] = true, ['=='] = true, ['!='] = true, ['>='] = true }
local function comparison(flags)
  local node = concat()
  if COMPARES[tok] or (tok == '>' and not flags.output) then
    local op = tok
    advance()
    node = { t = 'compare', op = op, node, concat() }
  end
  if tok == '|' and not flags.output then refused('a pipe in awk', 'pipe the output of awk') end
  return node
end
local function matching(flags)
  local node = comparison(flags)
  while tok == '~' or tok == '!~' do
    local negated = tok == '!~'
    advance()
    node = { t = 'matches', text = node, pattern = comparison(flags), negated = negated }
  end
  return node
end
local function membership(flags)
  local node = matching(flags)
  while tok == 'in' and not flags.loop do
    advance()
    if tok ~= 'name' then wrong() end
    node = { t = 'in', keys = { node }, name = val }
    advance()
  end
  return node
end
local function joined(next_level, sign, kind)
  return function(flags)
    local node = next_level(flags)
    while tok == sign do
      advance(); skip_lines()
      node = { t = kind, node, next_level(flags) }
    end
    return node
  end
end
local either = joined(joined(membership, '&&', 'and'), '||', 'or')
local ASSIGNS = { ['='] = true, ['+='] = true, ['-='] = true, ['*='] = true, ['/='] = true, ['%='] = true, ['^='] = true }
expr = function(flags)
  local node = either(flags)
  if tok == '?' then
    advance(); skip_lines()
    local yes = expr(flags)
    skip_lines()
    expect(':'); skip_lines()
    return { t = 'choice', node, yes, expr(flags) }
  end
  if ASSIGNS[tok] then
    -- What stands before the target belongs to the whole: x && y = 1, !y = 1.
    local holder, key, target = nil, nil, node
    while not is_target(target) do
      key = (target.t == 'not' or target.t == 'negative') and 'of' or (target.t == 'and' or target.t == 'or' or target.t == 'compare') and 2 or wrong()
      holder, target = target, target[key]
    end
    local op = tok
    advance(); skip_lines()
    local assigned = { t = 'assign', op = op, target = target, value = expr(flags) }
    if not holder then return assigned end
    holder[key] = assigned
  end
  return node
end
local function target_or_wrong(node) if not is_target(node) then wrong() end; return node end
primary = function()
  if tok == 'number' or tok == 'string' then
    local node = { t = 'value', value = val }
    advance()
    return node
  elseif tok == '/' or tok == '/=' then return regex_literal()
  elseif tok == '$' then
    advance()
    if tok == '++' or tok == '--' then
      local by = tok == '++' and 1 or -1
      advance()
      return { t = 'field', of = { t = 'step', target = target_or_wrong(primary()), by = by } }
    end
    if tok == '-' then advance(); return { t = 'field', of = { t = 'negative', of = primary() } } end
    return { t = 'field', of = primary() }
  elseif tok == '(' then
    advance()
    local items = list(')')
    advance()
    if #items == 0 then wrong() end
    if #items == 1 then return { t = 'group', items[1] } end
    if tok ~= 'in' then wrong() end
    advance()
    local name = val
    expect('name')
    return { t = 'in', keys = items, name = name }
  elseif tok == '++' or tok == '--' then
    local by = tok == '++' and 1 or -1
    advance()
    return { t = 'step', target = target_or_wrong(primary()), by = by }
  elseif tok == '!' then advance(); return { t = 'not', of = unary() }
  elseif tok == '-' then advance(); return { t = 'negative', of = unary() }
  elseif tok == '+' then advance(); return { t = 'positive', of = unary() }
  elseif tok == 'getline' then
    advance()
    local node = { t = 'getline' }
    if tok == 'name' or tok == '$' then node.target = target_or_wrong(primary()) end
    if tok == '<' then advance(); node.file = postfix() end
    return node
  elseif tok == 'builtin' then
    local node = { t = 'builtin', name = val, args = {} }
    advance()
    if tok == '(' then advance(); node.args = list(')'); advance()
    elseif node.name ~= 'length' then wrong() else node.bare = true end
    return node
  elseif tok == 'call' then
    local node = { t = 'call', name = val }
    advance(); advance()
    node.args = list(')')
    advance()
    return node
  elseif tok == 'name' then return variable() end
  wrong()
end
`
