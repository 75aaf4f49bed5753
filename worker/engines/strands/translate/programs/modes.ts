/** The permissions of a mode as `ls -l` shows it, as a number. */
export const BITS_OF = `
local function bits_of(mode)
  local bits = 0
  for i = 2, 10 do bits = bits * 2 + (mode:sub(i, i):match('[-ST]') and 0 or 1) end
  return bits
end
`
