import { known } from '../grammar/arguments.js'
import { after, foreign, nameOf, reads, writes } from '../grammar/effect-builders.js'
import type { Arg, Call, Effect, Family, Grammar } from '../grammar/roles.js'

/** Options of compiler drivers that choose what they run or load. */
const LOADS =
  /^(?:-B.|--?f(?:pass-)?plugin=|-fplugin-arg|--?specs=|-fuse-ld=.*\/|--ld-path=|-load$|-plugin$|--plugin|-Wl,.*-?-plugin|--gcc-toolchain=|-ccc-|-T$|@)/
const WITH_VALUE = new Set(
  '-x -I -L -D -U -l -include -imacros -isystem -iquote -MT -MQ -arch -target -framework -u -z -Xlinker -Xpreprocessor -Xassembler -Xclang -aux-info -e'.split(
    ' ',
  ),
)

/** gcc, clang and similar drivers: `-wrapper` runs a command, some options load code, `-o` and `-MF` write. */
function compilerEffects(call: Call): readonly Effect[] {
  const { argv } = call
  const program = nameOf(call)
  const effects: Effect[] = []
  for (let i = 1; i < argv.length; i++) {
    const arg = argv[i] as Arg
    const next = argv[i + 1]
    if (/^--?wrapper$/.test(arg.prefix) && next) {
      const words = next.text === null ? [next] : next.text.split(',').map((word) => known(word, next.span))
      effects.push({ does: 'run', argv: words, via: `${program} -wrapper`, more: true })
      i++
    } else if (/^-(?:o|MF|dumpdir|dumpbase)$/.test(arg.prefix) && next) {
      effects.push(writes(next))
      i++
    } else if (arg.prefix === '-B') {
      effects.push(foreign(`${program} runs tools from another directory`, arg))
      i++
    } else if (LOADS.test(arg.prefix)) effects.push(foreign(`${program} loads code or settings`, arg))
    else if (arg.prefix === '-Xclang' && /^-(?:load|plugin|add-plugin)/.test(next?.prefix ?? ''))
      effects.push(foreign(`${program} loads code or settings`, arg))
    else if (WITH_VALUE.has(arg.prefix)) i++
    else if (after(arg, '-o')) effects.push(writes(after(arg, '-o') as Arg))
    else if (!arg.prefix.startsWith('-')) effects.push(reads(arg))
  }
  return effects
}

/** `strip -O binary`: what it then writes is no longer machine code, and may be a script. */
function convertsFormats({ argv }: Call): readonly Effect[] {
  const converts = argv.slice(1).find(({ prefix }) => /^(?:-[a-zA-Z]*[FIO]|--(?:t|inp|o)|@)/.test(prefix))
  return converts ? [{ does: 'unknown', reason: 'strip writes a file in another format', at: converts.span }] : []
}

/** `rustc -C linker=PROGRAM` runs it. */
function rustcLinker({ options }: Call): readonly Effect[] {
  return options.flatMap(({ name, value }): readonly Effect[] => {
    if ((name !== '-C' && name !== '--codegen') || !value) return []
    const linker = after(value, 'linker=')
    if (linker) return [{ does: 'run', argv: [linker], via: 'rustc -C linker', more: true }]
    return /^(?:link-arg|link-args|llvm-args)=/.test(value.prefix)
      ? [foreign('rustc passes this to the linker', value)]
      : []
  })
}

const DRIVER: Grammar = { effects: compilerEffects }
const INSPECTS: Grammar = {
  values: { '--plugin': 'code-file' },
  rest: 'read',
  unlisted: 'ignore',
  writesOnlyNamedPaths: true,
}

