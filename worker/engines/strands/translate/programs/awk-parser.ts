/** Reads a program of awk into a tree, in lua. Pipes, `system` and what only gawk has beside a few functions are refused. */
export const AWK_PARSER = String.raw`
local function refused(what, instead) fail(what .. ' is not available here' .. (instead and ': ' .. instead or ''), 2) end
local function wrong() fail('syntax error', 1) end
local KEYWORDS, BUILTINS = {}, {}
for word in ('BEGIN END function func if else while for do break continue next nextfile exit return delete in getline print printf switch case default'):gmatch('%a+') do KEYWORDS[word] = true end
for word in ('length substr index split sub gsub match sprintf int sqrt exp log sin cos atan2 tolower toupper rand srand close fflush gensub systime'):gmatch('[%a%d]+') do BUILTINS[word] = true end
local OTHERS = {}
for word in ('system strftime mktime asort asorti strtonum and or xor lshift rshift compl patsplit isarray typeof'):gmatch('[%a%d]+') do OTHERS[word] = true end
local SIGNS = { '**=', '++', '--', '+=', '-=', '*=', '/=', '%=', '^=', '==', '<=', '>=', '!=', '!~', '&&', '||', '>>', '**' }
local ESCAPED = { n = '\n', t = '\t', r = '\r', a = '\a', b = '\b', f = '\f', v = '\v', ['\\'] = '\\', ['"'] = '"', ['/'] = '/' }
local src, pos, start, tok, val = '', 1, 1, nil, nil
local functions, arrays = {}, {}
local function escapes(text)
  local out, at = {}, 1
  while at <= #text do
    local char = text:sub(at, at)
    local digits = char == '\\' and text:match('^[0-7][0-7]?[0-7]?', at + 1)
    if char ~= '\\' or at == #text then out[#out + 1] = char; at = at + 1
    elseif digits then out[#out + 1] = string.char(tonumber(digits, 8) % 256); at = at + 1 + #digits
    elseif text:match('^\n', at + 1) then at = at + 2
    else
      local sign = text:match('^[%z\1-\127\192-\255][\128-\191]*', at + 1)
      if sign == 'x' or sign == 'u' then refused('\\' .. sign .. ' in a text') end
      out[#out + 1] = ESCAPED[sign] or sign
      at = at + 1 + #sign
    end
  end
  return table.concat(out)
end
local function advance()
  while true do
    local stop = select(2, src:find('^[ \t\r]+', pos)) or select(2, src:find('^\\\r?\n', pos)) or select(2, src:find('^#[^\n]*', pos))
    if not stop then break end
    pos = stop + 1
  end
  start, val = pos, nil
  local char = src:sub(pos, pos)
  if char == '' then tok = 'eof'
  elseif char == '\n' then tok, pos = 'newline', pos + 1
  elseif char == '"' then
    local at = pos + 1
    while true do
      local one = src:sub(at, at)
      if one == '' or one == '\n' then fail('unterminated string', 1) end
      if one == '"' then break end
      at = at + (one == '\\' and 2 or 1)
    end
    tok, val, pos = 'string', escapes(src:sub(pos + 1, at - 1)), at + 1
  elseif char:match('%d') or src:match('^%.%d', pos) then
    local text = src:match('^0[xX]%x+', pos) or src:match('^%d*%.?%d*', pos)
    text = text .. (text:match('^0[xX]') and '' or src:match('^[eE][+-]?%d+', pos + #text) or '')
    local octal = text:match('^0([0-7]+)$')
    tok, val, pos = 'number', (octal and tonumber(octal, 8) or tonumber(text)) + 0.0, pos + #text
  elseif char:match('[%a_]') then
    val = src:match('^[%w_]+', pos)
    pos = pos + #val
    if val == 'func' then val = 'function' end
    if OTHERS[val] and src:sub(pos, pos) == '(' then refused('the function ' .. val .. ' of awk') end
    if KEYWORDS[val] then tok = val elseif BUILTINS[val] then tok = 'builtin'
    elseif src:sub(pos, pos) == '(' then tok = 'call' else tok = 'name' end
    if val == 'switch' or val == 'case' or val == 'default' then refused(val .. ' of awk', 'use if') end
  else
    tok = char
    for _, sign in ipairs(SIGNS) do if src:sub(pos, pos + #sign - 1) == sign then tok = sign; break end end
    pos = pos + #tok
    if tok == '**' then tok = '^' elseif tok == '**=' then tok = '^=' end
  end
end
local function skip_lines() while tok == 'newline' do advance() end end
local function expect(sign) if tok ~= sign then wrong() end; advance() end
local expr, concat, primary, block, statement
local function is_target(node) return node.t == 'var' or node.t == 'index' or node.t == 'field' end
local function list(stop)
  local items = {}
  skip_lines()
  while tok ~= stop do
    items[#items + 1] = expr({})
    skip_lines()
    if tok == ',' then advance(); skip_lines() elseif tok ~= stop then wrong() end
  end
  return items
end
local UNKNOWN = { FPAT = true, FIELDWIDTHS = true, IGNORECASE = true, PROCINFO = true, RT = true, BINMODE = true }
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
local function both(flags)
  local node = membership(flags)
  while tok == '&&' do
    advance(); skip_lines()
    node = { t = 'and', node, membership(flags) }
  end
  return node
end
local function either(flags)
  local node = both(flags)
  while tok == '||' do
    advance(); skip_lines()
    node = { t = 'or', node, both(flags) }
  end
  return node
end
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
