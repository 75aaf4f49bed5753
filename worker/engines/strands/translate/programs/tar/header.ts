/** The blocks of members, as GNU tar writes them, and what blocks say: the formats ustar, GNU and pax. */
export const TAR_HEADER = String.raw`
local KIND_FLAGS = { file = '0', link = '1', symlink = '2', directory = '5' }
local FLAG_KINDS = { [''] = 'file', ['0'] = 'file', ['7'] = 'file', ['1'] = 'link', ['2'] = 'symlink', ['5'] = 'directory' }
local function padded(content) return content .. ('\0'):rep(-#content % 512) end
local function sum_of(block)
  local sum = 8 * 32
  for at = 1, 512, 128 do
    for i, byte in ipairs({ block:byte(at, at + 127) }) do
      if at + i - 1 < 149 or at + i - 1 > 156 then sum = sum + byte end
    end
  end
  return sum
end
local function field(text, width) return text:sub(1, width) .. ('\0'):rep(width - #text) end
local function octal(value, digits) return string.format('%0' .. digits .. 'o\0', value) end
local function header(one, flag, name, target, size, id)
  id = id or (one.user == 'root' and 0 or 1000)
  local before = field(name, 100) .. octal(one.mode & 4095, 7) .. octal(id, 7) .. octal(id, 7) .. octal(size, 11) .. octal(math.max(0, one.modified), 11)
  local behind = flag .. field(target, 100) .. 'ustar  \0' .. field(one.user:sub(1, 31), 32) .. field(one.group:sub(1, 31), 32)
  behind = behind .. ('\0'):rep(512 - #before - 8 - #behind)
  return before .. string.format('%06o\0 ', sum_of(before .. (' '):rep(8) .. behind)) .. behind
end
local function long_name(flag, text)
  local owned = { mode = 420, modified = 0, user = 'root', group = 'root' }
  return header(owned, flag, '././@LongLink', '', #text + 1, 0) .. padded(text .. '\0')
end
local function written(one)
  local name = one.kind == 'directory' and without_slashes(one.name) .. '/' or one.name
  local long = (#one.target > 100 and long_name('K', one.target) or '') .. (#name > 100 and long_name('L', name) or '')
  return long .. header(one, KIND_FLAGS[one.kind], name, one.target, #one.content) .. padded(one.content)
end
-- The archive of members, behind the members of one that is there, in whole records.
local function archive_of(members, before)
  local out, size = { before }, #before
  for _, one in ipairs(members) do
    local blocks = written(one)
    out[#out + 1], size = blocks, size + #blocks
  end
  out[#out + 1] = ('\0'):rep(1024 + -(size + 1024) % 10240)
  return table.concat(out)
end
local function text_at(block, at, length) return (block:sub(at + 1, at + length):match('^[^%z]*')) end
-- A number in octal digits, or in bytes where the first bit says so.
local function number_at(block, at, length)
  local first = block:byte(at + 1)
  if first & 128 ~= 0 then
    local value = first & 127
    for i = at + 2, at + length do value = value << 8 | block:byte(i) end
    return value
  end
  return tonumber(text_at(block, at, length):match('[0-7]+') or '0', 8)
end
-- Lines such as 27 path=name of an entry of pax.
local function say(said, content)
  local at = 1
  while at <= #content do
    local length = tonumber(content:match('^%d+', at) or '')
    if not length or length < 1 then break end
    local key, value = content:sub(at, at + length - 1):match('^%d+ ([^=]+)=(.*)\n$')
    if key == 'path' then said.name = value elseif key == 'linkpath' then said.target = value
    elseif key == 'size' then said.size = tonumber(value) elseif key == 'mtime' then said.modified = math.floor(tonumber(value) or 0) end
    at = at + length
  end
end
local function member(block, flag, said, content)
  local prefix = text_at(block, 257, 8) == 'ustar' and text_at(block, 345, 155) or ''
  local name = said.name or (prefix == '' and '' or prefix .. '/') .. text_at(block, 0, 100)
  local kind = FLAG_KINDS[flag] or 'other'
  if kind == 'file' and name:match('/$') then kind = 'directory' end
  local user, group = text_at(block, 265, 32), text_at(block, 297, 32)
  return {
    name = name, kind = kind, mode = number_at(block, 100, 8) & 4095, modified = said.modified or number_at(block, 136, 12),
    user = user ~= '' and user or tostring(number_at(block, 108, 8)), group = group ~= '' and group or tostring(number_at(block, 116, 8)),
    target = said.target or text_at(block, 157, 100), content = kind == 'file' and content or '',
  }
end
-- The members of an archive, where the last one ends, and whether it is none or cut.
local function members_of(data)
  local members, said, at = {}, {}, 1
  while at + 511 <= #data do
    local block = data:sub(at, at + 511)
    if not block:find('[^%z]') then break end
    if number_at(block, 148, 8) ~= sum_of(block) then return members, at, #members == 0 and 'none' or 'cut' end
    local flag = text_at(block, 156, 1)
    local size = said.size or number_at(block, 124, 12)
    if at + 511 + size > #data then return members, at, 'cut' end
    local content = data:sub(at + 512, at + 511 + size)
    at = at + 512 + (size + 511) // 512 * 512
    if flag == 'L' then said.name = text_at(content, 0, size)
    elseif flag == 'K' then said.target = text_at(content, 0, size)
    elseif flag == 'x' then say(said, content)
    elseif flag ~= 'g' then
      members[#members + 1] = member(block, flag, said, content)
      said = {}
    end
  end
  return members, at, #data < 512 and 'none' or nil
end
`
