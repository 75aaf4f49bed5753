/** The inputs of `jq` in lua, one after another. */
export const JQ_INPUTS = String.raw`
local inputs_of = {}
local function next_input()
  while #inputs_of > 0 do
    local value = inputs_of[1]()
    if value ~= nil then return value end
    table.remove(inputs_of, 1)
  end
end
`

/** The command line of `jq` in lua: it runs what `parse_filter` makes of the filter. */
export const JQ_COMMAND_LINE = String.raw`
local options, filter_text, files, status, at = {}, nil, {}, 0, 1
local named, positional, rest_kind = object({}, {}), {}, nil
local function parsed_argument(text, option)
  local ok, value = pcall(parsed, text)
  if not ok then fail('Invalid JSON text passed to --' .. option, 2) end
  return value
end
local SWITCHES = { n = 'null-input', r = 'raw-output', c = 'compact-output', s = 'slurp', R = 'raw-input', e = 'exit-status', j = 'join-output', S = 'sort-keys', a = 'ascii-output', C = 'color-output', M = 'monochrome-output' }
local LONG = { tab = true, ['unbuffered'] = true }
for _, name in pairs(SWITCHES) do LONG[name] = true end
local function value_of_option()
  at = at + 1
  return arg[at] or fail('an option has no value', 2)
end
local ended = false
while arg[at] do
  local word = arg[at]
  local long = not ended and word:match('^%-%-(.+)$')
  if ended or not word:match('^%-.') then
    if not filter_text then filter_text = word
    elseif rest_kind then positional[#positional + 1] = rest_kind == 'args' and word or parsed_argument(word, 'jsonargs')
    else files[#files + 1] = word end
  elseif word == '--' then ended = true
  elseif long == 'arg' or long == 'argjson' or long == 'slurpfile' or long == 'rawfile' then
    local name = value_of_option()
    local value = value_of_option()
    if long == 'argjson' then value = parsed_argument(value, 'argjson')
    elseif long == 'rawfile' then value = slurp(value)
    elseif long == 'slurpfile' then
      local items, next_value = {}, reader(slurp(value))
      for one in next_value do items[#items + 1] = one end
      value = array(items)
    end
    if named.map[name] == nil then
      named = with_key(named, name, value)
      globals[name] = value
    end
  elseif long == 'args' or long == 'jsonargs' then rest_kind = long
  elseif long == 'indent' then options.indent = tonumber(value_of_option())
  elseif long == 'from-file' or word == '-f' then
    local path = value_of_option()
    if filter_text then table.insert(files, 1, filter_text) end
    filter_text = slurp(path)
  elseif long and LONG[long] then options[long] = true
  elseif long then unknown(word)
  else
    for letter in word:sub(2):gmatch('.') do
      if not SWITCHES[letter] then unknown('-' .. letter) end
      options[SWITCHES[letter]] = true
    end
  end
  at = at + 1
end
if options['color-output'] then unknown('-C') end
filter_text = filter_text or '.'
if filter_text:find('$ENV', 1, true) then globals.ENV = environment() end
globals.ARGS = object({ 'positional', 'named' }, { positional = array(positional), named = named })
ascii_only, sorts_keys = options['ascii-output'] or false, options['sort-keys'] or false
local filter = parse_filter(filter_text)
check(filter, {})
local raw = {}
local function source(text)
  if options['raw-input'] then raw[#raw + 1] = text else inputs_of[#inputs_of + 1] = reader(text) end
end
local missing = false
local reads = not options['null-input'] or filter_text:find('input')
if #files == 0 then
  if reads then source(io.read('a') or '') end
elseif reads then
  for _, path in ipairs(files) do
    local text = text_of(path)
    if text then source(text)
    else
      io.stderr:write('jq: error: Could not open file ', path, ': ', is_directory(path) and 'Is a directory' or 'No such file or directory', '\n')
      missing = true
    end
  end
end
if options['raw-input'] then
  local text = table.concat(raw)
  if options.slurp then
    local is_told = false
    inputs_of[1] = function() if not is_told then is_told = true; return text end end
    options.slurp = false
  else
    local rows, row = lines_of(text), 0
    inputs_of[1] = function() row = row + 1; return rows[row] end
  end
end
local indent = options.tab and '\t' or (options.indent and (' '):rep(options.indent)) or '  '
if options['compact-output'] and not options.tab and not options.indent or indent == '' then indent = nil end
local is_raw = options['raw-output'] or options['join-output']
local last
local out = {}
local function emit(value)
  last = value
  out[#out + 1] = is_raw and type(value) == 'string' and value or json(value, indent)
  if not options['join-output'] then out[#out + 1] = '\n' end
  if #out > 1000 then
    io.write(table.concat(out))
    out = {}
  end
end
local function told(problem)
  io.write(table.concat(out))
  out = {}
  if type(problem) == 'table' and problem.passed ~= nil then return told(problem.passed) end
  if type(problem) ~= 'table' then
    if tostring(problem):match('__strands_shell_exit') then error(problem, 0) end
    if tostring(problem):match('stack overflow') then fail('a filter that is nested this deep is not available here: use lua', 2) end
    fail(tostring(problem) .. ' is not available here: use lua', 2)
  end
  if problem.invalid then
    io.stderr:write('parse error: ', problem.invalid, '\n')
    os.exit(2)
  end
  local message = problem.message
  if is_break(message) then message = 'break' end
  io.stderr:write('jq: error (at <unknown>)', type(message) == 'string' and ': ' or ' (not a string): ', type(message) == 'string' and message or json(message), '\n')
  status = 5
end
local function run_one(value)
  depth = 0
  local ok, problem = pcall(run, filter, nil, value, nil, emit)
  if not ok then told(problem) end
end
local function all_inputs()
  if options['null-input'] then return run_one(NULL) end
  if options.slurp then
    local items = {}
    while true do
      local value = next_input()
      if value == nil then break end
      items[#items + 1] = value
    end
    return run_one(array(items))
  end
  while true do
    local value = next_input()
    if value == nil then return end
    run_one(value)
  end
end
local ok, problem = pcall(all_inputs)
if not ok then told(problem) end
io.write(table.concat(out))
if status == 0 and missing then status = 2 end
if status == 0 and options['exit-status'] then
  if last == nil then status = 4 elseif not truth(last) then status = 1 end
end
os.exit(status)`
