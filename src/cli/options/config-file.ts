import { readFile } from 'node:fs/promises'
import { dirname, extname, isAbsolute, resolve } from 'node:path'
import { parse as parseToml, TomlError } from 'smol-toml'
import type { EngineName } from '../../contract/lease.ts'
import { errorCode } from '../../sandbox/error-code.ts'
import { SandboxConfigError } from '../../sandbox/errors.ts'
import { isRecord } from '../../sandbox/is-record.ts'
import { type ConfigFields, checkConfig, DEFAULT_SHELL, shellOf } from '../../shell-host/shells.ts'
import { type CliError, usageError } from '../failure.ts'
import { parseJson } from '../json-text.ts'

/**
 * Reads a sandbox config: JSON where the file's name ends in `.json`, TOML otherwise. Its relative host paths are
 * taken from its own directory. What it holds has been validated, for `shell`, or else the shell that it names, or else
 * `fallback`.
 *
 * @throws CliError naming the file and what is wrong with it, and nothing of what it holds.
 */
export async function readConfigFile(
  path: string,
  shell?: EngineName,
  fallback: EngineName = DEFAULT_SHELL,
): Promise<ConfigFields> {
  const content = parse(path, await textOf(path))
  if (!isRecord(content) || Array.isArray(content)) throw refuse(path, 'it must hold one object, such as {}')
  const config = fromDirectory(dirname(resolve(path)), content)
  try {
    const named = shellOf(config)
    const chosen = shell ?? named ?? fallback
    checkConfig(chosen, { ...config, shell: chosen })
  } catch (cause) {
    if (!(cause instanceof SandboxConfigError)) throw cause
    throw refuse(path, cause.message.replace(/^Invalid sandbox config: /, ''), cause)
  }
  return config
}

async function textOf(path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch (cause) {
    const reason = errorCode(cause) ?? 'not UTF-8'
    throw refuse(path, `it cannot be read (${reason})`, cause)
  }
}

/** The errors of the parsers quote the text, which may be a token: they go no further. */
function parse(path: string, text: string): unknown {
  if (extname(path) === '.json') {
    const { value, fault } = parseJson(text)
    if (fault === undefined) return value
    throw refuse(path, fault)
  }
  try {
    return parseToml(text)
  } catch (error) {
    const place = error instanceof TomlError ? ` (line ${error.line}, column ${error.column})` : ''
    throw refuse(path, `it is not valid TOML${place}`)
  }
}

function fromDirectory(directory: string, config: ConfigFields): ConfigFields {
  const absolute = (path: unknown) =>
    typeof path === 'string' && path !== '' && !isAbsolute(path) ? resolve(directory, path) : path
  const { binds, configFile, files } = config
  return {
    ...config,
    ...(Array.isArray(binds)
      ? {
          binds: binds.map((bind: unknown) =>
            isRecord(bind) && 'source' in bind ? { ...bind, source: absolute(bind['source']) } : bind,
          ),
        }
      : {}),
    ...(configFile === undefined ? {} : { configFile: absolute(configFile) }),
    ...(isRecord(files) && !Array.isArray(files)
      ? {
          files: Object.fromEntries(
            Object.entries(files).map(([path, content]) => [
              path,
              isRecord(content) && 'directory' in content
                ? { ...content, directory: absolute(content['directory']) }
                : content,
            ]),
          ),
        }
      : {}),
  }
}

function refuse(path: string, problem: string, cause?: unknown): CliError {
  const end = /[.?]$/.test(problem) ? '' : '.'
  return usageError(
    `--config ${JSON.stringify(path)}: ${problem}${end}`,
    cause === undefined ? {} : { cause },
  )
}
