/** Names the engine reads its proxies from, and the one that makes it ignore `HTTP_PROXY` (as under CGI). */
const PROXY_VARIABLE = /^(?:(?:https?|all|no)_proxy|request_method)$/i

/**
 * The environment of a process that reaches the network through the proxy at `url` alone: `base` without any
 * other proxy, any exception from it, and `REQUEST_METHOD`. The engine reads the process's variables, never
 * those of a sandbox.
 */
export function proxyEnvironment(base: NodeJS.ProcessEnv, url: string): NodeJS.ProcessEnv {
  const rest = Object.entries(base).filter(([name]) => !PROXY_VARIABLE.test(name))
  return {
    ...Object.fromEntries(rest),
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    ALL_PROXY: url,
    http_proxy: url,
    https_proxy: url,
    all_proxy: url,
  }
}
