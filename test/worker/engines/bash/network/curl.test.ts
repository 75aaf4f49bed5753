import { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { startServer } from '../../../../strands-shell/support/http-server.ts'
import { freshLimits, openShell, run } from '../open-shell.ts'
import { openWorld } from './world.ts'

describe('curl', () => {
  it('is not there where no address is allowed', async () => {
    const { shell } = await openWorld({})
    expect(await run(shell, 'curl http://127.0.0.1/')).toEqual([127, '', 'bash: curl: command not found\n'])
  })

  it('gives what a server answers, byte for byte', async () => {
    const content = Buffer.from([0, 10, 127, 128, 255, 254, 195, 40])
    const server = await startServer((_request, response) => response.end(content))
    const { shell } = await openWorld({ allowedUrls: [server.origin] })
    expect(await run(shell, `curl -s ${server.origin}/ | od -An -tx1`)).toEqual([
      0,
      ' 00 0a 7f 80 ff fe c3 28\n',
      '',
    ])
    expect(await run(shell, `curl -so out ${server.origin}/ && wc -c < out`)).toEqual([0, '8\n', ''])
  })

  it.each([
    ['-d a=b --data-raw @c', 'POST', 'a=b&@c', 'application/x-www-form-urlencoded'],
    [`-d @lines`, 'POST', 'onetwo', 'application/x-www-form-urlencoded'],
    [`--data-binary @lines`, 'POST', 'one\ntwo\n', 'application/x-www-form-urlencoded'],
    [`--data-urlencode 'q=ä b&c'`, 'POST', 'q=%C3%A4%20b%26c', 'application/x-www-form-urlencoded'],
    [`--json '{"a":1}'`, 'POST', '{"a":1}', 'application/json'],
    [`-H 'content-type: text/csv' -d x`, 'POST', 'x', 'text/csv'],
    ['-XPATCH -d x', 'PATCH', 'x', 'application/x-www-form-urlencoded'],
    ['-X DELETE', 'DELETE', '', undefined],
    ['-T lines', 'PUT', 'one\ntwo\n', undefined],
    ['-X OPTIONS', 'OPTIONS', '', undefined],
  ])('sends %s', async (words, method, body, type) => {
    const types: unknown[] = []
    const server = await startServer((request, response) => {
      types.push(request.headers['content-type'])
      response.end('ok')
    })
    const { shell } = await openWorld({ allowedUrls: [server.origin] })
    await run(shell, `printf 'one\\ntwo\\n' > lines`)
    expect(await run(shell, `curl -s ${words} ${server.origin}/x`)).toEqual([0, 'ok', ''])
    expect([server.seen, types]).toEqual([[{ method, url: '/x', authorization: undefined, body }], [type]])
  })

  it('sends what standard input gives, and bytes that are not text', async () => {
    const bodies: string[] = []
    const server = await startServer((_request, response) => response.end())
    const { shell } = await openWorld({ allowedUrls: [server.origin] })
    await shell.writeFile('bytes', new Uint8Array([255, 0, 128]))
    await run(shell, `cat bytes | curl -s --data-binary @- ${server.origin}/`)
    await run(shell, `curl -s -F 'file=@bytes;type=image/png' -F note=ü ${server.origin}/`)
    for (const { body } of server.seen) bodies.push(body)
    expect(bodies[0]).toBe(Buffer.from([255, 0, 128]).toString())
    expect(bodies[1]).toMatch(
      /^-+\w+\r\nContent-Disposition: form-data; name="file"; filename="bytes"\r\nContent-Type: image\/png\r\n\r\n\ufffd\0\ufffd\r\n-+\w+\r\nContent-Disposition: form-data; name="note"\r\n\r\nü\r\n-+\w+--\r\n$/,
    )
  })

  it('tells heads, statuses and failures as curl does', async () => {
    const server = await startServer((request, response) => {
      response.sendDate = false
      response.writeHead(request.url === '/no' ? 404 : 200, { 'X-A': ['1', '2'], 'content-type': 'text/x' })
      response.end('body\n')
    })
    const { shell } = await openWorld({ allowedUrls: [server.origin] })
    const of = (words: string) => run(shell, words.replaceAll('URL', server.origin))
    const head = (status: string) =>
      `HTTP/1.1 ${status}\r\nX-A: 1\r\nX-A: 2\r\ncontent-type: text/x\r\nConnection: close\r\n`
    expect(await of('curl -s -i URL/')).toEqual([
      0,
      `${head('200 OK')}Transfer-Encoding: chunked\r\n\r\nbody\n`,
      '',
    ])
    expect((await of('curl -sI URL/no'))[1]).toContain(head('404 Not Found'))
    expect(await of('curl -f URL/no')).toEqual([22, '', 'curl: (22) The requested URL returned error: 404\n'])
    expect(await of('curl -sf URL/no')).toEqual([22, '', ''])
    expect(await of('curl -s --fail-with-body URL/no')).toEqual([22, 'body\n', ''])
    expect(await of(`curl -s -o /dev/null -w '%{http_code} %{content_type}\\n' URL/no`)).toEqual([
      0,
      '404 text/x\n',
      '',
    ])
    expect(await of('curl -sO URL/a/b.txt; cat b.txt')).toEqual([0, 'body\n', ''])
    expect(await of('curl -sSLo got URL/; cat got')).toEqual([0, 'body\n', ''])
    expect(await of('curl -s -D - -o /dev/null URL/')).toEqual([0, expect.stringMatching(/^HTTP/), ''])
    expect(await of(`curl -sG -d q=1 --data-urlencode 'r=a b' 'URL/s?x=y'`)).toEqual([0, 'body\n', ''])
    expect(server.seen.at(-1)?.url).toBe('/s?x=y&q=1&r=a%20b')
    expect((await of('curl -v -H "X-Mine: yes" URL/'))[2]).toMatch(
      /^> GET http:.*> X-Mine: yes\n.*< HTTP\/1.1 200 OK\n/s,
    )
    expect(await of('curl')).toEqual([2, '', 'curl: (2) no URL specified\n'])
  })

  it('refuses what it cannot do, instead of leaving it out', async () => {
    const server = await startServer()
    const { shell } = await openWorld({ allowedUrls: [server.origin] })
    for (const words of [
      '-k',
      '-x http://127.0.0.1:1',
      '--unix-socket /s',
      '--resolve a:80:127.0.0.1',
      '-c jar',
      '-b jar',
    ])
      expect(await run(shell, `curl ${words} ${server.origin}/`)).toEqual([
        2,
        '',
        expect.stringMatching(/^curl: /),
      ])
    expect(await run(shell, `curl '${server.origin}/{a,b}'`)).toEqual([
      3,
      '',
      expect.stringMatching(/patterns/),
    ])
    expect(await run(shell, 'curl ftp://127.0.0.1/')).toEqual([
      1,
      '',
      expect.stringMatching(/Protocol "ftp" not supported/),
    ])
    expect(await run(shell, `curl -X TRACE ${server.origin}/`)).toEqual([
      1,
      '',
      expect.stringMatching(/method TRACE/),
    ])
    expect(server.seen).toEqual([])
  })

  it('follows redirects with -L alone, at most so many', async () => {
    const server = await startServer((request, response) => {
      const step = Number(request.url?.slice(1))
      if (step > 0) response.writeHead(302, { location: `/${step - 1}` }).end('on\n')
      else response.end('there\n')
    })
    const { shell } = await openWorld({ allowedUrls: [server.origin] })
    const of = (words: string) => run(shell, words.replaceAll('URL', server.origin))
    expect(await of('curl -s URL/3')).toEqual([0, 'on\n', ''])
    expect(await of(`curl -sL -w '%{num_redirects}' URL/20`)).toEqual([0, 'there\n20', ''])
    expect(await of('curl -sSL URL/21')).toEqual([47, '', 'curl: (47) Maximum (20) redirects followed\n'])
    expect(await of('curl -sSL --max-redirs 1 URL/2')).toEqual([
      47,
      '',
      'curl: (47) Maximum (1) redirects followed\n',
    ])
    expect(await of('curl -sSL --max-redirs 90 URL/90')).toEqual([
      47,
      '',
      'curl: (47) Maximum (20) redirects followed\n',
    ])
    for (const words of ['-1', 'x']) expect((await of(`curl -sL --max-redirs ${words} URL/21`))[0]).toBe(47)
  })

  it.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [307, 'POST', 'POST', 'x'],
    [308, 'PUT', 'PUT', 'x'],
  ])('a redirect of status %i makes %s a %s', async (status, method, then, body) => {
    const server = await startServer((request, response) => {
      if (request.url === '/to') response.end('there')
      else response.writeHead(status, { location: '/to' }).end()
    })
    const { shell } = await openWorld({ allowedUrls: [server.origin] })
    await run(shell, `curl -sL -X ${method} -d x ${server.origin}/`)
    expect(server.seen.at(-1)).toMatchObject({ url: '/to', method: then, body })
  })

  it('bounds a response, also one that is compressed, and one that says nothing of its size', async () => {
    const server = await startServer((request, response) => {
      if (request.url === '/zip') {
        response.setHeader('content-encoding', 'gzip')
        response.end(gzipSync(Buffer.alloc(3_000_000)))
      } else if (request.url === '/told') response.writeHead(200, { 'content-length': 3_000_000 }).write('x')
      else {
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(50_000)));
        }
        response.on('drain', more)
        more()
      }
    })
    const { shell } = await openWorld({
      allowedUrls: [server.origin],
      limits: { ...freshLimits, maxFileSize: 1_000_000 },
    })
    for (const words of ['', 'told', 'zip --compressed'].map((path) => `${server.origin}/${path}`))
      expect(await run(shell, `curl ${words}`)).toEqual([
        63,
        '',
        'curl: (63) Maximum file size exceeded: the response is larger than 1000000 bytes\n',
      ])
    expect(await run(shell, 'echo on')).toEqual([0, 'on\n', ''])
  })

  it('bounds what many addresses give together, and the body of a request', async () => {
    const server = await startServer((_request, response) => response.end('x'.repeat(900_000)))
    const { shell } = await openWorld({
      allowedUrls: [server.origin],
      limits: { ...freshLimits, maxFileSize: 1_000_000 },
    })
    expect((await run(shell, `curl -s ${`${server.origin}/ `.repeat(2)} | wc -c`))[1]).toBe('1800000\n')
    expect((await run(shell, `curl -s ${`${server.origin}/ `.repeat(50)}`))[0]).toBe(63)
    expect(server.seen.length).toBe(5)
    await run(shell, 'head -c 1000000 /dev/urandom > part')
    expect((await run(shell, `curl -s ${"-F 'p=@part' ".repeat(80)} ${server.origin}/`))[0]).toBe(55)
    expect(server.seen.length).toBe(5)
  })

  it('a server that hangs up or answers nonsense fails the command alone', async () => {
    const server = await startServer((request, response) => {
      if (request.url === '/part') {
        response.writeHead(200, { 'content-length': 100 }).write('part')
        setTimeout(() => request.socket.destroy(), 10)
      } else if (request.url === '/odd') request.socket.end('SMTP ready\r\n')
      else if (request.url === '/long')
        request.socket.end(`HTTP/1.1 200 OK\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`)
      else request.socket.destroy()
    })
    const { shell } = await openWorld({ allowedUrls: [server.origin] })
    const codes: number[] = []
    for (const path of ['', 'part', 'odd', 'long'])
      codes.push((await run(shell, `curl -s ${server.origin}/${path}`))[0])
    expect(codes).toEqual([52, 18, 52, 52])
  })
})

