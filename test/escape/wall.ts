import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Profile } from '../../src/core/model/profile.js'
import type { Launcher } from '../../src/engine/ports.js'
import { createBubblewrap } from '../../src/host/launch/bubblewrap.js'
import {
  launchAndHear,
  pathsOf,
  plainProfile,
  planOf,
  removeDirectory,
  temporaryDirectory,
  wallAround,
} from '../contract/launcher-plan.js'

/** Attacks on the wall, each really tried. Run as whoever runs the tests, and once more as an ordinary user. */
export function wallAttacks(who: string, create: () => Launcher = createBubblewrap): void {
  let launcher: Launcher
  let top: string
  let workspace: string
  beforeAll(() => {
    launcher = create()
  })
  afterAll(() => launcher.close())
  beforeEach(() => {
    top = temporaryDirectory()
    workspace = `${top}/work`
    mkdirSync(workspace)
    mkdirSync(`${top}/outside`)
    writeFileSync(`${top}/outside/secret`, 'the secret')
  })
  afterEach(() => removeDirectory(top))

  const run = async (script: string, profile: Profile = plainProfile, over: Parameters<typeof planOf>[2] = {}) => {
    const heard = await launchAndHear(launcher, planOf(workspace, wallAround(workspace, profile), { script, ...over }))
    const status = heard.ending.how === 'exited' ? heard.ending.status : heard.ending
    return { status, stdout: heard.stdout.toString(), stderr: heard.stderr.toString() }
  }
  const python = (code: string, profile?: Profile) => {
    writeFileSync(`${workspace}/attack.py`, code)
    return run('/usr/bin/python3 -I attack.py', profile)
  }

  describe(`${who}: the file system`, () => {
    it('nothing outside the workspace and /tmp can be written, by any of the usual doors', async () => {
      const places = [
        '/etc/x',
        '/usr/bin/x',
        '/var/tmp/x',
        '/home/x',
        '/root/x',
        '/opt/x',
        '/dev/x',
        '/sys/x',
        '/proc/x',
        '/run/x',
        '/x',
      ]
      const { stdout } = await run(places.map((place) => `(: > ${place}) 2>/dev/null && echo ${place}`).join('\n'))
      expect(stdout).toBe('')
      const doors = ['/proc/self/root', '/proc/self/cwd/../../../../../../..', '/proc/1/root', '/proc/$$/root']
      expect(
        (await run(doors.map((door) => `(: > ${door}/etc/x) 2>/dev/null && echo ${door}`).join('\n'))).stdout,
      ).toBe('')
    })

    it('/tmp is private and empty, and what is written there is gone afterwards', async () => {
      expect((await run('ls -A /tmp; echo x > /tmp/left')).stdout.trim()).toBe(
        top.startsWith('/tmp/') ? top.split('/')[2] : '',
      )
      expect((await run('cat /tmp/left')).status).toBe(1)
      expect(existsSync('/tmp/left')).toBe(false)
    })

    it('a neighbour of the workspace in the same temporary directory is not there', async () => {
      expect((await run(`cat ${top}/outside/secret`)).stdout).toBe('')
    })

    it('a link planted in the workspace leads nowhere that can be written', async () => {
      symlinkSync('/etc', `${workspace}/etc`)
      expect((await run('echo x > etc/cordon-was-here')).status).not.toBe(0)
      expect(existsSync('/etc/cordon-was-here')).toBe(false)
    })

    it('hidden places are empty, by every name they have', async () => {
      const hidden = pathsOf({ hidden: [`${workspace}/keys`, `${workspace}/.env`] })
      mkdirSync(`${workspace}/keys`)
      writeFileSync(`${workspace}/keys/id`, 'the secret')
      writeFileSync(`${workspace}/.env`, 'the secret')
      symlinkSync('keys/id', `${workspace}/link`)
      const { stdout } = await run(
        'cat keys/id .env link ./keys/../.env /proc/self/cwd/.env keys//id 2>/dev/null; ls -A keys; grep -rs secret .; echo x > keys/new; rm -rf keys .env; tar cf - . | grep -a secret',
        hidden,
      )
      expect(stdout).toBe('')
      expect(readFileSync(`${workspace}/keys/id`, 'utf8')).toBe('the secret')
      expect(readFileSync(`${workspace}/.env`, 'utf8')).toBe('the secret')
    })

    it('a read-only profile lets nothing in the workspace be changed', async () => {
      writeFileSync(`${workspace}/file`, 'x')
      const { stdout } = await run(
        'touch new; echo y > file; rm -f file; mkdir d; chmod 777 file; cat file',
        pathsOf({ write: false }),
      )
      expect([stdout, existsSync(`${workspace}/new`)]).toEqual(['x', false])
    })

    it('set-uid programs gain nothing', async () => {
      const { stdout } = await run(
        'grep -E "NoNewPrivs|CapEff|CapBnd|CapPrm" /proc/self/status | cut -f2; grep -c nosuid /proc/self/mounts > /dev/null && grep " / " /proc/self/mounts | grep -o nosuid',
      )
      expect(stdout.trim().split('\n')).toEqual([
        '0000000000000000',
        '0000000000000000',
        '0000000000000000',
        '1',
        'nosuid',
      ])
    })

    it('devices of the host are not there', async () => {
      const { stdout } = await run(
        'cd /dev; ls | grep -v -E "^(core|fd|full|null|ptmx|pts|random|shm|stderr|stdin|stdout|tty|urandom|zero|console)$"; mknod /tmp/sda b 8 0 2>/dev/null && cat /tmp/sda',
      )
      expect(stdout).toBe('')
    })
  })

  describe(`${who}: the kernel`, () => {
    it('mounts cannot be made, moved, removed or made writable', async () => {
      const tries = [
        'mount -o remount,rw,bind /',
        'mount -o remount,rw /usr',
        'umount /tmp',
        'mount --bind /tmp /etc',
        'mount -t tmpfs none /etc',
        'mount -t proc none /proc',
        `mount --move ${workspace} /mnt`,
      ]
      expect((await run(tries.map((attempt) => `${attempt} 2>/dev/null && echo '${attempt}'`).join('\n'))).stdout).toBe(
        '',
      )
    })

    it('new namespaces cannot be made, by unshare, clone or clone3', async () => {
      expect((await run('for n in U m n p i u C; do unshare -$n true 2>/dev/null && echo $n; done')).stdout).toBe('')
      const clone3 =
        'import ctypes,os\nc=ctypes.CDLL(None,use_errno=True)\na=(ctypes.c_uint64*11)(0x10000000,0,0,0,17)\nr=c.syscall(435,ctypes.byref(a),88)\nif r==0: os._exit(0)\nprint(r,ctypes.get_errno())'
      expect((await python(clone3)).stdout).toBe('-1 38\n')
      const clone =
        'import ctypes,os\nc=ctypes.CDLL(None,use_errno=True)\nn=56 if os.uname().machine=="x86_64" else 220\nr=c.syscall(n,0x10000011,0,0,0,0)\nif r==0: os._exit(0)\nprint(r,ctypes.get_errno())'
      expect((await python(clone)).stdout).toBe('-1 1\n')
    })

    it('the switches of the kernel cannot be turned, even by root', async () => {
      const switches = [
        '/proc/sys/kernel/core_pattern',
        '/proc/sys/kernel/modprobe',
        '/proc/sys/vm/overcommit_memory',
        '/proc/sys/kernel/hostname',
        '/proc/sysrq-trigger',
        '/sys/kernel/uevent_helper',
        '/sys/power/state',
        '/proc/self/loginuid',
      ]
      const before = readFileSync('/proc/sys/kernel/core_pattern', 'utf8')
      const { stdout } = await run(
        switches
          .slice(0, -1)
          .map((file) => `[[ -w ${file} ]] && (: > ${file}) 2>/dev/null && echo ${file}`)
          .join('\n'),
      )
      expect(stdout).toBe('')
      expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(before)
    })

    it('refused system calls are refused', async () => {
      const code =
        'import ctypes,os\nc=ctypes.CDLL(None,use_errno=True)\nx=os.uname().machine=="x86_64"\nt={"bpf":(321,280),"io_uring_setup":(425,425),"userfaultfd":(323,282),"keyctl":(250,219),"perf_event_open":(298,241),"process_vm_readv":(310,270),"open_by_handle_at":(304,265),"kexec_load":(246,104),"reboot":(169,142),"fsopen":(430,430),"setns":(308,268)}\nfor n,(a,b) in t.items():\n  r=c.syscall(a if x else b,0,0,0,0,0)\n  print(n,r,ctypes.get_errno())'
      const { stdout } = await python(code)
      const lines = stdout.trim().split('\n')
      expect(lines).toHaveLength(11)
      expect(lines.filter((line) => !line.endsWith(' -1 1'))).toEqual([])
    })

    it('the x32 system calls are no way round the filter', async () => {
      const code =
        'import ctypes\nc=ctypes.CDLL(None,use_errno=True)\nprint(c.syscall(0x40000000|250,0,0,0,0,0),ctypes.get_errno())'
      if (process.arch === 'x64') expect((await python(code)).stdout).toBe('-1 38\n')
    })

    it('terminal input cannot be forged, and there is no terminal to forge it on', async () => {
      const code =
        'import fcntl\ntry: fcntl.ioctl(0,0x5412,b"x")\nexcept OSError as e: print(e.errno)\ntry: open("/dev/tty")\nexcept OSError as e: print(e.errno)'
      expect((await python(code)).stdout).toBe('1\n6\n')
    })

    it('ordinary tools still work: git, python, node and a pipeline', async () => {
      const node = process.execPath
      const script = `git init -q . && /usr/bin/python3 -c "print(6*7)" && ${node} -e "require('child_process').execSync('echo node',{stdio:'inherit'})" && seq 3 | sort -r | paste -sd,`
      expect((await run(script)).stdout).toBe('42\nnode\n3,2,1\n')
    })
  })

  describe(`${who}: processes`, () => {
    it('no process of the host is to be seen, signalled or traced', async () => {
      const { stdout } = await run(
        `ls /proc | grep -c -E '^[0-9]+$'; kill -0 ${process.pid} 2>/dev/null && echo alive; cat /proc/${process.pid}/environ 2>/dev/null | head -c 1`,
      )
      expect(Number(stdout)).toBeLessThan(12)
    })

    it('no variable of the engine is in any environment there is', async () => {
      process.env.CORDON_TEST_TOKEN = 'do-not-show-me'
      const { stdout } = await run(
        'env; cat /proc/*/environ 2>/dev/null | tr "\\0" "\\n"; cat /proc/*/cmdline | tr "\\0" "\\n"',
      )
      delete process.env.CORDON_TEST_TOKEN
      expect(stdout).not.toContain('do-not-show-me')
      expect(stdout).toContain('PATH=')
    })

    it('what a request sets acts inside the wall only', async () => {
      writeFileSync(
        `${workspace}/evil.c`,
        '#include <stdio.h>\n__attribute__((constructor)) void f(void){FILE*o=fopen("/tmp/cordon-preloaded","w");if(o)fclose(o);}',
      )
      const built = spawnSync('gcc', ['-shared', '-fPIC', '-o', `${workspace}/evil.so`, `${workspace}/evil.c`])
      const env: [string, string][] = [
        ['PATH', '/usr/bin:/bin'],
        ['LD_PRELOAD', `${workspace}/evil.so`],
        ['BASH_ENV', `${workspace}/x`],
      ]
      await run('true', plainProfile, { env })
      expect(existsSync('/tmp/cordon-preloaded')).toBe(false)
      if (built.status === 0)
        expect((await run('ls /tmp/cordon-preloaded', plainProfile, { env })).stdout).toBe('/tmp/cordon-preloaded\n')
    })

    it('the exit status cannot be forged from inside', async () => {
      const forge =
        'for f in /proc/self/fd/* /proc/1/fd/*; do echo \'{ "exit-code": 0 }\' > $f; done 2>/dev/null; exit 7'
      expect((await run(forge)).status).toBe(7)
    })

    it('the init of the wall cannot be killed or stopped from inside to escape a limit', async () => {
      const { status } = await run('kill -KILL 1; kill -STOP 1; exit 4')
      expect(status).toBe(4)
    })
  })

  describe(`${who}: the network`, () => {
    let server: Server
    let port: number
    beforeEach(async () => {
      server = createServer((socket) => socket.end('reached'))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const address = server.address()
      port = typeof address === 'object' && address !== null ? address.port : 0
    })
    afterEach(() => new Promise((resolve) => server.close(resolve)))

    it('without network there is no other address than the wall itself', async () => {
      const { stdout } = await run(
        `cat < /dev/tcp/127.0.0.1/${port}; cat < /dev/tcp/1.1.1.1/53; tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d " "`,
      )
      expect(stdout).toBe('lo\n')
    })

    it('with full network the host is reached', async () => {
      expect((await run(`cat < /dev/tcp/127.0.0.1/${port}`, { ...plainProfile, network: 'full' })).stdout).toBe(
        'reached',
      )
    })

    it('sockets of the host, by path or by abstract name, are out of reach', async () => {
      const path = `${workspace}/host.sock`
      const local = createServer((socket) => socket.end('reached'))
      await new Promise<void>((resolve) => local.listen(path, resolve))
      const code = (name: string) =>
        `import socket\ntry:\n  s=socket.socket(socket.AF_UNIX);s.connect(${name});print(s.recv(9))\nexcept OSError as e: print(e.errno)`
      const seen = await python(code(`"${path}"`), { ...plainProfile, network: 'full' })
      await new Promise((resolve) => local.close(resolve))
      expect(seen.stdout).toBe('1\n')
      expect((await run('ls /run /var/run/ 2>/dev/null | grep -v : | sort -u')).stdout.trim()).toBe('')
    })

    it('families of sockets that ignore network namespaces are refused', async () => {
      const code =
        'import socket\nfor f in (40,38,17,31,44):\n  try: socket.socket(f,socket.SOCK_DGRAM if f!=40 else socket.SOCK_STREAM)\n  except OSError as e: print(e.errno)'
      expect((await python(code)).stdout).toBe('97\n97\n97\n97\n97\n')
    })
  })

  describe(`${who}: git`, () => {
    const git = (cwd: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
        cwd,
        stdio: 'pipe',
        env: { PATH: '/usr/bin:/bin', HOME: top },
      })

    it('a worktree commits, and its repository keeps its hooks and configuration', async () => {
      mkdirSync(`${top}/main`)
      git(`${top}/main`, 'init', '-q')
      git(`${top}/main`, 'commit', '-q', '--allow-empty', '-m', 'first')
      git(`${top}/main`, 'worktree', 'add', '-q', `${top}/tree`)
      workspace = `${top}/tree`
      const commit = await run(
        'echo a > a && git add a && git -c user.name=t -c user.email=t@t commit -qm second && git log --format=%s',
      )
      expect([commit.stdout, commit.stderr]).toEqual(['second\nfirst\n', ''])
      const evil = await run(
        `echo x > ${top}/main/.git/hooks/pre-commit; echo x >> ${top}/main/.git/config; echo x > ${top}/main/file; mv ${top}/main/.git ${top}/main/x; git config core.pager evil`,
      )
      expect(existsSync(`${top}/main/.git/hooks/pre-commit`)).toBe(false)
      expect(existsSync(`${top}/main/file`)).toBe(false)
      expect(git(`${top}/main`, 'config', '--get-all', 'core.bare').toString()).toBe('false\n')
      expect(evil.stderr).toMatch(/Read-only file system/)
    })

    it('a submodule commits, and its repository keeps its hooks and configuration', async () => {
      mkdirSync(`${top}/library`)
      git(`${top}/library`, 'init', '-q')
      git(`${top}/library`, 'commit', '-q', '--allow-empty', '-m', 'first')
      git(workspace, 'init', '-q')
      git(workspace, '-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', `${top}/library`, 'vendor/library')
      const module = `${workspace}/.git/modules/vendor/library`
      const before = readFileSync(`${module}/config`, 'utf8')
      const commit = await run(
        'cd vendor/library && echo a > a && git add a && git -c user.name=t -c user.email=t@t commit -qm second && git log --format=%s',
      )
      expect([commit.stdout, commit.stderr]).toEqual(['second\nfirst\n', ''])
      const evil = await run(
        `echo x > ${module}/hooks/pre-commit; echo x >> ${module}/config; mv ${module} x; mv .git/modules x; git -C vendor/library config core.pager evil`,
      )
      expect([readFileSync(`${module}/config`, 'utf8'), existsSync(`${module}/hooks/pre-commit`)]).toEqual([
        before,
        false,
      ])
      expect(evil.stderr).toMatch(/Read-only file system/)
    })

    it('a .git file that names another directory makes it neither writable nor trusted', async () => {
      writeFileSync(`${workspace}/.git`, `gitdir: ${top}/outside\n`)
      await run(`echo x > ${top}/outside/secret`)
      expect(readFileSync(`${top}/outside/secret`, 'utf8')).toBe('the secret')
      expect(statSync(`${top}/outside`).isDirectory()).toBe(true)
    })
  })
}
