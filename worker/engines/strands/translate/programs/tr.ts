/** `tr` of sets that the engine reads otherwise: characters by number, repeats, other classes, ranges and options. */
export const TR_PROGRAM: Readonly<Record<string, string>> = {
  tr: String.raw`
local LETTERS = { complement = 'c', delete = 'd', ['squeeze-repeats'] = 's', ['truncate-set1'] = 't' }
local flags, sets, ended = {}, {}, false
for i = 1, #arg do
  local word = arg[i]
  local long = word:match('^%-%-(.+)$')
  if ended or not word:match('^%-.') then sets[#sets + 1] = word
  elseif word == '--' then ended = true
  elseif long then flags[LETTERS[long] or unknown(word)] = true
  else
    for letter in word:sub(2):gmatch('.') do
      if not ('cCdst'):find(letter, 1, true) then fail("invalid option -- '" .. letter .. "'") end
      flags[letter:lower()] = true
    end
  end
end
local most = flags.d and not flags.s and 1 or 2
local least = (flags.d and flags.s or not flags.d and not flags.s) and 2 or 1
if #sets < 1 then fail('missing operand') end
if #sets < least then fail('missing operand after \u{2018}' .. sets[1] .. '\u{2019}') end
if #sets > most then fail('extra operand \u{2018}' .. sets[most + 1] .. '\u{2019}') end
-- Characters of a text; bytes that are none have no place in the sets here.
local function characters(text, what)
  if not utf8.len(text) then fail(what .. ' that is no UTF-8 is not available here: use lua', 2) end
  local out = {}
  for _, code in utf8.codes(text) do out[#out + 1] = code end
  return out
end
local function between(...)
  local out, ends = {}, { ... }
  for i = 1, #ends, 2 do for code = ends[i], ends[i + 1] do out[#out + 1] = code end end
  return out
end
local CLASSES = {
  alnum = between(48, 57, 65, 90, 97, 122), alpha = between(65, 90, 97, 122), blank = { 9, 32 }, cntrl = between(0, 31, 127, 127),
  digit = between(48, 57), graph = between(33, 126), lower = between(97, 122), print = between(32, 126),
  punct = between(33, 47, 58, 64, 91, 96, 123, 126), space = between(9, 13, 32, 32), upper = between(65, 90),
  xdigit = between(48, 57, 65, 70, 97, 102),
}
local SIGNS = { a = 7, b = 8, f = 12, n = 10, r = 13, t = 9, v = 11, ['\\'] = 92 }
local function signs_of(text)
  local codes, escaped, chars, i = {}, {}, characters(text, 'a set'), 1
  while i <= #chars do
    local code = chars[i]
    if code == 92 and chars[i + 1] then
      local digits = ''
      while #digits < 3 and chars[i + 1] and chars[i + 1] >= 48 and chars[i + 1] <= 55 and tonumber(digits .. (chars[i + 1] - 48), 8) < 256 do
        digits, i = digits .. (chars[i + 1] - 48), i + 1
      end
      if digits ~= '' then code = tonumber(digits, 8)
      else
        i = i + 1
        code = SIGNS[utf8.char(chars[i])] or chars[i]
      end
      if code > 127 and digits ~= '' then fail('a byte above \\177 in a set is not available here: use lua', 2) end
      escaped[#codes + 1] = true
    end
    codes[#codes + 1] = code
    i = i + 1
  end
  return codes, escaped
end
-- The characters of a set; where lower and upper begin in it; and the other kinds of classes that it has.
local function expanded(text, size)
  local codes, escaped = signs_of(text)
  local out, i, fill, cases, kinds = {}, 1, nil, {}, {}
  local function plain(at, char) return codes[at] == char:byte() and not escaped[at] end
  local function closing(from, char)
    for at = from, #codes - 1 do if plain(at, char) and plain(at + 1, ']') then return at end end
  end
  while i <= #codes do
    local close = plain(i, '[') and plain(i + 1, ':') and closing(i + 2, ':')
    local repeated
    if not close and plain(i, '[') and codes[i + 1] and plain(i + 2, '*') then
      local at = i + 3
      while codes[at] and codes[at] >= 48 and codes[at] <= 57 and not escaped[at] do at = at + 1 end
      if plain(at, ']') then repeated = at end
    end
    if close then
      local name = ''
      for at = i + 2, close - 1 do name = name .. utf8.char(codes[at]) end
      if name == 'lower' or name == 'upper' then cases[#out + 1] = name else kinds.class = true end
      for _, code in ipairs(CLASSES[name] or fail("invalid character class \u{2018}" .. name .. "\u{2019}")) do out[#out + 1] = code end
      i = close + 2
    elseif plain(i, '[') and plain(i + 1, '=') and codes[i + 2] and plain(i + 3, '=') and plain(i + 4, ']') then
      kinds.equal = true
      out[#out + 1] = codes[i + 2]
      i = i + 5
    elseif repeated then
      if not size then fail('the [c*] repeat construct may not appear in string1') end
      local digits = ''
      for at = i + 3, repeated - 1 do digits = digits .. utf8.char(codes[at]) end
      local count = digits == '' and 0 or tonumber(digits, digits:sub(1, 1) == '0' and 8 or 10)
      if count == nil then fail('invalid repeat count \u{2018}' .. digits .. '\u{2019} in [c*n] construct') end
      if count == 0 and fill then fail('only one [c*] repeat construct may appear in string2') end
      if count == 0 then fill = { at = #out + 1, code = codes[i + 1] } else for _ = 1, math.min(count, size) do out[#out + 1] = codes[i + 1] end end
      i = repeated + 1
    elseif codes[i + 2] and plain(i + 1, '-') then
      local from, to = codes[i], codes[i + 2]
      if from > to then
        fail("range-endpoints of '" .. utf8.char(from) .. '-' .. utf8.char(to) .. "' are in reverse collating sequence order")
      end
      for code = from, to do out[#out + 1] = code end
      i = i + 3
    else
      out[#out + 1] = codes[i]
      i = i + 1
    end
  end
  if fill then for _ = #out + 1, size do table.insert(out, fill.at, fill.code) end end
  return out, cases, kinds, fill ~= nil
end
local first, cases_of_first = expanded(sets[1])
local is_in = {}
for _, code in ipairs(first) do is_in[code] = true end
local function chosen(code) return (is_in[code] == true) ~= (flags.c == true) end
local translates = not flags.d and #sets == 2
local second, cases, kinds, fills = {}, {}, {}, false
if sets[2] then second, cases, kinds, fills = expanded(sets[2], flags.c and 1 or #first) end
if fills and not translates then fail('the [c*] construct may appear in string2 only when translating') end
if translates then
  if kinds.equal then fail('[=c=] expressions may not appear in string2 when translating') end
  if kinds.class then
    fail("when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'")
  end
  for at in pairs(cases) do
    if not flags.c and not cases_of_first[at] then fail('misaligned [:upper:] and/or [:lower:] construct') end
  end
  if cases[#second - 25] and not flags.t and (flags.c or #first > #second) then
    fail('when translating with string1 longer than string2,\nthe latter string must not end with a character class')
  end
end
if translates and #second == 0 and not flags.t then fail('when not truncating set1, string2 must be non-empty') end
local to = {}
if translates and not flags.c then
  for i, code in ipairs(first) do
    if i <= #second or not flags.t then to[code] = second[math.min(i, #second)] end
  end
end
local last_of_second = second[#second]
if translates and flags.c then
  for _, code in ipairs(second) do
    if code ~= last_of_second then fail('-c with several characters to write is not available here: give one', 2) end
  end
end
local squeezed = {}
if flags.s then for _, code in ipairs(#sets == 2 and second or {}) do squeezed[code] = true end end
local function squeezes(code)
  if not flags.s then return false end
  if #sets == 2 then return squeezed[code] == true end
  return chosen(code)
end
local out, before = {}, nil
for _, code in ipairs(characters(io.read('a') or '', 'an input')) do
  local is_chosen = chosen(code)
  if not (flags.d and is_chosen) then
    if translates and is_chosen then code = flags.c and last_of_second or to[code] or code end
    if code ~= before or not squeezes(code) then out[#out + 1] = utf8.char(code) end
    before = code
  end
end
io.write(table.concat(out))`,
}
