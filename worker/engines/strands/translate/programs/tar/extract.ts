/** Writes members as files. */
export const TAR_EXTRACT = String.raw`
local mask
local made, dressed = {}, {}
local function make_directory(path)
  if path == '' or made[path] then return true end
  if not is_directory(path) and not os.execute('mkdir -p ' .. safe(path) .. ' 2> /dev/null') then return false end
  made[path] = is_directory(path)
  return made[path]
end
local function dress(path, one, plain)
  mask = mask or tonumber(output_of('umask'):match('%d+') or '22', 8)
  local bits = flags.permissions and one.mode or one.mode & 511 & ~mask
  if bits ~= plain & ~mask then os.execute(string.format('chmod %o %s 2> /dev/null', bits, safe(path))) end
end
-- Where a member goes to; nothing where it is left out.
local function target_of(name)
  local kept = {}
  for i, part in ipairs(parts_of(name)) do
    if part == '..' then return fault(name .. ": Member name contains '..'") end
    if part ~= '' or i == 1 then kept[#kept + 1] = part end
  end
  kept = { table.unpack(kept, strip + 1) }
  if #kept == 0 then return nil end
  local target = table.concat(kept, '/')
  if target ~= '' and not target:match('^/') then return target end
  if flags.absolute and strip == 0 then return name end
  if not errors.removed then errors[#errors + 1], errors.removed = REMOVED, true end
  target = target:gsub('^/+', '')
  return target == '' and '.' or target
end
local function extract(one, place)
  local name = target_of(one.name)
  if not name then return end
  local path = (joined(place, name):gsub('^%./(.)', '%1'))
  local function refused(why) fault(one.name .. ': Cannot open: ' .. why) end
  local parent = path:match('^(.*)/[^/]*$') or ''
  if one.kind == 'directory' then
    if is_link(path) and not is_directory(path) or exists(path) and not is_directory(path) then os.execute('rm -f ' .. safe(path)) end
    if not make_directory(path) then return refused('Permission denied') end
    dressed[#dressed + 1] = { path = path, member = one }
    return
  end
  if not make_directory(parent) then return refused('Permission denied') end
  if exists(path) then
    if flags.skip then return end
    if flags.keep then return refused('File exists') end
    if is_directory(path) and not is_link(path) then
      if output_of('ls -a ' .. safe(path)) ~= '' or not os.execute('rmdir ' .. safe(path)) then return refused('Is a directory') end
    else os.execute('rm -f ' .. safe(path)) end
  end
  if one.kind == 'symlink' then
    if not os.execute('ln -s ' .. quote(one.target) .. ' ' .. safe(path) .. ' 2> /dev/null') then refused('Permission denied') end
  elseif one.kind == 'link' then
    local source = joined(place, target_of(one.target) or one.target)
    if not exists(source) then return fault(one.name .. ": Cannot hard link to '" .. one.target .. "': No such file or directory") end
    if not os.execute('cp ' .. safe(source) .. ' ' .. safe(path)) then return refused('Permission denied') end
    dress(path, one, 438)
  elseif one.kind == 'file' then
    local why = write_bytes(path, one.content)
    if why then return refused(why) end
    dress(path, one, 438)
  else fault(one.name .. ': files of this kind are not known here') end
end
local function end_extraction()
  for at = #dressed, 1, -1 do dress(dressed[at].path, dressed[at].member, 511) end
end
`
