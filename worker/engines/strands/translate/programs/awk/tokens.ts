/** The words and signs of a program of awk, in lua. What only gawk has beside a few functions is refused. */
export const AWK_TOKENS = String.raw`
local function refused(what, instead) fail(what .. ' is not available here' .. (instead and ': ' .. instead or ''), 2) end
local function wrong() fail('syntax error', 1) end
-- The character that begins at a byte.
local function char_at(text, at) return text:match('^[%z\1-\127\192-\255][\128-\191]*', at) end
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
      local sign = char_at(text, at + 1)
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
`
