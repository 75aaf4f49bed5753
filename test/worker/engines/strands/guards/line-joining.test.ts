import { printed } from './engine.ts'
import { testTextGuard } from './text-guard.ts'

const failed = (status: number, stdout: string, stderr: string) => ({ status, stdout, stderr })
const notFound = (name: string) => `strands-shell: ${name}: command not found\n`

testTextGuard(
  'lines that belong together',
  [
    { command: 'echo a \\\nb', alone: failed(127, 'a \n', notFound('b')), prints: 'a b\n' },
    { command: 'ec\\\nho a', alone: failed(127, '', notFound('ec') + notFound('ho')), prints: 'a\n' },
    { command: `echo \${x:-a\\\nb}`, alone: failed(127, 'a\n', notFound('b}')), prints: 'ab\n' },
    { command: 'echo $((1 + \\\n2))', alone: printed('1\n'), prints: '3\n' },
    { command: 'cat <<E\na \\\nb\nE', alone: printed('a \\\nb\n'), prints: 'a b\n' },
    { command: 'false &&\necho no\necho end', alone: printed('no\nend\n'), prints: 'end\n' },
    { command: 'true ||\n\n  # why\n  echo no\necho end', alone: printed('no\nend\n'), prints: 'end\n' },
    { command: 'false && # why\necho no\necho end', alone: printed('no\nend\n'), prints: 'end\n' },
    { command: 'false &&\n{ echo a; echo b; }\necho end', alone: printed('a\nb\nend\n'), prints: 'end\n' },
    {
      command: 'f()\n{\necho hi\n}\nf',
      alone: failed(1, '', "strands-shell: expected '{', got ';'\n"),
      prints: 'hi\n',
    },
  ],
  [
    'echo "a\\\nb"',
    "echo 'a\\\nb' &&\n",
    '# a \\\necho b',
    'echo a && # b',
    "cat <<'E'\na \\\nb &&\nc\nE",
    'cat <<E\na\\\\\nE\necho end',
    'echo "x &&\ny"',
    'echo a && echo b\necho c',
    'cat <<E &&\nbody\nE\necho c',
    'case x in\nx)\necho a;;\nesac',
  ],
)
