import { BITS_OF } from './modes.ts'

/** The words of `cp` and `mv`, and what stands in a directory by the engine's listing of it. */
const PLACES = String.raw`
local LONG = {
  ['recursive'] = 'r', ['archive'] = 'a', ['force'] = 'f', ['no-clobber'] = 'n', ['update'] = 'u', ['verbose'] = 'v',
  ['no-target-directory'] = 'T', ['no-dereference'] = 'P', ['dereference'] = 'L', ['preserve'] = 'p', ['preserve=mode'] = 'p', ['preserve=all'] = 'a',
}
local flags, into, names, at, ended = {}, nil, {}, 1, false
while arg[at] do
  local option = arg[at]
  if ended or not option:match('^%-.') then names[#names + 1] = option
  elseif option == '--' then ended = true
  elseif option:match('^%-%-target%-directory=.') then into = option:sub(20)
  elseif option:match('^%-%-') then
    local letter = LONG[option:sub(3)]
    if not letter or not LETTERS:find(letter, 1, true) then unknown(option) end
    flags[letter] = true
  else
    for letter in option:sub(2):gmatch('.') do
      if not LETTERS:find(letter, 1, true) then unknown('-' .. letter) end
      flags[letter] = true
    end
    if flags.t and not into then at = at + 1; into = arg[at] or fail("option requires an argument -- 't'") end
  end
  at = at + 1
end
local function complain(text)
  io.stderr:write(NAME, ': ', text, '\n')
  failed = 1
end
local function said(path) return "'" .. path .. "'" end
local function trimmed(path) return (path:gsub('(.)/+$', '%1')) end
local function joined(directory, name) return directory:match('/$') and directory .. name or directory .. '/' .. name end
local function real(directory) return (output_of('cd ' .. safe(directory) .. ' 2> /dev/null && pwd -P'):gsub('\n$', '')) end
local function is_real_directory(path) return is_directory(path) and not is_link(path) end
local function is_same(one, other) return os.execute('[ ' .. safe(one) .. ' -ef ' .. safe(other) .. ' ]') == true end
local function parent_of(path) return path:match('^(.+)/[^/]*$') or path:match('^(/)[^/]*$') or '.' end
-- Whether a place is in a directory, or is the directory.
local function is_inside(place, directory)
  local outer = real(directory)
  local inner = is_directory(place) and real(place) or joined(real(parent_of(place)), place:match('[^/]*$'))
  return inner == outer or inner:sub(1, #outer + 1) == outer .. '/'
end
local function is_kept(source, target)
  if not exists(target) then return false end
  if flags.n then return true end
  return flags.u and not os.execute('[ ' .. safe(source) .. ' -nt ' .. safe(target) .. ' ]')
end
if #names == 0 then fail('missing file operand') end
if not into and #names == 1 then fail('missing destination file operand after ' .. said(names[1])) end
if flags.T and (into or #names > 2) then fail('extra operand ' .. said(names[3] or '')) end
if into and not is_directory(into) then fail('target directory ' .. said(into) .. ': No such file or directory') end
local last = names[#names]
if not into and not flags.T and is_directory(last) then into = last end
if not into and #names > 2 then fail('target ' .. said(last) .. (exists(last) and ': Not a directory' or ': No such file or directory')) end
if into == last then names[#names] = nil end
local function each(act)
  if #names == 2 and not into then return act(names[1], last) end
  for _, name in ipairs(names) do act(name, joined(into, trimmed(name):match('[^/]*$'))) end
end`

