import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pathsOf } from '../../../contract/launcher-plan.js'
import type { AttackedSandbox } from '../../support/attacked-sandbox.js'

/** Attacks reads and writes of files. */
export function fileAttacks(who: string, sandbox: AttackedSandbox): void {
  describe(`${who}: the file system`, () => {
    it('nothing outside the workspace and /tmp can be written in any usual way', async () => {
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
      const { stdout } = await sandbox.run(
        places.map((place) => `(: > ${place}) 2>/dev/null && echo ${place}`).join('\n'),
      )
      expect(stdout).toBe('')
      const doors = ['/proc/self/root', '/proc/self/cwd/../../../../../../..', '/proc/1/root', '/proc/$$/root']
      expect(
        (await sandbox.run(doors.map((door) => `(: > ${door}/etc/x) 2>/dev/null && echo ${door}`).join('\n'))).stdout,
      ).toBe('')
    })

    it('/tmp is private and empty, and its files are gone afterwards', async () => {
      expect((await sandbox.run('ls -A /tmp; echo x > /tmp/left')).stdout.trim()).toBe(
        sandbox.top.startsWith('/tmp/') ? sandbox.top.split('/')[2] : '',
      )
      expect((await sandbox.run('cat /tmp/left')).status).toBe(1)
      expect(existsSync('/tmp/left')).toBe(false)
    })

    it('another directory beside the workspace in the temporary directory is absent', async () => {
      expect((await sandbox.run(`cat ${sandbox.top}/outside/secret`)).stdout).toBe('')
    })

    it('a symlink planted in the workspace leads to no writable path', async () => {
      symlinkSync('/etc', `${sandbox.workspace}/etc`)
      expect((await sandbox.run('echo x > etc/cordon-was-here')).status).not.toBe(0)
      expect(existsSync('/etc/cordon-was-here')).toBe(false)
    })

    it('hidden paths are refused by every name they have, and never look empty', async () => {
      const hidden = pathsOf({ hidden: [`${sandbox.workspace}/keys`, `${sandbox.workspace}/.env`] })
      mkdirSync(`${sandbox.workspace}/keys`)
      writeFileSync(`${sandbox.workspace}/keys/id`, 'the secret')
      writeFileSync(`${sandbox.workspace}/.env`, 'the secret')
      symlinkSync('keys/id', `${sandbox.workspace}/link`)
      symlinkSync('.env', `${sandbox.workspace}/other`)
      const names = 'keys/id .env link other ./keys/../.env /proc/self/cwd/.env /proc/self/root$PWD/.env keys//id'
      const { stdout } = await sandbox.run(
        `for f in ${names}; do cat "$f" && echo "read $f"; done 2>&1 | grep -v 'Permission denied'
        ls -A keys && echo listed
        grep -rs secret .; tar cf - . | grep -a secret`,
        hidden,
      )
      expect(stdout).toBe('')
      expect(readFileSync(`${sandbox.workspace}/keys/id`, 'utf8')).toBe('the secret')
    })

    it('a hidden file and its directory cannot be chmodded, replaced, moved or linked', async () => {
      const hidden = pathsOf({ hidden: ['sub/keys', 'sub/.env'] })
      mkdirSync(`${sandbox.workspace}/sub/keys`, { recursive: true })
      writeFileSync(`${sandbox.workspace}/sub/keys/id`, 'the secret')
      writeFileSync(`${sandbox.workspace}/sub/.env`, 'the secret')
      const attacks = [
        'chmod 777 sub/.env',
        'chmod 777 sub/keys',
        'chown $UID sub/.env',
        'setfacl -m u:$UID:r sub/.env',
        'echo x > sub/.env',
        'echo x > sub/keys/new',
        ': >> sub/.env',
        'touch sub/.env',
        'ln sub/.env twin',
        'ln -f other sub/.env',
        'mv sub/.env moved',
        'mv -f other sub/.env',
        'rm -f sub/.env',
        'rmdir sub/keys',
        'mv sub away',
        'mount -o remount,rw $PWD/sub/.env',
        'mount -o remount,bind,rw,mode=777 $PWD/sub/keys',
        'umount $PWD/sub/.env',
        'umount -l $PWD/sub/keys',
        'unshare -rm umount $PWD/sub/.env',
        'exec 3< sub/.env',
        'exec 3> sub/.env',
        'python3 -c "import os; os.open(\'sub/.env\', os.O_RDWR)"',
      ]
      const script = attacks.map((attack, i) => `touch other; (${attack}) 2>/dev/null && echo ${i}`).join('\n')
      const { stdout } = await sandbox.run(
        `${script}\ncat sub/.env sub/keys/id away/.env moved twin; stat -c %a sub/.env sub/keys`,
        hidden,
      )
      expect(stdout).toBe('0\n0\n')
      expect(readFileSync(`${sandbox.workspace}/sub/.env`, 'utf8')).toBe('the secret')
      expect(readFileSync(`${sandbox.workspace}/sub/keys/id`, 'utf8')).toBe('the secret')
    })

    it('hidden files can be listed, and open paths below a hidden directory can be reached', async () => {
      const hidden = pathsOf({ hidden: ['.env', 'keys'], writable: ['keys/public'] })
      mkdirSync(`${sandbox.workspace}/keys/public`, { recursive: true })
      writeFileSync(`${sandbox.workspace}/keys/public/id.pub`, 'public')
      writeFileSync(`${sandbox.workspace}/keys/id`, 'the secret')
      writeFileSync(`${sandbox.workspace}/.env`, 'the secret')
      const script = 'ls -A; stat -c %F .env; test -s .env && echo file; cat keys/public/id.pub; ls keys 2>/dev/null'
      const { stdout } = await sandbox.run(script, hidden)
      expect(stdout).toBe('.env\nkeys\nregular file\nfile\npublic')
    })

    it('a hidden path cannot be replaced by moving a directory above it', async () => {
      mkdirSync(`${sandbox.workspace}/.local/state/cordon`, { recursive: true })
      writeFileSync(`${sandbox.workspace}/.local/state/cordon/approvals`, 'the real ones')
      const script =
        'mv .local/state x; mv .local y; rm -rf .local; mkdir -p .local/state/cordon; echo forged > .local/state/cordon/approvals'
      await sandbox.run(script, pathsOf({ hidden: ['.local/state/cordon'] }))
      expect(readFileSync(`${sandbox.workspace}/.local/state/cordon/approvals`, 'utf8')).toBe('the real ones')
    })

    it('a hidden directory with a protected repository inside stays hidden', async () => {
      const nested = `${sandbox.workspace}/passwords`
      for (const at of [sandbox.workspace, nested]) execFileSync('git', ['init', '-q', at])
      writeFileSync(`${nested}/.git/secret`, 'the secret')
      // The index decides which repositories are protected, and the command can write it.
      const gitlink = `160000,${'1'.repeat(40)},passwords`
      const hidden = pathsOf({ hidden: ['passwords'] })
      await sandbox.run(`git update-index --add --cacheinfo ${gitlink}`, hidden)
      const { stdout } = await sandbox.run('git ls-files -s; find passwords; cat passwords/.git/secret', hidden)
      expect(stdout).toBe(`160000 ${'1'.repeat(40)} 0\tpasswords\npasswords\n`)
    })

    it('a read-only profile allows no change in the workspace', async () => {
      writeFileSync(`${sandbox.workspace}/file`, 'x')
      const { stdout } = await sandbox.run(
        'touch new; echo y > file; rm -f file; mkdir d; chmod 777 file; cat file',
        pathsOf({ write: false }),
      )
      expect([stdout, existsSync(`${sandbox.workspace}/new`)]).toEqual(['x', false])
    })

    it('set-uid programs gain nothing', async () => {
      const { stdout } = await sandbox.run(
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

    it('devices of the host are absent', async () => {
      const { stdout } = await sandbox.run(
        'cd /dev; ls | grep -v -E "^(core|fd|full|null|ptmx|pts|random|shm|stderr|stdin|stdout|tty|urandom|zero|console)$"; mknod /tmp/sda b 8 0 2>/dev/null && cat /tmp/sda',
      )
      expect(stdout).toBe('')
    })
  })
}
