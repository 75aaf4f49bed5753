/** How python runs a program: its file, and what `sys.argv[0]` and the first directory of imports are. */
export interface PythonProgram {
  /** The source as bytes, or the name of a module. */
  readonly source: Buffer | { readonly module: string }
  /** As tracebacks name it. */
  readonly file: string
  readonly argv0: string
  /** Empty for the current directory. */
  readonly directory: string
}

/**
 * Runs a program as python does. just-bash pastes it, indented, behind some hundred lines of its own: texts of several lines
 * got four more spaces a line, `from __future__` failed, and tracebacks counted from there. It mounts the files of the sandbox at
 * `/host` and sends the functions that open files there; imports are sent there here.
 */
const LAUNCHER = `
def launch(source, module, file, argv0, directory):
    import linecache, os, posix, stat, sys, types
    from importlib.machinery import FileFinder, SourceFileLoader

    def outside(path):
        return path[5:] if path.startswith('/host/') else path

    class Loader(SourceFileLoader):
        def __init__(self, name, path):
            super().__init__(name, outside(path))

        def get_data(self, path):
            return super().get_data('/host' + outside(path))

        def path_stats(self, path):
            return super().path_stats('/host' + outside(path))

    class Finder(FileFinder):
        def find_spec(self, name, target=None):
            spec = super().find_spec(name, target)
            if spec is not None:
                spec.origin = spec.origin and outside(spec.origin)
                if spec.submodule_search_locations is not None:
                    spec.submodule_search_locations = [outside(one) for one in spec.submodule_search_locations]
            return spec

    def hook(path):
        if not path.startswith('/') or path.startswith(('/lib/', '/_jb_http')):
            raise ImportError('no directory of the sandbox')
        path = '/host' + outside(path)
        try:
            if stat.S_ISDIR(posix.stat(path).st_mode):
                return Finder(path, (Loader, ['.py']))
        except OSError:
            pass
        raise ImportError('no directory')

    sys.dont_write_bytecode = True
    sys.path_hooks.insert(0, hook)
    sys.path_importer_cache.clear()
    named = os.environ.get('PYTHONPATH', '').split(':')
    sys.path[:1] = [directory, *(one for one in named if one and one not in sys.path)]
    sys.argv[0] = argv0
    own = sys.modules['__main__']
    linecache.cache[own.__file__] = (0, None, [], own.__file__)
    main = types.ModuleType('__main__')
    main.__builtins__ = own.__builtins__
    if file[0] != '<':
        main.__file__ = file
    sys.modules['__main__'] = main
    try:
        if module:
            import runpy
            runpy.run_module(module, run_name='__main__', alter_sys=True)
        else:
            text = source.decode('utf-8', 'replace')
            linecache.cache[file] = (len(text), None, text.splitlines(True), file)
            exec(compile(source, file, 'exec', dont_inherit=True), main.__dict__)
        status = 0
    except SystemExit as end:
        status = end.code
    except BaseException as error:
        import traceback
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename == '<launcher>':
            trace = trace.tb_next
        sys.stdout.flush()
        traceback.print_exception(error.with_traceback(trace))
        status = 1
    if status is None:
        status = 0
    if not isinstance(status, int):
        print(status, file=sys.stderr)
        status = 1
    sys.exit(status & 255)
`

/** The program as one line of python. */
export function launched({ source, file, argv0, directory }: PythonProgram): string {
  const [bytes, module] = Buffer.isBuffer(source) ? [source, ''] : [Buffer.alloc(0), source.module]
  const words = [bytes, module, file, argv0, directory].map((word) => Buffer.from(word).toString('base64'))
  const [code, ...texts] = words.map((word) => `_b("${word}")`)
  const launcher = Buffer.from(LAUNCHER).toString('base64')
  const given = [code, ...texts.map((text) => `${text}.decode()`)].join(', ')
  return `from base64 import b64decode as _b; exec(compile(_b("${launcher}"), "<launcher>", "exec")); launch(${given})`
}
