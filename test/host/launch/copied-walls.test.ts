import { chmodSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Plan } from '../../../src/core/model/plan.js'
import { createBubblewrap, type WallLauncher } from '../../../src/host/launch/bubblewrap.js'
import { freshMounts } from '../../../src/host/launch/fresh-mounts.js'
import {
  launchAndHear,
  planOf,
  processesNaming,
  removeDirectory,
  temporaryDirectory,
  unusualSeconds,
  wallAround,
} from '../../contract/launcher-plan.js'

let workspace: string
let launcher: WallLauncher
beforeEach(() => {
  workspace = temporaryDirectory()
  launcher = createBubblewrap({ warm: 1 })
})
afterEach(async () => {
  await launcher.close()
  removeDirectory(workspace)
})

const planFor = (script: string, over: Partial<Plan> = {}): Plan =>
  planOf(workspace, wallAround(workspace), { script, ...over })
const run = async (script: string, over: Partial<Plan> = {}) => {
  const { ending, stdout, stderr } = await launchAndHear(launcher, planFor(script, over))
  return { ending, stdout: stdout.toString(), stderr: stderr.toString() }
}
const untilCopied = async (over: Partial<Plan> = {}): Promise<void> => {
  await run('true', over)
  expect(await launcher.readied(planFor('true', over))).toBe('copied')
}

/** Processes below this one whose name is that of the nursery: the one outside, and those that have entered a template. */
function nursery(): { readonly outside: readonly number[]; readonly nurses: readonly number[] } {
  const parents = new Map(
    readdirSync('/proc').flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('cordon-nursery')) return []
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
        return [[Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])] as const]
      } catch {
        return []
      }
    }),
  )
  const outside = [...parents].flatMap(([pid, parent]) => (parent === process.pid ? pid : []))
  return { outside, nurses: [...parents].flatMap(([pid, parent]) => (outside.includes(parent) ? pid : [])) }
}

describe('a copy of a wall', () => {
  it('knows nothing of the environment and the script of another', async () => {
    const env: Plan['env'] = [
      ['PATH', '/usr/bin:/bin'],
      ['PWD', workspace],
    ]
    await untilCopied({ env: [...env, ['TOKEN', 'of-the-first']] })
    await run('echo first-script', { env: [...env, ['TOKEN', 'of-the-first']] })
    expect(await launcher.readied(planFor('true', { env }))).toBe('copied')
    const look =
      'for f in /proc/[0-9]*/environ /proc/[0-9]*/cmdline; do tr "\\0" "\\n" <$f; done 2>/dev/null; declare -p'
    const { stdout } = await run(look, { env })
    expect(stdout).toContain('PWD')
    expect(stdout).not.toMatch(/of-the-first|first-script|TOKEN|CORDON/)
  })

  it('shares no network, process, message queue, shared memory or name with another that runs at the same time', async () => {
    await untilCopied()
    const listen = 'exec 3<>/dev/tcp/127.0.0.1/1'
    const [first, second] = await Promise.all(
      ['a', 'b'].map((name) =>
        run(
          `echo ${name} > /dev/shm/${name}; echo ${name} > /tmp/${name}; ls /dev/shm; ls -d /tmp/[ab]; ls -d /proc/[0-9]* | wc -l; ` +
            `readlink /proc/self/ns/*; { ${listen}; } 2>/dev/null; until [[ -e go-${name} ]]; do : >here-${name}; [[ -e here-a && -e here-b ]] && : >go-${name}; done`,
        ),
      ),
    )
    expect(first?.ending).toEqual({ how: 'exited', status: 0 })
    const kinds = /(?:cgroup|ipc|mnt|net|pid|user|uts):\[\d+\]/g
    const [ours, theirs] = [first, second].map((one) => new Set(one?.stdout.match(kinds)))
    expect(ours?.size).toBe(7)
    expect([...(ours ?? [])].filter((one) => theirs?.has(one))).toEqual([])
    expect(first?.stdout.startsWith('a\n/tmp/a\n')).toBe(true)
    expect(second?.stdout.startsWith('b\n/tmp/b\n')).toBe(true)
  })

  it.each([
    [
      'spoken over the loopback',
      `perl -e 'my $at = pack "S n a4 x8", 2, 7777, "\\x7f\\0\\0\\1"; socket(my $s, 2, 1, 0); bind($s, $at) && listen($s, 5) or die $!;
        socket(my $c, 2, 1, 0); connect($c, $at) && accept(my $d, $s) or die $!; syswrite $c, "secret"; close $c; sysread $d, my $got, 9; print $got'`,
      'secret',
    ],
    ['sent where no way leads', 'exec 3<>/dev/udp/198.51.100.1/53 || echo none', 'none\n'],
    [
      'named a flow',
      `perl -e 'socket(my $s, 10, 2, 0) or print("named"), exit; my $flow = pack "x15 C N C C S S S L", 1, 0x4567, 0, 255, 1, 60, 60, 0; print setsockopt($s, 41, 32, $flow) ? "named" : $!'`,
      'named',
    ],
  ])('has a network in which nobody has ever %s, though one before it did in its own', async (_, act, said) => {
    const look =
      'for f in tcp dev snmp snmp6 ip6_flowlabel; do cat /proc/self/net/$f; done; read -r line </proc/self/net/sockstat; echo "$line"'
    await untilCopied()
    const fresh = await run(look)
    await untilCopied()
    expect((await run(act)).stdout).toBe(said)
    for (let next = 0; next < 3; next += 1) {
      await untilCopied()
      expect((await run(look)).stdout).toBe(fresh.stdout)
    }
  })

  it('is made for each of several commands at once, though fewer are kept', async () => {
    await untilCopied()
    const all = await Promise.all(Array.from({ length: 5 }, (_, index) => run(`cat /proc/1/comm; echo ${index}`)))
    expect(all.map(({ stdout }) => stdout)).toEqual(all.map((_, index) => `cordon-nursery\n${index}\n`))
  })

  it('is the same wall as a built one, mount by mount', async () => {
    // The init of a built one is covered, that of a copy is out of reach by itself.
    const list =
      'cut -d" " -f4- /proc/self/mountinfo | grep -v " /proc/1/" | sed -E "s/ (master|shared):[0-9]+//" | sort -u'
    const cold = await run(list)
    await untilCopied()
    // What is mounted afresh stands once more over what the template had there, and says the same of itself.
    expect((await run(list)).stdout).toBe(cold.stdout)
  })

  it('ends with the nursery, and so does what runs in it; the next one gets another', async () => {
    const seconds = unusualSeconds()
    await untilCopied()
    let died: string | undefined
    const heard = launchAndHear(launcher, planFor(`(setsid sleep ${seconds} &); echo up; sleep ${seconds}`), {
      onChunk: () => {
        for (const pid of nursery().nurses) process.kill(pid, 'SIGKILL')
        died = 'nurse'
      },
    })
    await heard.catch(() => undefined)
    expect(died).toBe('nurse')
    for (let tries = 0; tries < 500 && processesNaming(seconds).length > 0; tries += 1) await sleep(10)
    expect(processesNaming(seconds)).toEqual([])
    await untilCopied()
    for (const pid of nursery().outside) process.kill(pid, 'SIGKILL')
    // This one may be started by it, or find a sandbox that is just dying: then it is refused.
    await run('true').catch((error: unknown) => expect(error).toMatchObject({ code: 'SANDBOX_UNAVAILABLE' }))
    await untilCopied()
    expect((await run('echo again')).stdout).toBe('again\n')
  })

  it('that comes to nothing is replaced by a wall built for the command, which starts once', async () => {
    // It says that a template is ready, refuses every copy, and leaves the rest to a real one.
    writeFileSync(
      `${workspace}/perl`,
      `#!/bin/bash
coproc /usr/bin/perl "$@"
read -r ready <&\${COPROC[0]} && echo "$ready"
while read -r what template first second third more; do
  case $what in
    open) echo "0 {}" >/proc/$2/fd/$third; echo "opened $template"; exec {held}>/proc/$2/fd/$third ;;
    wall) echo "refused $template $first" ;;
    start) echo "start $template" >&\${COPROC[1]} ;;
  esac
done
`,
    )
    chmodSync(`${workspace}/perl`, 0o755)
    await launcher.close()
    launcher = createBubblewrap({ warm: 1, perl: `${workspace}/perl` })
    for (let round = 0; round < 8; round += 1) {
      const heard = await launchAndHear(launcher, planFor('echo done'))
      expect([heard.stdout.toString(), heard.started]).toEqual(['done\n', 1])
    }
    // After a few that came to nothing they are built one by one.
    expect(await launcher.readied(planFor('true'))).toBe('built')
  })

  it('leaves no process, descriptor or pipe when its launcher is closed at any moment', async () => {
    for (let round = 0; round < 12; round += 1) {
      const before = readdirSync('/proc/self/fd').length
      const one = createBubblewrap({ warm: 2 })
      await launchAndHear(one, planFor('true'))
      if (round % 3 === 1) await one.readied(planFor('true'))
      if (round % 3 === 2) await new Promise((resolve) => setImmediate(resolve))
      await one.close()
      expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(before)
    }
    const left = readdirSync('/proc').filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === workspace
      } catch {
        return false
      }
    })
    expect(left).toEqual([])
  })
})

