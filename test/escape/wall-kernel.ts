import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { AttackedWall } from './attacked-wall.js'

/** What the kernel can be asked for. */
export function kernelDoors(who: string, wall: AttackedWall): void {
  describe(`${who}: the kernel`, () => {
    it('mounts cannot be made, moved, removed or made writable', async () => {
      const tries = [
        'mount -o remount,rw,bind /',
        'mount -o remount,rw /usr',
        'umount /tmp',
        'mount --bind /tmp /etc',
        'mount -t tmpfs none /etc',
        'mount -t proc none /proc',
        `mount --move ${wall.workspace} /mnt`,
      ]
      expect(
        (await wall.run(tries.map((attempt) => `${attempt} 2>/dev/null && echo '${attempt}'`).join('\n'))).stdout,
      ).toBe('')
    })

    it('new namespaces cannot be made, by unshare, clone or clone3', async () => {
      expect((await wall.run('for n in U m n p i u C; do unshare -$n true 2>/dev/null && echo $n; done')).stdout).toBe(
        '',
      )
      const clone3 =
        'import ctypes,os\nc=ctypes.CDLL(None,use_errno=True)\na=(ctypes.c_uint64*11)(0x10000000,0,0,0,17)\nr=c.syscall(435,ctypes.byref(a),88)\nif r==0: os._exit(0)\nprint(r,ctypes.get_errno())'
      expect((await wall.python(clone3)).stdout).toBe('-1 38\n')
      const clone =
        'import ctypes,os\nc=ctypes.CDLL(None,use_errno=True)\nn=56 if os.uname().machine=="x86_64" else 220\nr=c.syscall(n,0x10000011,0,0,0,0)\nif r==0: os._exit(0)\nprint(r,ctypes.get_errno())'
      expect((await wall.python(clone)).stdout).toBe('-1 1\n')
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
      const { stdout } = await wall.run(
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
      const { stdout } = await wall.python(code)
      const lines = stdout.trim().split('\n')
      expect(lines).toHaveLength(11)
      expect(lines.filter((line) => !line.endsWith(' -1 1'))).toEqual([])
    })

    it('the x32 system calls are no way round the filter', async () => {
      const code =
        'import ctypes\nc=ctypes.CDLL(None,use_errno=True)\nprint(c.syscall(0x40000000|250,0,0,0,0,0),ctypes.get_errno())'
      if (process.arch === 'x64') expect((await wall.python(code)).stdout).toBe('-1 38\n')
    })

    it('terminal input cannot be forged, and there is no terminal to forge it on', async () => {
      const code =
        'import fcntl\ntry: fcntl.ioctl(0,0x5412,b"x")\nexcept OSError as e: print(e.errno)\ntry: open("/dev/tty")\nexcept OSError as e: print(e.errno)'
      expect((await wall.python(code)).stdout).toBe('1\n6\n')
    })

    it('ordinary tools still work: git, python, node and a pipeline', async () => {
      const node = process.execPath
      const script = `git init -q . && /usr/bin/python3 -c "print(6*7)" && ${node} -e "require('child_process').execSync('echo node',{stdio:'inherit'})" && seq 3 | sort -r | paste -sd,`
      expect((await wall.run(script)).stdout).toBe('42\nnode\n3,2,1\n')
    })
  })
}
