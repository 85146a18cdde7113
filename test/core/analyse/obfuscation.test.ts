import { describe, expect, it } from 'vitest'
import { factsOf, hasUnknown, lines, paths } from './facts-of.js'

const PACKED = 'echo H4sIAAAAAAAAAysqVtAtSlPQBwAWSbHdCAAAAA== | base64 -d | gzip -dc'
const runs = (script: string): readonly string[] => lines(factsOf(script)).map((line) => line.replace(/^.*: /, ''))
const shapes = (script: string): readonly string[] => factsOf(script).shapes.map(({ kind }) => kind)

describe('an argument that a program computes from text of the script', () => {
  it.each([
    'rm -rf "$(dirname //zz)"',
    'export Z=/; rm -rf $(printenv Z)',
    'rm -rf $(echo / | xargs echo)',
    "rm -rf $(bash -c 'echo /')",
  ])('a computed argument with known output is followed: %s', (script) => {
    expect(runs(script)).toContain('rm -rf /')
    expect(hasUnknown(factsOf(script))).toBe(false)
  })

  it.each([
    'rm -rf $(python3 -c \'print("/")\')',
    'rm -rf $(jq -rn \'"/"\')',
    'rm -rf "$(comm -13 <(:) <(echo /))"',
    "rm -rf $(column -t <<< '/')",
    'rm $(perl -e \'print "-rf"\') /',
    'rm -rf "$(fold -w1 <<< /zz | head -1)"',
    'rm -rf $(expr substr zz/ 3 1)',
    'rm -rf $(nl <<< / | cut -f2)',
    "rm -rf $(echo a:/:b | awk -F: '{print $2}')",
    'rm -rf $(awk \'BEGIN{print "/"}\')',
    'rm -rf $(date +/)',
    'cat $(echo L2V0Yy9zaGFkb3c= | base64 -d)',
    'git push --$(echo ecrof | rev)',
    'echo / | rev | xargs rm -rf',
    'echo hi > $(echo x | rev)',
    'printf / > f; rm -rf $(sort f)',
    "printf '%s\\n' rm -rf / > f; eval \"$(paste -sd' ' f)\"",
    "rm -rf $(python3 -c 'print(chr(47))')",
    `rm -rf $(${PACKED})`,
    'rm -rf $(awk \'BEGIN{print substr("zz/",3)}\')',
  ])('a computed argument is reported as unknown: %s', (script) => {
    const { opaque } = factsOf(script)
    expect(opaque.some((spot) => !spot.inherent)).toBe(true)
  })

  it('a text that shells print differently has both values', () => {
    expect(paths(factsOf('sh -c \'rm -rf $(echo "\\057")\''), 'deletes')).toContain('/')
  })

  it.each([
    'rm -f "$(date +%F).log"',
    'rm -rf "$(dirname "$0")/build"',
    'cp x.pth "$(python3 -c \'import sysconfig; print(sysconfig.get_path("purelib"))\')"',
    "rm -f $(awk '{print $1}' old-files.txt)",
    'kill $(lsof -t -i:3000)',
    'v=1.2.3; docker tag x y:$(echo $v | cut -d. -f1)',
    'echo hi > f; head -n $(wc -l < f) f',
    'TOKEN=$(kubectl get secret x | base64 -d); curl -H "Bearer $TOKEN" localhost',
  ])('an argument that is not computed is not reported: %s', (script) => {
    expect(shapes(script)).toEqual([])
    expect(hasUnknown(factsOf(script))).toBe(false)
  })
})

describe('unknown text that bash expands again', () => {
  const subscript = `y='a[$('"$(${PACKED})"')]'`
  it.each([
    `${subscript}; : $((y))`,
    `${subscript}; (( y ))`,
    `${subscript}; for ((;y;)); do :; done`,
    `${subscript}; [[ y -eq 0 ]]`,
    `${subscript}; [[ -v $y ]]`,
    `${subscript}; test -v "$y"`,
    `${subscript}; declare -i n=y`,
    `${subscript}; declare -n r=$y; r=1`,
    `${subscript}; declare "$y=1"`,
    `${subscript}; printf -v "$y" x`,
    `${subscript}; read "$y" <<< 1`,
    `${subscript}; unset "$y"`,
    `${subscript}; : & wait -n -p "$y"`,
    `${subscript}; : \${!y}`,
    `${subscript}; z=ab; : \${z:y}`,
    `${subscript}; set -- 1; : \${@:y:1}`,
    `${subscript}; b[y]=1`,
    `${subscript}; b=("$y"); (( b[0] ))`,
    `y='$('"$(${PACKED})"')'; : "\${y@P}"`,
    `y='$('"$(${PACKED})"')'; compgen -W "$y"`,
    `y="$(${PACKED})"; shopt -s expand_aliases; alias zz="$y"\nzz`,
    `y="a[\\$($(${PACKED}))]"; (( y ))`,
  ])('re-expanded unknown text is unknown, and obfuscation if it was decoded: %s', (script) => {
    expect(hasUnknown(factsOf(script))).toBe(true)
    expect(shapes(script)).toContain('decode-and-run')
  })

  it.each([
    "n=$(awk '{s+=$1} END{print s}' sizes.txt); if ((n > 5)); then echo many; fi",
    'echo $(( $(date +%s) - start ))',
    'n=$(python3 -c "print(2**10)"); echo $((n + 1))',
    'n=$(grep -c x log.txt); [[ $n -gt 3 ]] && echo many',
    'size=$(stat -c %s out.bin); echo $((size / 1024))',
    'for i in $(seq 1 3); do echo $((i * 2)); done',
    'v=$(cut -d. -f1 VERSION); echo $((v + 1))',
  ])('re-expanded numbers are not reported: %s', (script) => {
    expect(hasUnknown(factsOf(script))).toBe(false)
    expect(shapes(script)).toEqual([])
  })
})

describe('known text around an unknown part', () => {
  it.each([
    'eval "echo $(uname); victim x"',
    'bash -c "echo $RANDOM && victim x"',
    'bash <<E\necho $(uname)\nvictim x\nE',
    'printf \'echo %s; victim x\' "$(uname)" | sh',
    'eval echo $(uname) \\; victim x',
    'sleep 1 & eval victim x $!',
  ])('known text around an unknown part is analysed if a shell runs it: %s', (script) => {
    expect(runs(script).some((line) => line.startsWith('victim x'))).toBe(true)
  })

  it.each([
    'npm start & trap "kill $!" EXIT',
    'trap "kill $(jobs -p)" EXIT',
    'trap "rm -f /tmp/lock.$$; echo gone" EXIT',
  ])('text with only an unknown pid is analysed completely: %s', (script) => {
    expect(hasUnknown(factsOf(script))).toBe(false)
  })
})

describe('case', () => {
  it('after ;;& a case tests later patterns with the changed variables', () => {
    expect(runs('case xy in x*) : ;;& *z) ;; *y) echo victim > f; bash f;; esac')).toContain('victim')
    expect(runs('x=z; case a in a) x=a ;;& $x) echo victim > f; bash f;; esac')).toContain('victim')
    expect(runs('case $(uname) in a) : ;;& b) ;; c) echo victim > f; bash f;; esac')).toContain('victim')
  })
})
