// Ends with 0 where the service takes requests.
const port = process.env.SERVE_PORT ?? '7300'
const { ok } = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => ({ ok: false }))
process.exitCode = ok ? 0 : 1