describe('time', () => {
  const hanging = () => startServer(() => undefined)

  it('-m and timeout end a request', async () => {
    const server = await hanging()
    const { shell, sockets } = await openWorld({ allowedUrls: [server.origin] })
    expect(await run(shell, `timeout 0.2 curl -m 1e12 ${server.origin}/`)).toEqual([124, '', ''])
    expect(await run(shell, `curl -m 0.1234567 ${server.origin}/`)).toEqual([
      28,
      '',
      'curl: (28) Operation timed out\n',
    ])
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true])
  })

  it('the deadline of the command ends a request, and a chain of redirects', async () => {
    const server = await startServer((request, response) => {
      if (request.url === '/loop') setTimeout(() => response.writeHead(302, { location: '/loop' }).end(), 100)
    })
    const { shell, sockets } = await openWorld({ allowedUrls: [server.origin], timeout: 0.5 })
    for (const path of ['hang', 'loop'])
      expect(await run(shell, `curl -sL ${server.origin}/${path}; echo no`)).toEqual([
        124,
        '',
        'bash: stopped after 0.5 s\n',
      ])
    expect(sockets.every(({ destroyed }) => destroyed)).toBe(true)
    expect(await run(shell, 'echo on')).toEqual([0, 'on\n', ''])
  })

  it('the deadline of the command ends the look-up of a name, and a connection that is not accepted', async () => {
    const never = new Promise<never>(() => undefined)
    const sockets: Socket[] = []
    const connect = () => {
      const socket = new Socket()
      sockets.push(socket)
      return socket
    }
    const shell = await openShell(
      { allowedUrls: ['http://slow.example/', 'http://127.0.0.1:1/'], timeout: 0.3 },
      () => false,
      { access: { resolve: () => never, connect } },
    )
    for (const url of ['http://slow.example/', 'http://127.0.0.1:1/'])
      expect((await run(shell, `curl -s ${url}`))[0]).toBe(124)
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true])
  })

  it('an interruption ends a request at once', async () => {
    const server = await hanging()
    const { shell, sockets } = await openWorld({ allowedUrls: [server.origin] })
    const running = run(shell, `curl -s ${server.origin}/; echo no`)
    setTimeout(() => shell.interrupt?.(), 100)
    expect(await running).toEqual([130, '', 'bash: stopped\n'])
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true])
  })
})
