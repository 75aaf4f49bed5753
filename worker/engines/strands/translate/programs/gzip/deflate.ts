/**
 * Compresses data to the format deflate: copies that a hash of three bytes finds, in blocks of the fixed codes. A block that
 * becomes no smaller is stored as it is.
 */
export const DEFLATE = String.raw`
local LITERAL_CODE, LITERAL_BITS, LENGTH_CODE, DISTANCE_CODE, DISTANCE_REVERSED = {}, {}, {}, {}, {}
do
  local function reversed(value, count)
    local out = 0
    for _ = 1, count do
      out = out << 1 | value & 1
      value = value >> 1
    end
    return out
  end
  for symbol = 0, 287 do
    local bits = symbol < 144 and 8 or symbol < 256 and 9 or symbol < 280 and 7 or 8
    local code = symbol < 144 and 48 + symbol or symbol < 256 and 256 + symbol or symbol < 280 and symbol - 256 or symbol - 88
    LITERAL_CODE[symbol], LITERAL_BITS[symbol] = reversed(code, bits), bits
  end
  for code = 0, 28 do
    for length = LENGTH_BASE[code], math.min(258, LENGTH_BASE[code] + (1 << LENGTH_BITS[code]) - 1) do LENGTH_CODE[length] = code end
  end
  for code = 0, 29 do
    DISTANCE_REVERSED[code] = reversed(code, 5)
    -- Small distances by themselves, others by their upper bits.
    for distance = DISTANCE_BASE[code], DISTANCE_BASE[code] + (1 << DISTANCE_BITS[code]) - 1 do
      if distance <= 256 then DISTANCE_CODE[distance] = code else DISTANCE_CODE[256 + ((distance - 1) >> 7)] = code end
    end
  end
end
local function deflate(data, level)
  local size, byte, out, words, bits, held = #data, string.byte, {}, {}, 0, 0
  local head, before, most_tries = {}, {}, level * 4
  local pack = '<' .. ('I4'):rep(512)
  local function put(value, count)
    bits, held = bits | value << held, held + count
    if held >= 32 then
      words[#words + 1] = bits & 0xffffffff
      bits, held = bits >> 32, held - 32
      if #words == 512 then
        out[#out + 1] = string.pack(pack, table.unpack(words))
        words = {}
      end
    end
  end
  -- Goes on with whole bytes.
  local function align()
    if held % 8 > 0 then put(0, 8 - held % 8) end
    out[#out + 1] = string.pack('<' .. ('I4'):rep(#words), table.unpack(words))
    words = {}
    while held > 0 do
      out[#out + 1] = string.char(bits & 255)
      bits, held = bits >> 8, held - 8
    end
  end
  local function remember(at)
    local one, two, three = byte(data, at, at + 2)
    local hash = (one << 10 ~ two << 5 ~ three) & 0xffff
    before[at & 32767], head[hash] = head[hash] or 0, at
  end
  -- The longest copy of what stands at a place, from before it.
  local function match(at)
    local one, two, three = byte(data, at, at + 2)
    local candidate, best, from, tries = head[(one << 10 ~ two << 5 ~ three) & 0xffff] or 0, 2, 0, 0
    local most = math.min(258, size - at + 1)
    while candidate > 0 and at - candidate <= 32768 and tries < most_tries do
      tries = tries + 1
      if byte(data, candidate + best) == byte(data, at + best) and byte(data, candidate) == one then
        local length = 1
        while length < most and byte(data, candidate + length) == byte(data, at + length) do length = length + 1 end
        if length > best then
          best, from = length, candidate
          if length == most then break end
        end
      end
      local older = before[candidate & 32767]
      if not older or older >= candidate then break end
      candidate = older
    end
    return best, at - from, from
  end
  local at = 1
  repeat
    local first, tokens, cost = at, {}, 10
    while at <= size and at - first < 32768 do
      local length, distance, from = 0, 0, 0
      if at + 2 <= size then length, distance, from = match(at) end
      if from > 0 then
        -- A copy as one number: its length and its distance.
        tokens[#tokens + 1] = length << 16 | distance
        local code = LENGTH_CODE[length]
        local far = distance <= 256 and DISTANCE_CODE[distance] or DISTANCE_CODE[256 + ((distance - 1) >> 7)]
        cost = cost + LITERAL_BITS[257 + code] + LENGTH_BITS[code] + 5 + DISTANCE_BITS[far]
        for i = at, math.min(at + length - 1, size - 2) do remember(i) end
        at = at + length
      else
        local value = byte(data, at)
        tokens[#tokens + 1] = value
        cost = cost + LITERAL_BITS[value]
        if at + 2 <= size then remember(at) end
        at = at + 1
      end
    end
    local is_last, count = at > size and 1 or 0, at - first
    put(is_last, 1)
    if cost >= count * 8 + 40 then
      put(0, 2)
      align()
      out[#out + 1] = string.pack('<I2I2', count, count ~ 0xffff)
      out[#out + 1] = data:sub(first, at - 1)
    else
      put(1, 2)
      for i = 1, #tokens do
        local token = tokens[i]
        if token < 65536 then put(LITERAL_CODE[token], LITERAL_BITS[token])
        else
          local length, distance = token >> 16, token & 0xffff
          local code = LENGTH_CODE[length]
          local far = distance <= 256 and DISTANCE_CODE[distance] or DISTANCE_CODE[256 + ((distance - 1) >> 7)]
          put(LITERAL_CODE[257 + code], LITERAL_BITS[257 + code])
          put(length - LENGTH_BASE[code], LENGTH_BITS[code])
          put(DISTANCE_REVERSED[far], 5)
          put(distance - DISTANCE_BASE[far], DISTANCE_BITS[far])
        end
      end
      put(LITERAL_CODE[256], LITERAL_BITS[256])
    end
  until at > size
  align()
  return table.concat(out)
end
`
