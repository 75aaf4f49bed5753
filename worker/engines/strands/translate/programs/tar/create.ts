import { DAYS_FROM } from '../days.ts'

/** Members of files, directories with all that is in them by name. */
export const TAR_CREATE = String.raw`
local errors, has_failed = {}, false
local function fault(text) errors[#errors + 1], has_failed = text, true end
local function joined(directory, name)
  if name:match('^/') then return name end
  return directory:match('/$') and directory .. name or directory .. '/' .. name
end
local function place_of(one)
  local place = '.'
  for _, next_place in ipairs(one.directories) do place = joined(place, next_place) end
  return place
end
${DAYS_FROM}local MONTHS = { Jan = 1, Feb = 2, Mar = 3, Apr = 4, May = 5, Jun = 6, Jul = 7, Aug = 8, Sep = 9, Oct = 10, Nov = 11, Dec = 12 }
local this_year
-- The seconds since 1970 of a time as ls tells it: to the minute, of old files to the day.
local function modified_of(date)
  local month, day, rest = date:match('^(%a+)%s+(%d+)%s+(%S+)$')
  if not MONTHS[month] then return os.time() end
  local hour, minute = rest:match('^(%d+):(%d+)$')
  this_year = this_year or tonumber((output_of('date +%Y'):match('%d+')))
  local year = hour and this_year or tonumber(rest) or this_year
  local function time() return days_from(year, MONTHS[month], tonumber(day)) * 86400 + tonumber(hour or 0) * 3600 + tonumber(minute or 0) * 60 end
  if hour and time() > os.time() + 86400 then year = year - 1 end
  return time()
end
local listings = {}
-- What ls tells of all in a directory, by name.
local function listing(directory)
  if listings[directory] then return listings[directory] end
  local found = { names = {} }
  for _, line in ipairs(lines_of(output_of('ls -la ' .. safe(joined(directory, '.'))))) do
    local mode, date, shown = line:match('^(%S+)%s+%d+%s+(%a+%s+%d+%s+%S+) (.*)$')
    if not shown then fail('a name with a line break in ' .. directory .. ' is not available here', 2) end
    local name = mode:match('^l') and shown:match('^(.-) %-> ') or shown
    if name ~= '.' and name ~= '..' then
      found.names[#found.names + 1] = name
      found[name] = { mode = bits_of(mode), kind = mode:sub(1, 1), modified = modified_of(date) }
    end
  end
  table.sort(found.names)
  listings[directory] = found
  return found
end
local function facts_of(path)
  local plain = path:gsub('(.)/+$', '%1')
  if plain:match('^%.*$') or plain:match('/%.*$') then plain = output_of('cd ' .. safe(plain) .. ' 2> /dev/null && pwd -P'):gsub('\n$', '') end
  if plain == '' then return nil end
  local parent, own = plain:match('^(.*)/([^/]*)$')
  local found = own ~= '' and listing(not parent and '.' or parent == '' and '/' or parent)[own or plain]
  return found or { mode = 493, kind = 'd', modified = os.time() }
end
local function member_name(name)
  if not name:match('^/') or flags.absolute then return name end
  if not errors.removed then errors[#errors + 1], errors.removed = REMOVED, true end
  name = name:gsub('^/+', '')
  return name == '' and '.' or name
end
local function gathered(globs)
  local members, is_excluded = {}, excluding(globs)
  local user = os.getenv('USER')
  if not user or user == '' then user = 'lash' end
  local archive_name = archive ~= '-' and archive:match('[^/]*$')
  local function add(path, name)
    if is_excluded(name) then return end
    if not exists(path) then return fault(name .. ': Cannot stat: No such file or directory') end
    local facts = facts_of(path)
    if path:match('[^/]*$') == archive_name and os.execute('[ ' .. safe(path) .. ' -ef ' .. safe(archive) .. ' ]') then
      errors[#errors + 1] = name .. ': file is the archive; not dumped'
      return
    end
    local kind = facts.kind == 'd' and 'directory' or facts.kind == 'l' and 'symlink' or facts.kind == '-' and 'file'
    if kind == 'file' and is_directory(path) then kind = 'directory' end
    if not kind then fail(name .. ', which is no file, directory or link, is not available here', 2) end
    local one = { name = member_name(name), kind = kind, mode = facts.mode, user = owner or user, group = group or user, modified = facts.modified, target = '', content = '' }
    if kind == 'symlink' then one.target = output_of('readlink ' .. safe(path)):gsub('\n$', '')
    elseif kind == 'file' then
      local content, why = bytes_of(path)
      if not content then return fault(name .. ': Cannot open: ' .. why) end
      one.content = content
    end
    members[#members + 1] = one
    if kind ~= 'directory' or flags.flat then return end
    for _, inner in ipairs(listing(path).names) do add(joined(path, inner), without_slashes(name) .. '/' .. inner) end
  end
  for _, one in ipairs(operands) do add((joined(place_of(one), one.name):gsub('^%./', '')), one.name) end
  return members
end
`
