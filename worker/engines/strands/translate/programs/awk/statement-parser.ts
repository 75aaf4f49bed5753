/** Reads statements, functions and rules of awk into trees, in lua. */
export const AWK_STATEMENT_PARSER = String.raw`
local ENDS = { newline = true, [';'] = true, ['}'] = true, eof = true }
local function ended()
  if tok == ';' or tok == 'newline' then advance() elseif tok ~= '}' and tok ~= 'eof' then wrong() end
end
local function printing()
  local node = { t = tok, args = {} }
  advance()
  local before = { pos, start, tok, val }
  local isList = false
  if tok == '(' then
    advance()
    node.args = list(')')
    advance()
    isList = ENDS[tok] or tok == '>' or tok == '>>' or tok == '|'
    if not isList then pos, start, tok, val = table.unpack(before, 1, 4); node.args = {} end
  end
  if not isList then
    while not ENDS[tok] and tok ~= '>' and tok ~= '>>' and tok ~= '|' do
      node.args[#node.args + 1] = expr({ output = true })
      if tok == ',' then advance(); skip_lines() elseif not ENDS[tok] and tok ~= '>' and tok ~= '>>' and tok ~= '|' then wrong() end
    end
  end
  if tok == '|' then refused('a pipe in awk', 'pipe the output of awk') end
  if tok == '>' or tok == '>>' then
    node.mode = tok == '>' and 'w' or 'a'
    advance()
    node.to = concat()
    if tok == '|' then wrong() end
  end
  if node.t == 'printf' and #node.args == 0 then wrong() end
  return node
end
local function simple()
  if tok == 'print' or tok == 'printf' then return printing() end
  if tok == 'delete' then
    advance()
    local node = variable()
    return { t = 'delete', name = node.name, keys = node.keys }
  end
  return { t = 'expr', expr({}) }
end
-- A body: a statement on this line or the next.
local function body()
  skip_lines()
  if tok == ';' then advance(); return { t = 'block' } end
  return statement()
end
local function parenthesized()
  expect('(')
  local node = expr({})
  skip_lines()
  expect(')')
  return node
end
local function looping()
  advance(); expect('(')
  local name, after = val, src:match('^%s+in%s+([%a_][%w_]*)%s*%)', pos)
  if tok == 'name' and after then
    advance(); advance()
    local array = val
    advance(); expect(')')
    return { t = 'each', target = { t = 'var', name = name }, name = array, body = body() }
  end
  local first = tok ~= ';' and simple() or nil
  expect(';'); skip_lines()
  local condition = tok ~= ';' and expr({}) or nil
  expect(';'); skip_lines()
  local step = tok ~= ')' and simple() or nil
  expect(')')
  return { t = 'for', first = first, condition = condition, step = step, body = body() }
end
statement = function()
  if tok == '{' then return block() end
  if tok == 'if' then
    advance()
    local node = { t = 'if', condition = parenthesized(), body = body() }
    local before = { pos, start, tok, val }
    while tok == 'newline' or tok == ';' do advance() end
    if tok == 'else' then advance(); node.other = body()
    else pos, start, tok, val = table.unpack(before, 1, 4) end
    return node
  elseif tok == 'while' then
    advance()
    local condition = parenthesized()
    return { t = 'for', condition = condition, body = body() }
  elseif tok == 'do' then
    advance()
    local inner = body()
    while tok == 'newline' or tok == ';' do advance() end
    expect('while')
    local node = { t = 'do', body = inner, condition = parenthesized() }
    ended()
    return node
  elseif tok == 'for' then return looping()
  elseif tok == ';' then advance(); return { t = 'block' } end
  local node
  if tok == 'break' or tok == 'continue' or tok == 'next' or tok == 'nextfile' then node = { t = 'jump', to = tok }; advance()
  elseif tok == 'exit' or tok == 'return' then
    node = { t = tok }
    advance()
    if not ENDS[tok] then node.value = expr({}) end
  else node = simple() end
  ended()
  return node
end
block = function()
  expect('{')
  local node = { t = 'block' }
  while true do
    while tok == 'newline' or tok == ';' do advance() end
    if tok == '}' then break end
    if tok == 'eof' then wrong() end
    node[#node + 1] = statement()
  end
  advance()
  return node
end
local function parse(text)
  src, pos = text, 1
  advance()
  local program = { BEGIN = {}, END = {}, rules = {} }
  while true do
    while tok == 'newline' or tok == ';' do advance() end
    if tok == 'eof' then return program end
    if tok == 'BEGIN' or tok == 'END' then
      local list = program[tok]
      advance()
      list[#list + 1] = block()
    elseif tok == 'function' then
      advance()
      local name, params = val, {}
      if tok ~= 'call' and tok ~= 'name' then wrong() end
      advance(); expect('(')
      while tok ~= ')' do
        params[#params + 1] = val
        expect('name'); skip_lines()
        if tok == ',' then advance(); skip_lines() end
      end
      advance(); skip_lines()
      functions[name] = { name = name, params = params, arrays = {}, body = block() }
    else
      local rule = {}
      if tok ~= '{' then
        rule.pattern = expr({})
        if tok == ',' then advance(); skip_lines(); rule.to = expr({}) end
      end
      if tok == '{' then rule.body = block() else ended() end
      program.rules[#program.rules + 1] = rule
    end
  end
end
`
