/** The checksum of gzip, of four bytes. */
export const CRC = String.raw`
local CRC_TABLE = {}
for byte = 0, 255 do
  local value = byte
  for _ = 1, 8 do value = value & 1 == 1 and 0xedb88320 ~ (value >> 1) or value >> 1 end
  CRC_TABLE[byte] = value
end
local function crc_of(text)
  local crc, table_of = 0xffffffff, CRC_TABLE
  for at = 1, #text, 256 do
    local bytes = { text:byte(at, at + 255) }
    for i = 1, #bytes do crc = table_of[(crc ~ bytes[i]) & 255] ~ (crc >> 8) end
  end
  return crc ~ 0xffffffff
end
`
