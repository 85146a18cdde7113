import { chmodSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Plan } from '../../../../src/core/model/policy/plan.js'
import { createBubblewrap, type SandboxLauncher } from '../../../../src/host/launch/bubblewrap.js'
import { freshMounts } from '../../../../src/host/launch/warm/fresh-mounts.js'
import {
  launchAndCollect,
  planOf,
  processesNaming,
  removeDirectory,
  sandboxAround,
  temporaryDirectory,
  unusualSeconds,
} from '../../../contract/launcher-plan.js'

let workspace: string
let launcher: SandboxLauncher
beforeEach(() => {
  workspace = temporaryDirectory()
  launcher = createBubblewrap({ warm: 1 })
})
afterEach(async () => {
  await launcher.close()
  removeDirectory(workspace)
})

const planFor = (script: string, over: Partial<Plan> = {}): Plan =>
  planOf(workspace, sandboxAround(workspace), { script, ...over })
const run = async (script: string, over: Partial<Plan> = {}) => {
  const { ending, stdout, stderr } = await launchAndCollect(launcher, planFor(script, over))
  return { ending, stdout: stdout.toString(), stderr: stderr.toString() }
}
const untilCopied = async (over: Partial<Plan> = {}): Promise<void> => {
  await run('true', over)
  expect(await launcher.whenReady(planFor('true', over))).toBe('cloned')
}

/** Returns processes with the zygote host's name: the host outside, and zygotes inside templates. */
function zygoteHost(): { readonly outside: readonly number[]; readonly zygotes: readonly number[] } {
  const parents = new Map(
    readdirSync('/proc').flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith('cordon-zygote')) return []
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
        return [[Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])] as const]
      } catch {
        return []
      }
    }),
  )
  const outside = [...parents].flatMap(([pid, parent]) => (parent === process.pid ? pid : []))
  return { outside, zygotes: [...parents].flatMap(([pid, parent]) => (outside.includes(parent) ? pid : [])) }
}

describe('a clone of a sandbox', () => {
  it("a clone does not reveal another command's environment and script", async () => {
    const env: Plan['env'] = [
      ['PATH', '/usr/bin:/bin'],
      ['PWD', workspace],
    ]
    await untilCopied({ env: [...env, ['TOKEN', 'of-the-first']] })
    await run('echo first-script', { env: [...env, ['TOKEN', 'of-the-first']] })
    expect(await launcher.whenReady(planFor('true', { env }))).toBe('cloned')
    const look =
      'for f in /proc/[0-9]*/environ /proc/[0-9]*/cmdline; do tr "\\0" "\\n" <$f; done 2>/dev/null; declare -p'
    const { stdout } = await run(look, { env })
    expect(stdout).toContain('PWD')
    expect(stdout).not.toMatch(/of-the-first|first-script|TOKEN|CORDON/)
  })

  it('simultaneous clones share no network, process, message queue, shared memory or name', async () => {
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
  ])("a clone's network has no trace of %s in an earlier clone", async (_, act, said) => {
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

  it('several commands at once each get a clone, though fewer are kept warm', async () => {
    await untilCopied()
    const all = await Promise.all(Array.from({ length: 5 }, (_, index) => run(`cat /proc/1/comm; echo ${index}`)))
    expect(all.map(({ stdout }) => stdout)).toEqual(all.map((_, index) => `cordon-zygote\n${index}\n`))
  })

  it('a clone equals a built sandbox, mount by mount', async () => {
    // The init of a built sandbox is covered; that of a clone is unreachable.
    const list =
      'cut -d" " -f4- /proc/self/mountinfo | grep -v " /proc/1/" | sed -E "s/ (master|shared):[0-9]+//" | sort -u'
    const cold = await run(list)
    await untilCopied()
    // A new mount lies over the template's mount, with the same entry.
    expect((await run(list)).stdout).toBe(cold.stdout)
  })

  it('a clone and its processes end with the zygote host; the next command gets another host', async () => {
    const seconds = unusualSeconds()
    await untilCopied()
    let died: string | undefined
    const heard = launchAndCollect(launcher, planFor(`(setsid sleep ${seconds} &); echo up; sleep ${seconds}`), {
      onChunk: () => {
        for (const pid of zygoteHost().zygotes) process.kill(pid, 'SIGKILL')
        died = 'zygote'
      },
    })
    await heard.catch(() => undefined)
    expect(died).toBe('zygote')
    for (let tries = 0; tries < 500 && processesNaming(seconds).length > 0; tries += 1) await sleep(10)
    expect(processesNaming(seconds)).toEqual([])
    await untilCopied()
    for (const pid of zygoteHost().outside) process.kill(pid, 'SIGKILL')
    // It may be started by the old host, or find a dying sandbox; then it is refused.
    await run('true').catch((error: unknown) => expect(error).toMatchObject({ code: 'SANDBOX_UNAVAILABLE' }))
    await untilCopied()
    expect((await run('echo again')).stdout).toBe('again\n')
  })

  it('a failed clone is replaced by a built sandbox, and the command starts once', async () => {
    // Reports that a template is ready, refuses every clone, and leaves the rest to a real host.
    writeFileSync(
      `${workspace}/perl`,
      `#!/bin/bash
coproc /usr/bin/perl "$@"
read -r ready <&\${COPROC[0]} && echo "$ready"
while read -r what template first second third more; do
  case $what in
    open) echo "0 {}" >/proc/$2/fd/$third; echo "opened $template"; exec {held}>/proc/$2/fd/$third ;;
    sandbox) echo "refused $template $first" ;;
    start) echo "start $template" >&\${COPROC[1]} ;;
  esac
done
`,
    )
    chmodSync(`${workspace}/perl`, 0o755)
    await launcher.close()
    launcher = createBubblewrap({ warm: 1, perl: `${workspace}/perl` })
    for (let round = 0; round < 8; round += 1) {
      const heard = await launchAndCollect(launcher, planFor('echo done'))
      expect([heard.stdout.toString(), heard.started]).toEqual(['done\n', 1])
    }
    // After several failures sandboxes are built one by one.
    expect(await launcher.whenReady(planFor('true'))).toBe('built')
  })

  it('a clone leaves no process, descriptor or pipe when its launcher closes at any moment', async () => {
    for (let round = 0; round < 12; round += 1) {
      const before = readdirSync('/proc/self/fd').length
      const one = createBubblewrap({ warm: 2 })
      await launchAndCollect(one, planFor('true'))
      if (round % 3 === 1) await one.whenReady(planFor('true'))
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

describe('new mounts of a clone', () => {
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

  it("a new mount takes over the template's mounts directly below, with their own submounts", () => {
    const fresh = freshMounts([...usual, { op: 'tmpfs', at: '/tmp', bytes: 1024 }], mountinfo)
    expect(fresh?.map(({ at, below }) => [at, below])).toEqual([
      ['/dev/pts', []],
      ['/dev/shm', []],
      ['/proc', ['sys']],
      ['/tmp', ['a b']],
    ])
    expect(fresh?.at(-1)?.data).toBe('mode=1777,size=1024')
  })

  it('new mounts are unknown without /proc or /dev, or if the template differs from the plan', () => {
    expect(freshMounts([{ op: 'dev', at: '/dev' }], mountinfo)).toBeNull()
    expect(freshMounts([{ op: 'proc', at: '/proc' }], mountinfo)).toBeNull()
    expect(freshMounts([...usual, { op: 'tmpfs', at: '/elsewhere', bytes: null }], mountinfo)).toBeNull()
  })
})
