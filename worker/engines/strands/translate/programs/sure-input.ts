/** An input that lua cannot tell from an empty one is refused: of bytes that are no UTF-8 it reads nothing. */
export const SURE_INPUT = String.raw`
local function sure_input(path)
  if path ~= '-' then return text_of(path) end
  local text = io.read('a') or ''
  if text == '' then fail('an input that is empty or no UTF-8 is not available here: name a file', 2) end
  return text
end
`
