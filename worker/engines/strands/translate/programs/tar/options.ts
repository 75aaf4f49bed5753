/** The words of `tar`, also letters without a dash. */
export const TAR_OPTIONS = String.raw`
local TRY = "\nTry 'tar --help' or 'tar --usage' for more information."
local FATAL = '\ntar: Error is not recoverable: exiting now'
local REMOVED = "Removing leading ${'`'}/' from member names"
local mode, archive, compression, strip, owner, group = nil, '-', nil, 0, nil, nil
local flags, directories, operands, excluded, listed_in, excluded_in = {}, {}, {}, {}, {}, {}
local FLAGS = { v = 'verbose', O = 'stdout', k = 'keep', p = 'permissions', P = 'absolute', m = 'none', o = 'none', S = 'none' }
local LETTERS_OF = {
  create = 'c', extract = 'x', get = 'x', list = 't', append = 'r', file = 'f', directory = 'C', verbose = 'v', gzip = 'z',
  gunzip = 'z', ungzip = 'z', ['auto-compress'] = 'a', ['to-stdout'] = 'O', ['keep-old-files'] = 'k',
  ['preserve-permissions'] = 'p', ['same-permissions'] = 'p', ['absolute-names'] = 'P', touch = 'm', ['files-from'] = 'T',
  ['exclude-from'] = 'X', sparse = 'S', ['no-same-owner'] = 'o',
}
local LONG_FLAGS = {
  ['skip-old-files'] = 'skip', wildcards = 'wildcards', ['no-recursion'] = 'flat', ['numeric-owner'] = 'none', overwrite = 'none',
  ['no-same-permissions'] = 'none', ['same-owner'] = 'none', recursion = 'none', ['no-xattrs'] = 'none', ['no-acls'] = 'none', ['no-selinux'] = 'none',
}
local VALUES = { exclude = true, ['strip-components'] = true, owner = true, group = true, format = true, sort = true, warning = true }
local function read_letter(letter, value, option)
  if letter:match('[fCTX]') and not value then fail("option requires an argument -- '" .. letter .. "'" .. TRY, 64) end
  if letter:match('[cxtr]') then
    if mode and mode ~= letter then fail("You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option" .. TRY, 64) end
    mode = letter
  elseif letter == 'z' or letter == 'a' then compression = letter
  elseif letter == 'f' then archive = value
  elseif letter == 'C' then directories = { table.unpack(directories) }; directories[#directories + 1] = value
  elseif letter == 'T' then listed_in[#listed_in + 1] = value
  elseif letter == 'X' then excluded_in[#excluded_in + 1] = value
  elseif FLAGS[letter] then flags[FLAGS[letter]] = true
  else unknown(option) end
end
local function read_long(name, value, option)
  if name == 'exclude' then excluded[#excluded + 1] = value
  elseif name == 'owner' or name == 'group' then
    local text = value:gsub(':.*', '')
    if text == '0' or text == '+0' then text = 'root' end
    if name == 'owner' then owner = text else group = text end
  elseif name == 'strip-components' then
    if not value:match('^%d+$') then fail('Invalid number of elements: ' .. value .. TRY, 64) end
    strip = tonumber(value)
  elseif name == 'sort' and value ~= 'name' and value ~= 'none' then fail('--sort=' .. value .. ' is not available here: members come by name', 2)
  elseif name == 'format' and value ~= 'gnu' and value ~= 'ustar' then unknown(option) end
end
local function operand(name) operands[#operands + 1] = { name = name, directories = directories } end
local next_word = 1
local function taken()
  next_word = next_word + 1
  return arg[next_word - 1]
end
if arg[1] and arg[1] ~= '' and not arg[1]:match('^%-') then
  for letter in taken():gmatch('.') do read_letter(letter, letter:match('[fCTX]') and taken(), letter) end
end
while arg[next_word] do
  local word = taken()
  local name, value = word:match('^%-%-([%w-]+)=?(.*)$')
  if word == '--' then while arg[next_word] do operand(taken()) end
  elseif name then
    local is_attached = word:find('=', 1, true) ~= nil
    local letter = LETTERS_OF[name]
    local option = '--' .. name
    if letter and letter:match('[fCTX]') then read_letter(letter, is_attached and value or taken(), option)
    elseif letter and not is_attached then read_letter(letter, nil, option)
    elseif LONG_FLAGS[name] and not is_attached then flags[LONG_FLAGS[name]] = true
    elseif VALUES[name] then
      if not is_attached then value = taken() end
      if not value then fail("option '--" .. name .. "' requires an argument" .. TRY, 64) end
      read_long(name, value, option)
    else unknown(option) end
  elseif word == '-' or not word:match('^%-') then operand(word)
  else
    local at = 2
    while at <= #word do
      local letter = word:sub(at, at)
      at = at + 1
      if letter:match('[fCTX]') then
        read_letter(letter, at <= #word and word:sub(at) or taken(), '-' .. letter)
        break
      end
      read_letter(letter, nil, '-' .. letter)
    end
  end
end
`