/** `cp` and `mv`: the engine's own lack options, give a copy the mode of a new file, follow links and lose a directory that moves into itself. */
export const COPYING_PROGRAMS: Readonly<Record<string, string>> = {
  cp: String.raw`
local LETTERS = 'adfLnPpRrTtuv'
${PLACES}
flags.r = flags.r or flags.R or flags.a
flags.p = flags.p or flags.a
local keeps_links = (flags.r or flags.P or flags.d) and not flags.L
local listings = {}
local function listing(directory)
  local found = listings[directory]
  if found then return found end
  found = {}
  for _, line in ipairs(lines_of(output_of('ls -la ' .. safe(directory .. '/.')))) do
    local mode, shown = line:match('^(%S+)%s+%d+%s+%a+%s+%d+%s+%S+ (.*)$')
    local name = shown and mode:match('^l') and shown:match('^(.-) %-> ') or shown
    if not name then found.is_odd = true
    elseif name ~= '.' and name ~= '..' then found[#found + 1] = { name = name, mode = mode }; found[name] = mode end
  end
  listings[directory] = found
  return found
end
${BITS_OF}local masked
-- The number of a mode, without what new files do not get.
local function number_of(mode)
  local bits = bits_of(mode)
  if flags.p then return bits end
  masked = masked or tonumber(output_of('umask'):match('%d+') or '22', 8)
  return bits & ~masked
end
local function mode_of(path)
  if is_link(path) then
    local target = output_of('readlink ' .. safe(path)):gsub('\n$', '')
    return mode_of(target:match('^/') and target or joined(parent_of(path), target))
  end
  if not is_directory(path) then return output_of('ls -la ' .. safe(path)):match('^%S+') end
  if path:match('^%.*$') or path:match('/%.*$') then return nil end
  return listing(parent_of(path))[path:match('[^/]*$')]
end
-- Binds that the engine writes to itself have no modes: there the copy stays as it is.
local function set_mode(path, mode, plain)
  local number = mode and number_of(mode)
  if number and number ~= plain then os.execute(string.format('chmod %o %s 2> /dev/null', number, safe(path))) end
end
local copy
local function copy_directory(source, target)
  if not flags.r then return complain('-r not specified; omitting directory ' .. said(source)) end
  if exists(target) and not is_directory(target) then
    return complain('cannot overwrite non-directory ' .. said(target) .. ' with directory ' .. said(source))
  end
  if is_inside(target, source) then
    return complain('cannot copy a directory, ' .. said(source) .. ', into itself, ' .. said(target))
  end
  local entries = listing(trimmed(source))
  if entries.is_odd then fail(source .. ': a name in it with a line break is not available here', 2) end
  local is_new = not is_directory(target)
  if is_new and not os.execute('mkdir ' .. safe(target)) then failed = 1; return end
  if is_new and flags.v then io.write(said(source), ' -> ', said(target), '\n') end
  for _, entry in ipairs(entries) do copy(joined(source, entry.name), joined(target, entry.name), entry.mode) end
  if is_new or flags.p then set_mode(target, mode_of(trimmed(source)), 493) end
end
copy = function(source, target, mode)
  local is_pointer = is_link(source) and keeps_links
  if not is_pointer and not os.execute('[ -e ' .. safe(source) .. ' ]') then return complain('cannot stat ' .. said(source) .. ': No such file or directory') end
  if not is_pointer and is_directory(source) then return copy_directory(source, target) end
  if is_real_directory(target) then
    return complain('cannot overwrite directory ' .. said(target) .. ' with non-directory' .. (is_pointer and '' or ' ' .. said(source)))
  end
  if target:match('/$') then return complain('cannot create regular file ' .. said(target) .. ': Not a directory') end
  if is_kept(source, target) then return end
  if is_same(source, target) and not (is_pointer and not is_link(target)) then return complain(said(source) .. ' and ' .. said(target) .. ' are the same file') end
  local was_there, is_done = exists(target), nil
  if is_pointer then
    if was_there then os.execute('rm -f ' .. safe(target)) end
    is_done = os.execute('ln -s ' .. quote((output_of('readlink ' .. safe(source)):gsub('\n$', ''))) .. ' ' .. safe(target))
  else
    is_done = os.execute('cp ' .. safe(source) .. ' ' .. safe(target))
    if is_done and (not was_there or flags.p) then set_mode(target, mode and not mode:match('^l') and mode or mode_of(source), 420) end
  end
  if not is_done then failed = 1 elseif flags.v then io.write(said(source), ' -> ', said(target), '\n') end
end
each(function(source, target) copy(source, target) end)`,
  mv: String.raw`
local LETTERS = 'fnTtuv'
${PLACES}
local function move(source, target)
  local from = trimmed(source)
  if not exists(from) then return complain('cannot stat ' .. said(source) .. ': No such file or directory') end
  local is_tree = is_real_directory(from)
  if is_kept(from, target) then return end
  if is_tree and is_inside(trimmed(target), from) and not is_same(from, target) then
    return complain('cannot move ' .. said(source) .. ' to a subdirectory of itself, ' .. said(target))
  end
  if exists(target) and is_same(from, target) and not (is_link(target) and not is_link(from)) then return complain(said(source) .. ' and ' .. said(target) .. ' are the same file') end
  if is_real_directory(target) then
    if not is_tree then return complain('cannot overwrite directory ' .. said(target) .. ' with non-directory ' .. said(source)) end
    if output_of('ls -a ' .. safe(target)) ~= '' then return complain('cannot move ' .. said(source) .. ' to ' .. said(target) .. ': Directory not empty') end
    os.execute('rmdir ' .. safe(target))
  elseif is_tree and exists(target) then
    return complain('cannot overwrite non-directory ' .. said(target) .. ' with directory ' .. said(source))
  elseif not is_tree and target:match('/$') then
    return complain('cannot move ' .. said(source) .. ' to ' .. said(target) .. ': Not a directory')
  end
  if not os.execute('mv ' .. safe(from) .. ' ' .. safe(trimmed(target))) then failed = 1
  elseif flags.v then io.write('renamed ', said(source), ' -> ', said(target), '\n') end
end
each(move)`,
}
