/** Where a path leads to. */
const RESOLVING = String.raw`
local must_exist, may_miss, only_links, bare, files = false, false, NAME == 'readlink', false, {}
for i = 1, #arg do
  if arg[i]:match('^%-%w') then
    for letter in arg[i]:sub(2):gmatch('.') do
      if letter == 'e' then must_exist, only_links = true, false
      elseif letter == 'm' then may_miss, only_links = true, false
      elseif letter == 'f' and NAME == 'readlink' then only_links = false
      elseif letter == 'n' and NAME == 'readlink' then bare = true
      else unknown('-' .. letter) end
    end
  elseif arg[i]:match('^%-.') then unknown(arg[i])
  else files[#files + 1] = arg[i] end
end
if #files == 0 then fail('missing operand') end
if #files > 1 then bare = false end
local function line(command) return (output_of(command):gsub('\n$', '')) end
local function resolved(path, depth)
  if depth > 40 or path == '' then return nil end
  path = path:gsub('(.)/+$', '%1')
  if is_directory(path) and not is_link(path) then return line('cd ' .. quote(path) .. ' && pwd -P') end
  local parent, own = path:match('^(.*)/([^/]*)$')
  if not parent then parent, own = '.', path end
  local home = line('cd ' .. quote(parent == '' and '/' or parent) .. ' 2> /dev/null && pwd -P')
  if home == '' then
    local above = may_miss and parent ~= path and resolved(parent, depth + 1)
    return above and own ~= '.' and own ~= '..' and (above == '/' and '' or above) .. '/' .. own or nil
  end
  local place = (home == '/' and '' or home) .. '/' .. own
  if own == '..' or own == '.' then return nil end
  if not is_link(place) then return place end
  local target = line('readlink ' .. quote(place))
  return resolved(target:match('^/') and target or (home == '/' and '' or home) .. '/' .. target, depth + 1)
end
for _, file in ipairs(files) do
  local path
  if only_links then path = is_link(file) and line('readlink ' .. quote(file))
  else path = resolved(file, 0) end
  if may_miss and not path then fail(file .. ' with -m is not available here', 2) end
  if path and (not must_exist or exists(path)) then io.write(path, bare and '' or '\n')
  else
    if NAME == 'realpath' then io.stderr:write('realpath: ', file == '' and "''" or file, ': No such file or directory\n') end
    failed = 1
  end
end`

