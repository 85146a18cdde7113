import { describe, expect, it } from 'vitest'
import { type Answers, noAnswers } from '../../../src/core/model/run/facts.js'
import { factsOf, hasUnknown, lines, paths } from './facts-of.js'

const runs = (script: string, answers?: Answers): readonly string[] =>
  lines(factsOf(script, answers)).map((line) => line.replace(/^.*: /, ''))

describe('scripts that the same command writes', () => {
  it.each([
    'echo victim | tee x; bash x',
    'echo victim > x; strip x; ./x',
    "echo '$0 -c victim' > x; . ./x",
    "echo '$0' > x; bash -c '. ./x' victim",
    'echo victim > a; cp a x; ./x',
    'echo victim > a; mkdir d; cp a d; ./d/a',
    'echo victim > a; cp -t d a; ./d/a',
    'echo victim > a; cp -td a; ./d/a',
    'echo victim > a; install -m 755 a x; ./x',
    'echo victim > a; mv a x; source ./x',
    'echo victim > a; ln a x; ./x',
    'echo victim > a; ln -s a x; bash x',
    'ln -s a x; echo victim > a; bash x',
    'ln -s x a; echo victim > a; bash x',
    'mkdir d; ln -s ../a d/x; echo victim > a; bash d/x',
    'ln -s d e; echo victim > e/x; bash d/x',
    'echo victim > d/x; ln -s d e; bash e/x',
    'echo victim > a; cp -s "$PWD/a" x; ./x',
    'exec 3>a; printf victim >&3; cp a x; printf " no" >&3; sh x',
    'cd /d; cp /opt/victim x; cd /; /d/x',
  ])('a written script with known text is analysed: %s', (script) => {
    expect(runs(script).map((line) => line.replace('/opt/', ''))).toContain('victim')
  })

  it.each([
    "printf 'a\\nvictim\\n.\\nw x\\nq\\n' | ed; bash x",
    "ed -s x <<< $'a\\nvictim\\n.\\nw\\nq'; bash x",
    "ex -sc 'a|victim' -cwq x; bash x",
    'awk \'BEGIN { print "victim" > "x" }\'; . ./x',
    'echo victim | split - x; bash xaa',
    'echo victim > a; split a; bash xaa',
    'echo victim > a; split a; mv xaa x; bash x',
    'mkfifo x; bash x & echo victim > x',
    'echo victim | csplit -f x - 1; bash x00',
    'echo victim > a; uniq a x; ./x',
    'echo victim > a; sort -o x a; bash x',
    'echo victim | dd of=x; bash x',
    "echo victim | sed -n 'w x'; bash x",
    'python3 -c \'open("x", "w").write("victim")\'; bash x',
    'echo ls > x; python3 -c \'open("x", "w").write("victim")\'; ./x',
    'perl -e \'open F, ">x"; print F "victim"\'; chmod +x x; ./x',
    "echo ls > x; sed -i 's/ls/victim/' x; bash x",
    'echo ls > x; tar xzf a.tgz; bash x',
    'echo ls > x; unzip -qo a.zip; ./x',
    "echo ls > x; git apply <<< 'a diff'; . ./x",
    'echo ls > x; git stash pop; bash x',
    'echo ls > x; patch -p1 < a.diff; bash x',
    'echo \'echo "$1" >> "$0"\' > x; bash x victim',
    "[ -d d ] && cd d; echo 'victim' > x; chmod +x x; ./x",
  ])('a written script whose text a program makes is unknown: %s', (script) => {
    expect(hasUnknown(factsOf(script))).toBe(true)
  })

  it('a written script is unknown even if the host has a file of that name', () => {
    const answers = noAnswers()
    answers.scripts.set('/w/x', 'ls\n')
    expect(hasUnknown(factsOf('sort -o x a; ./x', answers))).toBe(true)
    expect(hasUnknown(factsOf('sort -o y a; ./x', answers))).toBe(false)
  })

  it.each(["sed -i '1!G;h' x; ./x", "perl -pi -e 's/foo/bar/' x; bash x"])(
    'an edited script is unknown and gains no program: %s',
    (script) => {
      const answers = noAnswers()
      answers.scripts.set('/w/x', 'ls\n')
      const facts = factsOf(script, answers)
      expect(hasUnknown(facts)).toBe(true)
      expect(facts.shapes).toEqual([])
    },
  )

  it('a script behind an uncertain link is analysed as both files', () => {
    const answers = noAnswers()
    answers.paths.set('/w/x', { real: '/w/x', kind: 'file' })
    answers.scripts.set('/w/x', 'old\n')
    answers.scripts.set('/w/y', 'new\n')
    expect(runs('ln -s y x; bash x', answers)).toEqual(expect.arrayContaining(['old', 'new']))
    expect(runs('ln -s y x; ./x', answers)).toEqual(expect.arrayContaining(['old', 'new']))
  })

  it.each([
    'git add x.sh && bash -c ls',
    'python3 -c "print(1)"; ls',
    'make 2> log; cat log',
    'x=$(ls 2>&1); echo "$x"',
  ])('a file that is not written is not analysed as a script: %s', (script) => {
    expect(hasUnknown(factsOf(script))).toBe(false)
  })
})

describe('paths through links', () => {
  it("a path through the script's link is reported with its target", () => {
    expect(paths(factsOf('ln -s /etc l; cat l/shadow'), 'reads')).toEqual(
      expect.arrayContaining(['/w/l/shadow', '/etc/shadow']),
    )
    expect(paths(factsOf('ln -s /etc/foo l; cat l/../shadow'), 'reads')).toEqual(
      expect.arrayContaining(['/etc/shadow']),
    )
    expect(paths(factsOf('ln -s /srv/a l; echo > l'), 'writes')).toEqual(expect.arrayContaining(['/w/l', '/srv/a']))
    expect(paths(factsOf('ln -s /w/sub /home/u; rm -rf /home/u/.ssh'), 'deletes')).toContain('/home/u/.ssh')
  })

  it('deleting a link reports the link itself', () => {
    expect(paths(factsOf('ln -s /etc l; rm l'), 'deletes')).toEqual(['/w/l'])
  })

  it(".. after a link of the host leaves the link's target", () => {
    const answers = noAnswers()
    answers.paths.set('/w/l', { real: '/etc/foo', kind: 'directory' })
    expect(paths(factsOf('cat l/../shadow', answers), 'reads')).toEqual(['/etc/shadow'])
    expect(paths(factsOf('cd l; cat ../shadow', answers), 'reads')).toContain('/etc/shadow')
    expect(paths(factsOf('cd l; cd ..; cat x', answers), 'reads')).toContain('/w/x')
  })

  it('the directory of an option is not searched inside itself', () => {
    expect(paths(factsOf('git -C evil status'), 'reads')).toContain('/w/evil')
    expect(paths(factsOf('git -C evil status'), 'reads')).not.toContain('/w/evil/evil')
    expect(paths(factsOf('git -C a -C b add c'), 'reads')).toContain('/w/a/b')
  })
})