describe('what a copy mounts anew', () => {
  const mountinfo = [
    '1 0 8:1 / / ro - ext4 /dev/vda rw',
    '2 1 0:5 / /proc rw - proc proc rw',
    '3 1 0:6 / /dev ro - tmpfs tmpfs rw',
    '4 3 0:7 / /dev/pts rw - devpts devpts rw',
    '5 3 0:8 / /dev/shm rw - tmpfs tmpfs rw',
    '6 2 0:9 / /proc rw - proc proc rw',
    '7 6 0:9 /sys /proc/sys ro - proc proc rw',
    '8 1 0:10 / /tmp rw - tmpfs tmpfs rw',
    '9 8 8:1 /tmp/a\\040b /tmp/a\\040b rw - ext4 /dev/vda rw',
    '10 9 8:1 /tmp/a\\040b/c /tmp/a\\040b/c ro - ext4 /dev/vda rw',
  ].join('\n')
  const usual = [
    { op: 'read', from: '/', at: '/' },
    { op: 'dev', at: '/dev' },
    { op: 'proc', at: '/proc' },
  ] as const

  it('takes over what the template has mounted right below it, and with that what is below that', () => {
    const fresh = freshMounts([...usual, { op: 'tmpfs', at: '/tmp', bytes: 1024 }], mountinfo)
    expect(fresh?.map(({ at, below }) => [at, below])).toEqual([
      ['/dev/pts', []],
      ['/dev/shm', []],
      ['/proc', ['sys']],
      ['/tmp', ['a b']],
    ])
    expect(fresh?.at(-1)?.data).toBe('mode=1777,size=1024')
  })

  it('cannot be told where there is no /proc, no /dev, or not what the plan says', () => {
    expect(freshMounts([{ op: 'dev', at: '/dev' }], mountinfo)).toBeNull()
    expect(freshMounts([{ op: 'proc', at: '/proc' }], mountinfo)).toBeNull()
    expect(freshMounts([...usual, { op: 'tmpfs', at: '/elsewhere', bytes: null }], mountinfo)).toBeNull()
  })
})
