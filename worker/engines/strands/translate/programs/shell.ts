/**
 * Runs the translation of a script that another program runs as `sh -c`. It ends with a status beyond 255 where the name in
 * the script is one that cannot stand there: `xargs` and `find` end then, too.
 */
export const SHELL_PROGRAM: Readonly<Record<string, string>> = {
  // Whether a script that a script or a text runs is what it was when it was read: else nothing of it runs.
  __script: `
local kind, path, copy = arg[1], arg[2], arg[3]
if not exists(path) or is_directory(path) then
  io.stderr:write(kind == 'shell' and 'bash: ' or 'strands-shell: ', path, is_directory(path) and ': Is a directory' or ': No such file or directory', '\\n')
  os.exit(is_directory(path) and 126 or 127)
end
if kind == 'path' and not os.execute('[ -x ' .. safe(path) .. ' ]') then
  io.stderr:write('strands-shell: ', path, ': Permission denied\\n')
  os.exit(126)
end
if copy == '' or text_of(path) ~= slurp(copy) then
  fail(path .. ', a script that was written by what runs it or that runs itself, is not available here: run it by a command of its own, or use a BashSandbox', 2)
end`,
  __shell: String.raw`
local helpers, path, kind, item, name = arg[1], arg[2], arg[3], arg[4], arg[5]
local text = slurp(path)
if kind ~= 'none' then
  local more = kind == 'quoted' and ' ()&;#~=' or ''
  if not item:match('^[%w_./@+:,\128-\255][%w_./@+:,\128-\255' .. more .. '-]*$') then
    io.stderr:write('strands-shell: the name ', item, [[ in a script of -c is not available here: pass it as an argument: sh -c ']], '\u{2026}', [[ "$1"' _ {}, or use a BashSandbox]], '\n')
    os.exit(1000)
  end
  text = text:gsub('ssritemq7', (item:gsub('%%', '%%%%')))
end
local words = {}
for i = 7, #arg do words[#words + 1] = quote(arg[i]) end
local start = '\n__ssr_zero=' .. quote(arg[6] or name) .. '\nset -- ' .. table.concat(words, ' ') .. '\n'
local _, _, code = os.execute(slurp(helpers) .. start .. text)
os.exit((code or 1) % 256)`,
}
