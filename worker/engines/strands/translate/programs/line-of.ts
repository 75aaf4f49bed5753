/** What the engine's `ls` tells of one file: its mode, size, the whole line, and the name in it. */
export const LINE_OF = `
local function line_of(name)
  local path = name:match('^/+$') and '/' or name:gsub('/+$', '')
  local parent, own = path:match('^(.*)/([^/]*)$')
  if not parent then parent, own = '.', path end
  if parent == '' then parent = '/' end
  for _, line in ipairs(lines_of(output_of('ls -la ' .. quote(parent)))) do
    local mode, size, shown = line:match('^(%S+)%s+(%d+)%s+%a+%s+%d+%s+%S+ (.*)$')
    if shown and (shown == own or shown:match('^(.*) %-> ') == own) then return mode, size, line, shown end
  end
end
`
