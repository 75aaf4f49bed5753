import { beforeAll, expect, test } from 'vitest'
import type { EngineShell } from '../../../../worker/service/engine-shell.ts'
import { openShell, run } from './open-shell.ts'

let shell: EngineShell

beforeAll(async () => {
  shell = await openShell({ python: true, timeout: 60 })
  const write = `mkdir -p /w/lib/pkg; cd /w
    printf 'import helper, pkg.inner\nprint(helper.__file__, __file__, __name__)\nhelper.fail()\n' > main.py
    printf 'def fail():\n    raise ValueError("x")\n' > helper.py
    printf 'print("inner")\n' > lib/pkg/inner.py`
  expect(await run(shell, write)).toEqual([0, '', ''])
})

const trace = (...lines: string[]) => ['Traceback (most recent call last):', ...lines, ''].join('\n')

// Each costs the start of an interpreter: one row has much in it.
test.each<[name: string, command: string, expected: [number, string, string]]>([
  [
    'a program as it is, with lines of texts, future statements, its arguments and an input',
    `python3 -uB -c 'from __future__ import annotations
import sys
print("""a
b
é""", sys.argv, sys.stdin.read(), "json" in globals())
sys.exit("no")' x 'y z' <<< in`,
    [1, "a\nb\né ['-c', 'x', 'y z'] in\n False\n", 'no\n'],
  ],
  [
    'what it makes has the modes of the mask',
    `cd /tmp; python3 -c 'import os
open("a","w").write("x"); os.mkdir("d"); open("b","w").close(); os.chmod("b", 0o666); open("a","a").write("y")'; stat -c '%a %n' a b d; rm -r a b d`,
    [0, '644 a\n666 b\n755 d\n', ''],
  ],
  [
    'a file with the modules beside it and in PYTHONPATH, and tells the lines of both',
    'cd /tmp; PYTHONPATH=/w/lib python3 ../w/main.py; ls -A /w',
    [
      0,
      'inner\n/w/helper.py /w/main.py __main__\nhelper.py\nlib\nmain.py\n',
      trace(
        '  File "/w/main.py", line 3, in <module>',
        '    helper.fail()',
        '    ~~~~~~~~~~~^^',
        '  File "/w/helper.py", line 2, in fail',
        '    raise ValueError("x")',
        'ValueError: x',
      ),
    ],
  ],
  [
    'what it reads, and tells where its syntax is wrong',
    `printf 'x = 1\nif x\n' | python3 - a`,
    [1, '', '  File "<stdin>", line 2\n    if x\n        ^\nSyntaxError: expected \':\'\n'],
  ],
  [
    'a module of the current directory or of the library',
    `cd /w; python3 -m helper && echo '{"a": 1}' | python3 -m json.tool --compact`,
    [0, '{"a":1}\n', ''],
  ],
  [
    'with the status of sys.exit, and says what is not there',
    'python -c "raise SystemExit(259)"; echo $?; python3 nothing.py',
    [2, '3\n', "python3: can't open file 'nothing.py': [Errno 2] No such file or directory\n"],
  ],
])('python3 runs %s', async (_name, command, expected) => {
  expect(await run(shell, command)).toEqual(expected)
})
