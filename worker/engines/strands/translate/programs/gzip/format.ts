/** Files of gzip: what stands around compressed data. */
export const GZIP_FORMAT = String.raw`
local GZIP_SIGN = '\31\139'
local function gzipped(data, level)
  return GZIP_SIGN .. '\8\0\0\0\0\0\0\3' .. deflate(data, level) .. string.pack('<I4I4', crc_of(data), #data & 0xffffffff)
end
-- What all parts of a file hold; or nothing, and 'none', 'cut', 'damaged', 'big' or 'crc'. Behind it whether something else follows.
local function gunzipped(data)
  local at, out, total = 1, {}, 0
  while data:sub(at, at + 1) == GZIP_SIGN do
    if #data < at + 17 then return nil, 'cut' end
    local flags = data:byte(at + 3)
    if data:byte(at + 2) ~= 8 then return nil, 'none' end
    at = at + 10
    if flags & 4 ~= 0 then at = at + 2 + string.unpack('<I2', data, at) end
    for _, flag in ipairs({ 8, 16 }) do
      if flags & flag ~= 0 then
        local stop = data:find('\0', at, true)
        if not stop then return nil, 'cut' end
        at = stop + 1
      end
    end
    if flags & 2 ~= 0 then at = at + 2 end
    local text, next_at = inflate(data, at)
    if not text then return nil, next_at end
    if next_at + 7 > #data then return nil, 'cut' end
    local crc, size = string.unpack('<I4I4', data, next_at)
    if crc ~= crc_of(text) or size ~= #text & 0xffffffff then return nil, 'crc' end
    total = total + #text
    if total > MOST_INFLATED then return nil, 'big' end
    out[#out + 1] = text
    at = next_at + 8
  end
  if #out == 0 then return nil, 'none' end
  return table.concat(out), data:find('[^%z]', at) ~= nil
end
`
