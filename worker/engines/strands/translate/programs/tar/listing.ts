/** Lines of `tar -t` and `-v`, whose columns become wider as they go. */
export const TAR_LISTING = String.raw`
local LISTED_KINDS = { file = '-', link = 'h', symlink = 'l', directory = 'd', other = '?' }
local listed_width = 19
-- A date and a time of day, of seconds since 1970.
local function time_text(seconds)
  local days, minutes = seconds // 86400, seconds % 86400 // 60
  local z = days + 719468
  local era = z // 146097
  local of_era = z - era * 146097
  local year_of_era = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
  local of_year = of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
  local month = (5 * of_year + 2) // 153
  local day = of_year - (153 * month + 2) // 5 + 1
  month = month < 10 and month + 3 or month - 9
  local year = year_of_era + era * 400 + (month <= 2 and 1 or 0)
  return string.format('%04d-%02d-%02d %02d:%02d', year, month, day, minutes // 60, minutes % 60)
end
local function permissions(mode)
  local out = ''
  for at, shift in ipairs({ 6, 3, 0 }) do
    local bits, special, letter = mode >> shift & 7, mode & ({ 2048, 1024, 512 })[at] ~= 0, at == 3 and 't' or 's'
    local last = special and (bits & 1 ~= 0 and letter or letter:upper()) or bits & 1 ~= 0 and 'x' or '-'
    out = out .. (bits & 4 ~= 0 and 'r' or '-') .. (bits & 2 ~= 0 and 'w' or '-') .. last
  end
  return out
end
local function listing_line(one, is_long)
  local shown = one.kind == 'directory' and without_slashes(one.name) .. '/' or one.name
  if not is_long then return shown .. '\n' end
  local who, size = one.user .. '/' .. one.group, tostring(#one.content)
  listed_width = math.max(listed_width, #who + 1 + #size)
  local link = one.kind == 'symlink' and ' -> ' .. one.target or one.kind == 'link' and ' link to ' .. one.target or ''
  return LISTED_KINDS[one.kind] .. permissions(one.mode) .. ' ' .. who .. (' '):rep(listed_width - #who - #size) .. size .. ' ' .. time_text(one.modified) .. ' ' .. shown .. link .. '\n'
end
`