/** Compilers, linkers and programs that inspect binaries. */
export const compilers: Family = [
  {
    names:
      'gcc g++ cc c++ clang clang++ clang-cl cpp c89 c99 gcc-9 gcc-10 gcc-11 gcc-12 gcc-13 gcc-14 g++-11 g++-12 g++-13 clang-14 clang-15 clang-16 clang-17 clang-18 gfortran f77 f95 gnat gdc gccgo tcc icc icx icpc ifort nvcc hipcc emcc em++ musl-gcc x86_64-linux-gnu-gcc aarch64-linux-gnu-gcc arm-none-eabi-gcc mpicc mpicxx zapcc pgcc',
    ...DRIVER,
  },
  { names: 'ld ld.bfd ld.gold ld.lld lld gold mold wild', ...DRIVER },
  {
    names: 'as gas nasm yasm fasm llvm-as opt llc llvm-link',
    values: { '-o': 'write', '-I -f -g': 'text', '-load -load-pass-plugin': 'code-file' },
    rest: 'read',
    style: 'single-dash',
    unlisted: 'ignore',
  },
  {
    names:
      'objdump readelf nm size addr2line c++filt otool lipo dwarfdump eu-readelf pahole llvm-objdump llvm-nm checksec rabin2 dumpbin',
    ...INSPECTS,
  },
  {
    names: 'strip gstrip',
    values: {
      '-o': 'write',
      '-F -I -O --target --input-target --output-target': 'text',
      '-K -N -R --keep-section --keep-symbol --remove-section --remove-relocations --strip-symbol': 'text',
    },
    flags: '-s -S -g -d -x -X -p -D -U -w -v -V',
    rest: 'update',
    effects: convertsFormats,
  },
  {
    names: 'objcopy patchelf install_name_tool codesign elfedit chrpath',
    values: { '-o --output --set-rpath --set-interpreter --add-needed': 'text' },
    rest: 'update',
  },
  {
    names: 'rustc rustdoc clippy-driver',
    values: {
      '-o --out-dir': 'write',
      '-C --codegen --crate-type --crate-name --edition --emit --print --cap-lints -L -l --cfg -A -W -D -F --explain --target --sysroot --error-format --color --remap-path-prefix -Z --check-cfg':
        'text',
      '--extern': 'text',
      '--test-runtool --runtool --test-builder --test-builder-wrapper': 'program',
    },
    rest: 'read',
    unlisted: 'ignore',
    effects: rustcLinker,
  },
  {
    names:
      'javac kotlinc scalac groovyc ecj jar jlink jpackage javap javadoc jdeps jarsigner keytool jcmd jstack jmap jstat jps jdb',
    values: {
      '-d -s -h': 'write-tree',
      '-cp -classpath --class-path -sourcepath --module-path -p': 'read',
      '-processor -processorpath -J -Xplugin': 'code',
      '-source -target --release -encoding': 'text',
    },
    style: 'single-dash',
    rest: 'read',
    unlisted: 'ignore',
  },
  {
    names:
      'ghc ocamlc ocamlopt ocamlfind ghc-pkg fpc nim nimc crystal valac dmd ldc2 gnatmake erlc elixirc swiftc haxe sass sassc lessc stylus pug handlebars protoc flatc thrift capnp solc vyper buf cython mypyc nuitka pyinstaller cx_Freeze',
    values: {
      '-o --output --out': 'write',
      '-pgmF -pgmP -pgmL -pp -ppx -cc': 'program',
      '-e': 'code',
      '--plugin --plugin-opt -F': 'text',
    },
    rest: 'read',
    style: 'single-dash',
    unlisted: 'ignore',
    foreign: 'plugins and code run while compiling',
  },
  {
    names: 'zig',
    subcommands: {
      'cc,c++': DRIVER,
      'fmt,version,env,targets,zen,help,ast-check': { unlisted: 'ignore' },
      '*': { foreign: 'a build or program of the project' },
    },
  },
  {
    names: 'v odin swift dart flutter',
    subcommands: {
      'fmt,format,version,help,doctor,devices,analyze,config,create': { unlisted: 'ignore' },
      '*': { foreign: 'a build or program of the project' },
    },
  },
  {
    names: 'go',
    writesOnlyNamedPaths: true,
    subcommands: {
      'version,doc,help': { writesOnlyNamedPaths: true },
      list: { unlisted: 'ignore' },
      env: {
        values: { '-w': 'text' },
        effects: ({ operands, argv }) =>
          argv.some((arg) => arg.text === '-w') && operands.length >= 0
            ? [foreign('go env -w saves a setting that can name a program')]
            : [],
      },
      'fmt,get,mod,work,clean,telemetry,bug,tool,fix': {
        values: { '-toolexec': 'words', '-modfile': 'read', '-C': 'cwd' },
        style: 'single-dash',
        unlisted: 'ignore',
      },
      'run,test,generate,build,install,vet': {
        values: {
          '-exec -toolexec': 'words',
          '-vettool': 'program',
          '-o -coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir -pkgdir': 'write',
          '-C': 'cwd',
          '-overlay -modfile -pgo': 'read',
          '-run -bench -benchtime -count -cpu -timeout -parallel -tags -ldflags -gcflags -asmflags -gccgoflags -p -mod -buildmode -compiler -coverpkg -covermode -installsuffix -skip -shuffle -list -fuzz -fuzztime -vet':
            'text',
        },
        style: 'single-dash',
        foreign: 'a program, test or build of the project',
        unlisted: 'ignore',
      },
      '*': { foreign: 'a build or program of the project' },
    },
  },
  {
    names: 'gofmt goimports gofumpt golines',
    values: { '-r': 'text' },
    rest: 'read-tree',
    when: { '-w': { rest: 'update-tree' } },
    flags: '-w',
    writesOnlyNamedPaths: true,
  },
  {
    names: 'cargo cargo-nextest',
    values: { '--config': 'code', '-C': 'cwd', '-Z --color --explain': 'text' },
    writesOnlyNamedPaths: true,
    unlisted: 'ignore',
    subcommands: {
      'search,version,help,locate-project,verify-project,info,read-manifest': { writesOnlyNamedPaths: true },
      // These commands write a missing lock file.
      'metadata,tree,pkgid,generate-lockfile': { unlisted: 'ignore' },
      'fmt,update,clean,new,init,add,remove,rm,login,logout,owner,yank,fetch,vendor': {
        values: { '--config': 'code' },
        unlisted: 'ignore',
      },
      '*': {
        values: {
          '--config': 'code',
          '--manifest-path': 'read',
          '--target-dir --out-dir': 'write-tree',
          '-p --package --bin --example --test --bench -F --features --target --profile -j --jobs': 'text',
        },
        permute: false,
        foreign: 'builds, tests and programs of the project',
        unlisted: 'ignore',
      },
    },
  },
]
