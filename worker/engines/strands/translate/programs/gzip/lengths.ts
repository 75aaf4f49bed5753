/** Lengths and distances of copies in compressed data: the first value of each code, and how many bits follow it. */
export const LENGTHS = String.raw`
local LENGTH_BASE, LENGTH_BITS, DISTANCE_BASE, DISTANCE_BITS = {}, {}, {}, {}
do
  local length = 3
  for code = 0, 27 do
    LENGTH_BITS[code] = code < 8 and 0 or code // 4 - 1
    LENGTH_BASE[code] = length
    length = length + (1 << LENGTH_BITS[code])
  end
  LENGTH_BASE[28], LENGTH_BITS[28] = 258, 0
  local distance = 1
  for code = 0, 29 do
    DISTANCE_BITS[code] = code < 4 and 0 or code // 2 - 1
    DISTANCE_BASE[code] = distance
    distance = distance + (1 << DISTANCE_BITS[code])
  end
end
`
