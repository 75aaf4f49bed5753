/** Decompresses data of the format deflate, all three kinds of blocks. */
export const INFLATE = String.raw`
local MOST_INFLATED = 32 * 1024 * 1024
local CODE_ORDER = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 }
-- The codes of symbols by the bits as they come: short ones in a table of all that may follow them.
local function codes_of(lengths, count)
  local counts, next_code, code, fast, slow = {}, {}, 0, {}, {}
  for length = 0, 15 do counts[length] = 0 end
  for symbol = 0, count - 1 do counts[lengths[symbol]] = counts[lengths[symbol]] + 1 end
  counts[0] = 0
  local left = 1
  for length = 1, 15 do
    left = left * 2 - counts[length]
    if left < 0 then return nil end
    code = (code + counts[length - 1]) << 1
    next_code[length] = code
  end
  for symbol = 0, count - 1 do
    local length = lengths[symbol]
    if length > 0 then
      local value, reversed = next_code[length], 0
      next_code[length] = value + 1
      for _ = 1, length do
        reversed = reversed << 1 | value & 1
        value = value >> 1
      end
      local entry = symbol << 4 | length
      if length <= 10 then for at = reversed, 1023, 1 << length do fast[at] = entry end
      else slow[length << 16 | reversed] = entry end
    end
  end
  return { fast = fast, slow = slow }
end
local fixed_codes
local function fixed()
  if fixed_codes then return fixed_codes[1], fixed_codes[2] end
  local lengths, distances = {}, {}
  for symbol = 0, 287 do lengths[symbol] = symbol < 144 and 8 or symbol < 256 and 9 or symbol < 280 and 7 or 8 end
  for symbol = 0, 29 do distances[symbol] = 5 end
  fixed_codes = { codes_of(lengths, 288), codes_of(distances, 30) }
  return fixed_codes[1], fixed_codes[2]
end
-- The text of compressed data from a place on, and the place behind it; or nothing, and what is wrong with it.
local function inflate(data, at)
  local bits, held, size, recent, filled, done = 0, 0, #data, {}, 0, {}
  local total, problem = 0, nil
  local function take(count)
    while held < count do
      bits = bits | (data:byte(at) or 0) << held
      at, held = at + 1, held + 8
    end
    local value = bits & ((1 << count) - 1)
    bits, held = bits >> count, held - count
    return value
  end
  local function symbol_of(codes)
    while held < 15 do
      bits = bits | (data:byte(at) or 0) << held
      at, held = at + 1, held + 8
    end
    local entry = codes.fast[bits & 1023]
    if not entry then
      for length = 11, 15 do
        entry = codes.slow[length << 16 | bits & ((1 << length) - 1)]
        if entry then break end
      end
      if not entry then return nil end
    end
    local length = entry & 15
    bits, held = bits >> length, held - length
    return entry >> 4
  end
  local function flush(kept)
    local stop = filled - kept
    for from = 1, stop, 4096 do done[#done + 1] = string.char(table.unpack(recent, from, math.min(from + 4095, stop))) end
    table.move(recent, stop + 1, filled, 1)
    total, filled = total + stop, kept
    if total > MOST_INFLATED then problem = 'big' end
  end
  local function copied(codes, distances)
    while not problem do
      local symbol = symbol_of(codes)
      if not symbol then return 'damaged' end
      if symbol < 256 then
        filled = filled + 1
        recent[filled] = symbol
      elseif symbol == 256 then return nil
      else
        if symbol > 285 then return 'damaged' end
        local length = LENGTH_BASE[symbol - 257] + take(LENGTH_BITS[symbol - 257])
        local code = symbol_of(distances)
        if not code or code > 29 then return 'damaged' end
        local from = filled - (DISTANCE_BASE[code] + take(DISTANCE_BITS[code]))
        if from < 0 then return 'damaged' end
        for i = 1, length do recent[filled + i] = recent[from + i] end
        filled = filled + length
      end
      if filled > 65536 then flush(32768) end
      if at > size + 8 then return 'cut' end
    end
    return problem
  end
  local function dynamic()
    local literals, distances, told = take(5) + 257, take(5) + 1, take(4) + 4
    local lengths = {}
    for symbol = 0, 18 do lengths[symbol] = 0 end
    for i = 1, told do lengths[CODE_ORDER[i]] = take(3) end
    local codes, all, count = codes_of(lengths, 19), {}, 0
    if not codes then return nil end
    while count < literals + distances do
      local symbol = symbol_of(codes)
      if not symbol then return nil end
      local value, times = symbol, 1
      if symbol == 16 then value, times = all[count - 1], take(2) + 3
      elseif symbol == 17 then value, times = 0, take(3) + 3
      elseif symbol == 18 then value, times = 0, take(7) + 11 end
      if not value or count + times > literals + distances then return nil end
      for _ = 1, times do all[count] = value; count = count + 1 end
    end
    local others = {}
    for i = 0, distances - 1 do others[i] = all[literals + i] end
    return codes_of(all, literals), codes_of(others, distances)
  end
  local function stored()
    at, bits, held = at - held // 8, 0, 0
    if at + 3 > size then return 'cut' end
    local length, check = string.unpack('<I2I2', data, at)
    if length ~= check ~ 0xffff then return 'damaged' end
    if at + 3 + length > size then return 'cut' end
    for from = at + 4, at + 3 + length, 4096 do
      local last = math.min(from + 4095, at + 3 + length)
      table.move({ data:byte(from, last) }, 1, last - from + 1, filled + 1, recent)
      filled = filled + last - from + 1
      if filled > 65536 then flush(32768) end
    end
    at = at + 4 + length
    return problem
  end
  repeat
    local is_last, kind = take(1), take(2)
    if kind == 0 then problem = stored()
    elseif kind == 3 then problem = 'damaged'
    else
      local codes, distances
      if kind == 1 then codes, distances = fixed() else codes, distances = dynamic() end
      problem = codes and distances and copied(codes, distances) or (not codes or not distances) and 'damaged' or nil
    end
    if at - held // 8 > size + 1 then problem = 'cut' end
    if problem then return nil, problem end
  until is_last == 1
  flush(0)
  if problem then return nil, problem end
  return table.concat(done), at - held // 8
end
`
