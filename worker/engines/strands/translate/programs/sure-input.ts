import { BYTES } from './bytes.ts'

/** What a program reads byte for byte. An input that lua cannot tell from an empty one is refused. */
export const SURE_INPUT = String.raw`${BYTES}
read_fed = fed_bytes
local function sure_input(path)
  if path ~= '-' then
    local text, why = bytes_of(path)
    return text, not text and path .. ': ' .. why
  end
  local text = io.read('a') or ''
  if text == '' and not fed then fail('an input that is empty or no UTF-8 is not available here: name a file', 2) end
  return text
end
`
