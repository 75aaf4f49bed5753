import { SURE_INPUT } from './sure-input.ts'

const DIGEST = String.raw`
local ALL = 0xffffffff
local function blocks(text, format)
  return text .. '\128' .. ('\0'):rep((55 - #text) % 64) .. string.pack(format, #text * 8)
end
local function left(x, n) return ((x << n) | (x >> (32 - n))) & ALL end
local function right(x, n) return ((x >> n) | (x << (32 - n))) & ALL end
`

const PRINT = String.raw`
local files = {}
local ended = false
for i = 1, #arg do
  if arg[i] == '--' and not ended then ended = true
  elseif ended or not arg[i]:match('^%-.') then files[#files + 1] = arg[i]
  elseif not arg[i]:match('^%-[bt]$') then unknown(arg[i]) end
end
if #files == 0 then files[1] = '-' end
for _, file in ipairs(files) do
  if file:find('[\\\n]') then fail('a name with a backslash or a line break is not available here', 2) end
  local text, problem = sure_input(file)
  if text then io.write(digest(text), '  ', file, '\n')
  else
    io.stderr:write(NAME, ': ', problem, '\n')
    failed = 1
  end
end`

/** Programs that compute digests, and `base64`. */
export const DIGEST_PROGRAMS: Readonly<Record<string, string>> = {
  md5sum: String.raw`${SURE_INPUT}${DIGEST}
local function digest(text)
  local turns = { { 7, 12, 17, 22 }, { 5, 9, 14, 20 }, { 4, 11, 16, 23 }, { 6, 10, 15, 21 } }
  local sines = {}
  for i = 0, 63 do sines[i] = math.floor(math.abs(math.sin(i + 1)) * 4294967296) end
  local a, b, c, d = 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476
  local padded = blocks(text, '<I8')
  for at = 1, #padded, 64 do
    local words = { string.unpack('<' .. ('I4'):rep(16), padded, at) }
    local p, q, r, s = a, b, c, d
    for i = 0, 63 do
      local round, mixed, word = i // 16, nil, nil
      if round == 0 then mixed, word = (q & r) | (~q & s), i
      elseif round == 1 then mixed, word = (s & q) | (~s & r), (5 * i + 1) % 16
      elseif round == 2 then mixed, word = q ~ r ~ s, (3 * i + 5) % 16
      else mixed, word = r ~ (q | (~s & ALL)), (7 * i) % 16 end
      mixed = (mixed + p + sines[i] + words[word + 1]) & ALL
      p, s, r, q = s, r, q, (q + left(mixed, turns[round + 1][i % 4 + 1])) & ALL
    end
    a, b, c, d = (a + p) & ALL, (b + q) & ALL, (c + r) & ALL, (d + s) & ALL
  end
  return (string.pack('<I4I4I4I4', a, b, c, d):gsub('.', function(char) return string.format('%02x', char:byte()) end))
end
${PRINT}`,
  sha1sum: String.raw`${SURE_INPUT}${DIGEST}
local function digest(text)
  local a, b, c, d, e = 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0
  local padded = blocks(text, '>I8')
  for at = 1, #padded, 64 do
    local words = { string.unpack('>' .. ('I4'):rep(16), padded, at) }
    for i = 17, 80 do words[i] = left(words[i - 3] ~ words[i - 8] ~ words[i - 14] ~ words[i - 16], 1) end
    local p, q, r, s, t = a, b, c, d, e
    for i = 1, 80 do
      local mixed, constant
      if i <= 20 then mixed, constant = (q & r) | (~q & s), 0x5a827999
      elseif i <= 40 then mixed, constant = q ~ r ~ s, 0x6ed9eba1
      elseif i <= 60 then mixed, constant = (q & r) | (q & s) | (r & s), 0x8f1bbcdc
      else mixed, constant = q ~ r ~ s, 0xca62c1d6 end
      p, q, r, s, t = (left(p, 5) + (mixed & ALL) + t + constant + words[i]) & ALL, p, left(q, 30), r, s
    end
    a, b, c, d, e = (a + p) & ALL, (b + q) & ALL, (c + r) & ALL, (d + s) & ALL, (e + t) & ALL
  end
  return string.format('%08x%08x%08x%08x%08x', a, b, c, d, e)
end
${PRINT}`,
  sha256sum: String.raw`${SURE_INPUT}${DIGEST}
local function digest(text)
  local constants, state = {}, {}
  local number = 2
  while #constants < 64 do
    local is_prime = true
    for i = 2, math.floor(math.sqrt(number)) do if number % i == 0 then is_prime = false end end
    if is_prime then
      constants[#constants + 1] = math.floor(number ^ (1 / 3) % 1 * 4294967296)
      if #state < 8 then state[#state + 1] = math.floor(math.sqrt(number) % 1 * 4294967296) end
    end
    number = number + 1
  end
  local padded = blocks(text, '>I8')
  for at = 1, #padded, 64 do
    local words = { string.unpack('>' .. ('I4'):rep(16), padded, at) }
    for i = 17, 64 do
      local x, y = words[i - 15], words[i - 2]
      local small = right(x, 7) ~ right(x, 18) ~ (x >> 3)
      local large = right(y, 17) ~ right(y, 19) ~ (y >> 10)
      words[i] = (words[i - 16] + small + words[i - 7] + large) & ALL
    end
    local a, b, c, d, e, f, g, h = table.unpack(state)
    for i = 1, 64 do
      local one = h + (right(e, 6) ~ right(e, 11) ~ right(e, 25)) + ((e & f) ~ (~e & g)) + constants[i] + words[i]
      local two = (right(a, 2) ~ right(a, 13) ~ right(a, 22)) + ((a & b) ~ (a & c) ~ (b & c))
      a, b, c, d, e, f, g, h = (one + two) & ALL, a, b, c, (d + one) & ALL, e, f, g
    end
    for i, value in ipairs({ a, b, c, d, e, f, g, h }) do state[i] = (state[i] + value) & ALL end
  end
  return (('%08x'):rep(8)):format(table.unpack(state))
end
${PRINT}`,
  base64: String.raw`${SURE_INPUT}
local LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
local width, decodes, file, at = 76, false, nil, 1
while arg[at] do
  local option = arg[at]
  if option == '-d' or option == '--decode' then decodes = true
  elseif option == '-w' or option == '--wrap' then at = at + 1; width = tonumber(arg[at])
  elseif option:match('^%-w%d+$') then width = tonumber(option:sub(3))
  elseif option:match('^%-%-wrap=%d+$') then width = tonumber(option:sub(8))
  elseif option:match('^%-.') then unknown(option)
  elseif file then fail("extra operand '" .. option .. "'")
  else file = option end
  at = at + 1
end
if not width then fail('invalid wrap size') end
local text, problem = sure_input(file or '-')
if not text then fail(problem) end
if decodes then
  local letters = text:gsub('\n', '')
  local body, pad = letters:match('^([%w+/]*)(=?=?)$')
  local out, value, bits = {}, 0, 0
  for char in (body or ''):gmatch('.') do
    value, bits = (value << 6 | LETTERS:find(char, 1, true) - 1) & 0xffffff, bits + 6
    if bits >= 8 then
      bits = bits - 8
      out[#out + 1] = string.char(value >> bits & 255)
    end
  end
  local found = table.concat(out)
  if not body or (#body + #pad) % 4 ~= 0 then fail('an input that is not whole base64 is not available here', 2) end
  put_bytes(found)
else
  local out = {}
  for first = 1, #text, 3 do
    local a, b, c = text:byte(first, first + 2)
    local value = a << 16 | (b or 0) << 8 | (c or 0)
    for shift = 18, 0, -6 do
      local place = (value >> shift & 63) + 1
      local is_there = shift >= 12 or (shift == 6 and b) or (shift == 0 and c)
      out[#out + 1] = is_there and LETTERS:sub(place, place) or '='
    end
  end
  local whole = table.concat(out)
  if width == 0 then io.write(whole)
  else for first = 1, #whole, width do io.write(whole:sub(first, first + width - 1), '\n') end end
end`,
}
