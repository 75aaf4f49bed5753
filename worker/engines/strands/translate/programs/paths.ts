/** Where a path leads to. */
const RESOLVING = String.raw`
local must_exist, files = false, {}
for i = 1, #arg do
  if arg[i] == '-e' then must_exist = true
  elseif arg[i]:match('^%-.') then
    if NAME ~= 'readlink' or arg[i] ~= '-f' then unknown(arg[i]) end
  else files[#files + 1] = arg[i] end
end
if #files == 0 then fail('missing operand') end
local function line(command) return (output_of(command):gsub('\n$', '')) end
local function resolved(path, depth)
  if depth > 40 or path == '' then return nil end
  path = path:gsub('(.)/+$', '%1')
  if is_directory(path) and not is_link(path) then return line('cd ' .. quote(path) .. ' && pwd -P') end
  local parent, own = path:match('^(.*)/([^/]*)$')
  if not parent then parent, own = '.', path end
  local home = line('cd ' .. quote(parent == '' and '/' or parent) .. ' 2> /dev/null && pwd -P')
  if home == '' then return nil end
  local place = (home == '/' and '' or home) .. '/' .. own
  if own == '..' or own == '.' then return nil end
  if not is_link(place) then return place end
  local target = line('readlink ' .. quote(place))
  return resolved(target:match('^/') and target or (home == '/' and '' or home) .. '/' .. target, depth + 1)
end
for _, file in ipairs(files) do
  local path = resolved(file, 0)
  if path and (not must_exist or exists(path)) then io.write(path, '\n')
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
local symbolic, plain, paths = false, false, {}
for i = 1, #arg do
  if arg[i]:match('^%-.') then
    for letter in arg[i]:sub(2):gmatch('.') do
      if letter == 's' then symbolic = true elseif letter == 'n' or letter == 'T' then plain = true
      elseif letter ~= 'f' then unknown('-' .. letter) end
    end
  else paths[#paths + 1] = arg[i] end
end
if #paths ~= 2 then fail('ln -f of other than one target and one name is not available here', 2) end
if not symbolic then fail('a hard link is not available here: use -s', 2) end
local target, name = paths[1], paths[2]:gsub('(.)/+$', '%1')
if is_directory(name) and not (plain and is_link(name)) then
  if plain then fail(name .. ': cannot overwrite directory') end
  name = name .. '/' .. target:gsub('/+$', ''):match('[^/]*$')
end
if is_directory(name) and not is_link(name) then fail(name .. ': cannot overwrite directory') end
if exists(name) then os.execute('rm -f ' .. quote(name)) end
if not os.execute('ln -s ' .. quote(target) .. ' ' .. quote(name)) then failed = 1 end`,
  mkdir: String.raw`
local mode, parents, names, at = nil, false, {}, 1
while arg[at] do
  local option = arg[at]
  if option == '-p' or option == '--parents' then parents = true
  elseif option == '-m' or option == '-pm' then at = at + 1; mode, parents = arg[at], parents or option == '-pm'
  elseif option:match('^%-m.') then mode = option:sub(3)
  elseif option:match('^%-%-mode=') then mode = option:sub(8)
  elseif option:match('^%-.') then unknown(option)
  else names[#names + 1] = option end
  at = at + 1
end
if #names == 0 then fail('missing operand') end
if not (mode or ''):match('^[0-7]+$') then fail('this mode of mkdir is not available here: use a number', 2) end
for _, name in ipairs(names) do
  local was_there = is_directory(name)
  if not os.execute('mkdir ' .. (parents and '-p ' or '') .. quote(name)) then failed = 1
  elseif not was_there then os.execute('chmod ' .. quote(mode) .. ' ' .. quote(name)) end
end`,
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
