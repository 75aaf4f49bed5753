/** Filters of `jq` as trees, in lua. */
export const JQ_PARSER = String.raw`
local FORMAT_NAMES = { text = true, json = true, csv = true, tsv = true, html = true, uri = true, sh = true, base64 = true, base64d = true }
local KEYWORDS = { ['def'] = true, ['if'] = true, ['then'] = true, ['elif'] = true, ['else'] = true, ['end'] = true, ['as'] = true, ['reduce'] = true, ['foreach'] = true, ['try'] = true, ['catch'] = true, ['label'] = true, ['and'] = true, ['or'] = true, ['import'] = true, ['include'] = true, ['__loc__'] = true }
local parse_filter
local function tokens_of(text)
  local tokens, at = {}, 1
  local function put(kind, value, size)
    tokens[#tokens + 1] = { kind = kind, value = value }
    at = at + size
  end
  local function read_string(format)
    local pieces = { type = 'text', format = format }
    local plain = {}
    at = at + 1
    while true do
      local char = text:sub(at, at)
      if char == '' then compile_error('syntax error, unexpected end of a string') end
      if char == '"' then at = at + 1; break end
      if char ~= '\\' then
        local run_of = text:match('^[^"\\]+', at)
        plain[#plain + 1] = run_of
        at = at + #run_of
      elseif text:sub(at + 1, at + 1) == '(' then
        pieces[#pieces + 1] = table.concat(plain)
        plain = {}
        local level, from, inside = 1, at + 2, nil
        at = from
        while level > 0 do
          local sign = text:sub(at, at)
          if sign == '' then compile_error('syntax error, unexpected end of a string') end
          if sign == '"' then
            local kept = tokens
            tokens = {}
            read_string('text')
            tokens = kept
          else
            if sign == '(' then level = level + 1 elseif sign == ')' then level = level - 1 end
            at = at + 1
          end
        end
        inside = text:sub(from, at - 2)
        pieces[#pieces + 1] = parse_filter(inside)
      else
        local sign = text:sub(at + 1, at + 1)
        local code = sign == 'u' and text:match('^%x%x%x%x', at + 2)
        if code then
          local low = text:match('^\\u([dD][c-fC-F]%x%x)', at + 6)
          local number = tonumber(code, 16)
          if number >= 0xd800 and number < 0xdc00 and low then
            number = 0x10000 + ((number - 0xd800) << 10) + (tonumber(low, 16) - 0xdc00)
            at = at + 6
          end
          plain[#plain + 1] = utf8.char(number)
          at = at + 6
        else
          plain[#plain + 1] = ({ n = '\n', t = '\t', r = '\r', b = '\b', f = '\f', ['"'] = '"', ['\\'] = '\\', ['/'] = '/' })[sign] or compile_error('syntax error, unexpected INVALID_CHARACTER')
          at = at + 2
        end
      end
    end
    pieces[#pieces + 1] = table.concat(plain)
    return #pieces == 1 and { type = 'literal', value = pieces[1] } or pieces
  end
  while true do
    at = text:match('^%s*()', at)
    if at > #text then break end
    local char = text:sub(at, at)
    local word = text:match('^[%a_][%w_]*', at)
    if char == '#' then at = text:match('^[^\n]*()', at)
    elseif char == '"' then tokens[#tokens + 1] = { kind = 'string', value = read_string('text') }
    elseif char == '@' then
      local name = text:match('^@([%a_][%w_]*)', at) or compile_error('syntax error, unexpected INVALID_CHARACTER')
      if not FORMAT_NAMES[name] then compile_error(name .. ' is not a valid format') end
      at = at + 1 + #name
      if text:match('^%s*"', at) then
        at = text:match('^%s*()', at)
        tokens[#tokens + 1] = { kind = 'string', value = read_string(name) }
      else put('format', name, 0) end
    elseif char == '$' then
      local name = text:match('^%$%s*([%a_][%w_]*)', at) or compile_error("syntax error, unexpected '$'")
      if name == '__loc__' then fail('$__loc__ is not available here', 2) end
      put('variable', name, #text:match('^%$%s*[%a_][%w_]*', at))
    elseif text:match('^%d', at) or text:match('^%.%d', at) then
      local number = text:match('^%d*%.?%d*[eE][-+]?%d+', at) or text:match('^%d*%.?%d*', at)
      local value = tonumber(number)
      put('number', math.abs(value) > 2 ^ 53 and value * 1.0 or value, #number)
    elseif text:match('^%.[%a_]', at) then
      local name = text:match('^%.([%a_][%w_]*)', at)
      put('field', name, 1 + #name)
    elseif text:match('^%.%.', at) then put('sign', '..', 2)
    elseif word then put(KEYWORDS[word] and 'keyword' or 'name', word, #word)
    else
      local operator = text:match('^%?//', at) or text:match('^//=', at) or text:match('^[|+*/%%-]=', at) or text:match('^[=!<>]=', at) or text:match('^//', at) or char
      if not operator:match('^[][(){}.,:;|=<>+*/%%?!-]') or operator == '!' then compile_error("syntax error, unexpected INVALID_CHARACTER") end
      if operator == '?//' then fail('?// is not available here', 2) end
      put('sign', operator, #operator)
    end
  end
  return tokens
end
parse_filter = function(text)
  local tokens, at = tokens_of(text), 1
  local pipe, term
  local function is(value) return tokens[at] and tokens[at].kind ~= 'string' and tokens[at].value == value and tokens[at].kind ~= 'field' and tokens[at].kind ~= 'variable' end
  local function unexpected()
    local token = tokens[at]
    compile_error('syntax error, unexpected ' .. (token and "'" .. (type(token.value) == 'table' and 'a string' or tostring(token.value)) .. "'" or '$end'))
  end
  local function take(value)
    if not is(value) then return false end
    at = at + 1
    return true
  end
  local function expect(value) if not take(value) then unexpected() end end
  local function name_of(kind)
    local token = tokens[at]
    if not token or token.kind ~= kind then unexpected() end
    at = at + 1
    return token.value
  end
  local IDENTITY = { type = 'identity' }
  local function literal(value) return { type = 'literal', value = value } end
  local function pattern()
    local token = tokens[at]
    if token and token.kind == 'variable' then at = at + 1; return { kind = 'variable', name = token.value } end
    if take('[') then
      local one = { kind = 'array' }
      repeat one[#one + 1] = pattern() until not take(',')
      expect(']')
      return one
    end
    expect('{')
    local one = { kind = 'object' }
    repeat
      local key = tokens[at]
      local entry = {}
      if key and key.kind == 'variable' then
        at = at + 1
        entry.key, entry.name = literal(key.value), key.value
      elseif key and (key.kind == 'name' or key.kind == 'keyword') then at = at + 1; entry.key = literal(key.value)
      elseif key and key.kind == 'string' then at = at + 1; entry.key = key.value
      else
        expect('(')
        entry.key = pipe()
        expect(')')
      end
      if take(':') then entry.pattern = pattern() elseif not entry.name then unexpected() end
      one[#one + 1] = entry
    until not take(',')
    expect('}')
    return one
  end
  local function definition()
    local name, params = tokens[at].value, {}
    at = at + 1
    if take('(') then
      repeat
        local token = tokens[at]
        params[#params + 1] = token.kind == 'variable' and '$' .. token.value or token.value
        at = at + 1
      until not take(';')
      expect(')')
    end
    expect(':')
    local body = pipe()
    expect(';')
    return { type = 'define', name = name, params = params, definition = body }
  end
  local function object_value()
    -- A value has no comma and no pipe in it.
    local one = term()
    while take('|') do one = { type = 'pipe', left = one, right = term() } end
    return one
  end
  local function object_node()
    local made = { type = 'object' }
    if take('}') then return made end
    repeat
      if is('}') then break end
      local token, entry = tokens[at], {}
      if token == nil then unexpected() end
      if token.kind == 'variable' then
        at = at + 1
        entry.key, entry.value = literal(token.value), { type = 'variable', name = token.value }
        if is(':') then unexpected() end
      elseif token.kind == 'name' or token.kind == 'keyword' then
        at = at + 1
        entry.key = literal(token.value)
      elseif token.kind == 'number' then
        at = at + 1
        entry.key = literal(number_text(token.value))
      elseif token.kind == 'string' then
        at = at + 1
        entry.key = token.value
      else
        expect('(')
        entry.key = pipe()
        expect(')')
        if not is(':') then unexpected() end
      end
      if take(':') then entry.value = object_value()
      elseif not entry.value then entry.value = { type = 'index', of = IDENTITY, key = entry.key } end
      made[#made + 1] = entry
    until not take(',')
    expect('}')
    return made
  end
  local function condition()
    local test = pipe()
    expect('then')
    local yes, no = pipe(), nil
    if take('elif') then return { type = 'condition', test = test, yes = yes, no = condition() } end
    if take('else') then no = pipe() end
    expect('end')
    return { type = 'condition', test = test, yes = yes, no = no }
  end
  local function primary()
    local token = tokens[at]
    if token == nil then unexpected() end
    at = at + 1
    if token.kind == 'number' then return literal(token.value) end
    if token.kind == 'string' then return token.value end
    if token.kind == 'format' then return { type = 'format', format = token.value } end
    if token.kind == 'variable' then return { type = 'variable', name = token.value } end
    if token.kind == 'field' then return { type = 'index', of = IDENTITY, key = literal(token.value) } end
    if token.kind == 'sign' then
      if token.value == '..' then return { type = 'recurse' } end
      if token.value == '.' then
        if tokens[at] and tokens[at].kind == 'string' then
          at = at + 1
          return { type = 'index', of = IDENTITY, key = tokens[at - 1].value }
        end
        return IDENTITY
      end
      if token.value == '(' then
        local inner = pipe()
        expect(')')
        return inner
      end
      if token.value == '[' then
        if take(']') then return { type = 'array' } end
        local body = pipe()
        expect(']')
        return { type = 'array', body = body }
      end
      if token.value == '{' then return object_node() end
      if token.value == '-' then return { type = 'negation', of = term() } end
    elseif token.kind == 'keyword' then
      if token.value == 'if' then return condition() end
      if token.value == 'try' then
        local one = { type = 'try', body = term() }
        if take('catch') then one.handler = term() end
        return one
      end
      if token.value == 'reduce' or token.value == 'foreach' then
        local one = { type = token.value, of = term(true) }
        expect('as')
        one.pattern = pattern()
        expect('(')
        one.start = pipe()
        expect(';')
        one.step = pipe()
        if token.value == 'foreach' and take(';') then one.extract = pipe() end
        expect(')')
        return one
      end
      if token.value == 'label' then
        local name = name_of('variable')
        expect('|')
        return { type = 'label', name = name, body = pipe() }
      end
      if token.value == 'def' then
        local one = definition()
        one.body = pipe()
        return one
      end
      if token.value == 'import' or token.value == 'include' then fail(token.value .. ' is not available here', 2) end
    elseif token.kind == 'name' then
      if token.value == 'break' and tokens[at] and tokens[at].kind == 'variable' then return { type = 'breaks', name = name_of('variable') } end
      if token.value == 'null' then return literal(NULL) elseif token.value == 'true' then return literal(true) elseif token.value == 'false' then return literal(false) end
      local args = {}
      if take('(') then
        repeat args[#args + 1] = pipe() until not take(';')
        expect(')')
      end
      return { type = 'call', name = token.value, args = args }
    end
    at = at - 1
    unexpected()
  end
  term = function(is_source)
    local one = primary()
    while true do
      local token = tokens[at]
      if token and token.kind == 'field' then
        at = at + 1
        one = { type = 'index', of = one, key = literal(token.value) }
      elseif is('.') and tokens[at + 1] and tokens[at + 1].kind == 'string' then
        at = at + 2
        one = { type = 'index', of = one, key = tokens[at - 1].value }
      elseif is('[') or (is('.') and tokens[at + 1] and tokens[at + 1].value == '[') then
        take('.')
        at = at + 1
        if take(']') then one = { type = 'iterate', of = one }
        elseif take(':') then
          one = { type = 'slice', of = one, from = literal(NULL), to = pipe() }
          expect(']')
        else
          local key = pipe()
          if take(':') then
            one = { type = 'slice', of = one, from = key, to = is(']') and literal(NULL) or pipe() }
          else one = { type = 'index', of = one, key = key } end
          expect(']')
        end
      elseif is('?') then
        at = at + 1
        one = { type = 'optional', of = one }
      elseif not is_source and is('as') then
        at = at + 1
        local bound = { type = 'bind', of = one, pattern = pattern() }
        expect('|')
        bound.body = pipe()
        return bound
      else return one end
    end
  end
  local function level(next_level, operators, is_single)
    return function()
      local left = next_level()
      while tokens[at] and (tokens[at].kind == 'sign' or tokens[at].kind == 'keyword') and operators[tokens[at].value] do
        local operator = tokens[at].value
        at = at + 1
        left = operators[operator](left, next_level, operator)
        if is_single then break end
      end
      return left
    end
  end
  local function binary(left, right, operator) return { type = 'binary', operator = operator, left = left, right = right() } end
  local product = level(function() return term() end, { ['*'] = binary, ['/'] = binary, ['%'] = binary })
  local sum = level(product, { ['+'] = binary, ['-'] = binary })
  local comparison = level(sum, { ['=='] = binary, ['!='] = binary, ['<'] = binary, ['<='] = binary, ['>'] = binary, ['>='] = binary }, true)
  local conjunction = level(comparison, { ['and'] = function(left, right) return { type = 'and', left = left, right = right() } end })
  local disjunction = level(conjunction, { ['or'] = function(left, right) return { type = 'or', left = left, right = right() } end })
  local alternative
  -- The alternative binds to the right, and weaker than an assignment binds its left side.
  alternative = function()
    local left = disjunction()
    if take('//') then left = { type = 'alternative', left = left, right = alternative() } end
    local token = tokens[at]
    if token and token.kind == 'sign' and token.value:match('^[|+*/%%-]?/?=$') and token.value ~= '==' then
      at = at + 1
      return { type = 'update', operator = token.value, left = left, right = alternative() }
    end
    return left
  end
  local comma = level(function() return alternative() end, { [','] = function(left, right) return { type = 'comma', left = left, right = right() } end })
  pipe = function()
    if is('def') then
      at = at + 1
      local one = definition()
      one.body = pipe()
      return one
    end
    local left = comma()
    if take('|') then return { type = 'pipe', left = left, right = pipe() } end
    return left
  end
  if #tokens == 0 then return IDENTITY end
  local filter = pipe()
  if at <= #tokens then unexpected() end
  return filter
end
`