/** Options of programs that change files, which the engine's own lack; each does it by way of the engine's. */
export const PATH_PROGRAMS: Readonly<Record<string, string>> = {
  readlink: RESOLVING,
  realpath: RESOLVING,
  ln: String.raw`
local symbolic, plain, forced, told, paths = false, false, false, false, {}
for i = 1, #arg do
  if arg[i]:match('^%-.') then
    for letter in arg[i]:sub(2):gmatch('.') do
      if letter == 's' then symbolic = true elseif letter == 'n' or letter == 'T' then plain = true
      elseif letter == 'f' then forced = true elseif letter == 'v' then told = true else unknown('-' .. letter) end
    end
  else paths[#paths + 1] = arg[i] end
end
if #paths ~= 2 then fail('these options with other than one target and one name are not available here', 2) end
if not symbolic then fail('a hard link is not available here: use -s', 2) end
local target, name = paths[1], paths[2]:gsub('(.)/+$', '%1')
if is_directory(name) and not (plain and is_link(name)) then
  if plain then fail(name .. ': cannot overwrite directory') end
  name = name .. '/' .. target:gsub('/+$', ''):match('[^/]*$')
end
if is_directory(name) and not is_link(name) then fail(name .. ': cannot overwrite directory') end
if exists(name) and not forced then fail("failed to create symbolic link '" .. name .. "': File exists") end
if exists(name) then os.execute('rm -f ' .. quote(name)) end
if not os.execute('ln -s ' .. quote(target) .. ' ' .. quote(name)) then failed = 1
elseif told then io.write("'", name, "' -> '", target, "'\n") end`,
  mkdir: String.raw`
local mode, parents, told, names, at = nil, false, false, {}, 1
while arg[at] do
  local option = arg[at]
  if option:match('^%-[pv]+$') then parents, told = parents or option:find('p') ~= nil, told or option:find('v') ~= nil
  elseif option == '--parents' then parents = true
  elseif option == '-m' or option == '-pm' then at = at + 1; mode, parents = arg[at], parents or option == '-pm'
  elseif option:match('^%-m.') then mode = option:sub(3)
  elseif option:match('^%-%-mode=') then mode = option:sub(8)
  elseif option == '--' then
    table.move(arg, at + 1, #arg, 1, names)
    break
  elseif option:match('^%-.') then unknown(option)
  else names[#names + 1] = option end
  at = at + 1
end
if #names == 0 then fail('missing operand') end
if mode and not mode:match('^[0-7]+$') then fail('this mode of mkdir is not available here: use a number', 2) end
for _, name in ipairs(names) do
  local made, above = {}, (name:gsub('(.)/+$', '%1'))
  while above and above ~= '' and not exists(above) do
    table.insert(made, 1, above)
    above = parents and above:match('^(.*[^/])/+[^/]*$') or nil
  end
  local blocked = parents and above and above ~= '' and not is_directory(above) and above
  local why = blocked and (#made == 0 and 'File exists' or 'Not a directory')
    or not parents and (exists(name) and 'File exists' or name:find('/[^/]') and not exists(name:match('^(.*)/[^/]+/*$') .. '/') and 'No such file or directory')
  if why then
    io.stderr:write("mkdir: cannot create directory '", blocked or name, "': ", why, '\n')
    failed = 1
  elseif not os.execute('mkdir ' .. (parents and '-p ' or '') .. quote(name)) then failed = 1
  elseif #made > 0 then
    if mode then os.execute('chmod ' .. quote(mode) .. ' ' .. quote(name)) end
    for _, one in ipairs(told and made or {}) do io.write("mkdir: created directory '", one, "'\n") end
  end
end`,
  rm: String.raw`
local flags, names, ended = '', {}, false
for i = 1, #arg do
  if arg[i] == '--' and not ended then ended = true
  elseif not ended and arg[i]:match('^%-.') then
    if arg[i]:match('[^-frRdv]') then unknown(arg[i]) end
    flags = flags .. arg[i]
  else names[#names + 1] = arg[i] end
end
local recursive, forced, told = flags:match('[rR]'), flags:match('f'), flags:match('v')
local function complain(name, why)
  io.stderr:write("rm: cannot remove '", name, "': ", why, '\n')
  failed = 1
end
local function removed(name, command, kind)
  if not os.execute(command .. quote(name:match('^%-') and './' .. name or name)) then failed = 1
  elseif told then io.write('removed ', kind, "'", name, "'\n") end
end
if #names == 0 and not forced then fail('missing operand') end
for _, name in ipairs(names) do
  local is_tree = is_directory(name) and not is_link(name)
  if not exists(name) then
    if not forced then complain(name, 'No such file or directory') end
  elseif not is_tree then removed(name, 'rm -f ', '')
  elseif recursive then
    local found = {}
    for path in output_of('find ' .. quote(name:match('^%-') and './' .. name or name) .. ' -print0'):gmatch('([^%z]+)%z') do found[#found + 1] = path end
    for at = #found, 1, -1 do
      local is_inner = is_directory(found[at]) and not is_link(found[at])
      removed(found[at], is_inner and 'rmdir ' or 'rm -f ', is_inner and 'directory ' or '')
    end
  elseif not flags:match('d') then complain(name, 'Is a directory')
  elseif output_of('ls -a ' .. quote(name)) ~= '' then complain(name, 'Directory not empty')
  else removed(name, 'rmdir ', 'directory ') end
end`,
  rmdir: String.raw`
local parents, told, quiet, names = false, false, false, {}
for i = 1, #arg do
  if arg[i] == '--ignore-fail-on-non-empty' then quiet = true
  elseif arg[i]:match('^%-[pv]+$') then parents, told = parents or arg[i]:find('p') ~= nil, told or arg[i]:find('v') ~= nil
  elseif arg[i]:match('^%-.') then unknown(arg[i])
  else names[#names + 1] = arg[i] end
end
if #names == 0 then fail('missing operand') end
for _, name in ipairs(names) do
  while name do
    if told then io.write("rmdir: removing directory, '", name, "'\n") end
    local why
    if not exists(name) then why = 'No such file or directory'
    elseif not is_directory(name) or is_link(name) then why = 'Not a directory'
    elseif output_of('ls -a ' .. quote(name)) ~= '' then why = 'Directory not empty'
    elseif not os.execute('rmdir ' .. quote(name)) then why = 'not removed' end
    if why and not (quiet and why == 'Directory not empty') then
      io.stderr:write("rmdir: failed to remove '", name, "': ", why, '\n')
      failed = 1
    end
    name = parents and not why and name:match('^(.*[^/])/+[^/]+/*$') or nil
  end
end`,
  mktemp: String.raw`
local is_tree, dry, place, suffix, in_place, template, at = false, false, nil, '', false, nil, 1
while arg[at] do
  local option = arg[at]
  if option:match('^%-[dqut]*p?$') and option ~= '-' then
    is_tree, dry, in_place = is_tree or option:find('d') ~= nil, dry or option:find('u') ~= nil, in_place or option:find('t') ~= nil
    if option:match('p$') then at = at + 1; place = arg[at] end
  elseif option == '--directory' then is_tree = true
  elseif option == '--quiet' then is_tree = is_tree
  elseif option == '--dry-run' then dry = true
  elseif option == '--tmpdir' then in_place = true
  elseif option:match('^%-%-tmpdir=') then place = option:sub(10)
  elseif option:match('^%-%-suffix=') then suffix = option:sub(10)
  elseif option:match('^%-p.') then place = option:sub(3)
  elseif option:match('^%-.') then unknown(option)
  elseif template then fail('too many templates')
  else template = option end
  at = at + 1
end
local home = os.getenv('TMPDIR')
if not home or home == '' then home = '/tmp' end
if not template then template = 'tmp.XXXXXXXXXX'; in_place = true end
if place == '' then place = home end
if place or in_place then template = (place or home) .. '/' .. template end
if suffix ~= '' and not template:match('X$') then fail('with --suffix, template must end in X') end
local before, signs, after = (template .. suffix):match('^(.-)(X+)([^X/]*)$')
if not before then fail("too few X's in template '" .. template .. "'") end
if #signs < 3 then fail("too few X's in template '" .. template .. "'") end
local LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
local path
repeat
  path = before .. signs:gsub('X', function() local n = math.random(#LETTERS); return LETTERS:sub(n, n) end) .. after
until not exists(path)
if not dry then
  local parent = path:match('^(.+)/[^/]*$') or '.'
  if path:match('/') and not is_directory(parent == '' and '/' or parent) then
    fail('failed to create ' .. (is_tree and 'directory' or 'file') .. " via template '" .. template .. "': No such file or directory")
  end
  local made = os.execute((is_tree and 'mkdir ' or ': > ') .. quote(path))
  if not made then os.exit(1) end
  os.execute('chmod ' .. (is_tree and '700 ' or '600 ') .. quote(path))
end
io.write(path, '\n')`,
  chmod: String.raw`
local words = {}
for i = 1, #arg do
  if arg[i] ~= '-R' and arg[i] ~= '--recursive' then words[#words + 1] = arg[i] end
end
local mode = words[1]
if #words < 2 then fail('missing operand') end
if mode:match('^%-') then fail('this mode with -R is not available here: write a' .. mode, 2) end
for i = 2, #words do
  local root = words[i]
  if root:match('^%-') then unknown(root) end
  if not exists(root) then
    io.stderr:write("chmod: cannot access '", root, "': No such file or directory\n")
    failed = 1
  else
    local found = {}
    for path in output_of('find ' .. quote(root) .. ' ! -type l -print0'):gmatch('([^%z]+)%z') do found[#found + 1] = path end
    for at = #found, 1, -1 do
      if not os.execute('chmod ' .. quote(mode) .. ' ' .. quote(found[at])) then failed = 1 end
    end
  end
end`,
}
