import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pathsOf } from '../contract/launcher-plan.js'
import type { AttackedWall } from './attacked-wall.js'

/** What can be written and read. */
export function fileAttacks(who: string, wall: AttackedWall): void {
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
      const { stdout } = await wall.run(places.map((place) => `(: > ${place}) 2>/dev/null && echo ${place}`).join('\n'))
      expect(stdout).toBe('')
      const doors = ['/proc/self/root', '/proc/self/cwd/../../../../../../..', '/proc/1/root', '/proc/$$/root']
      expect(
        (await wall.run(doors.map((door) => `(: > ${door}/etc/x) 2>/dev/null && echo ${door}`).join('\n'))).stdout,
      ).toBe('')
    })

    it('/tmp is private and empty, and what is written there is gone afterwards', async () => {
      expect((await wall.run('ls -A /tmp; echo x > /tmp/left')).stdout.trim()).toBe(
        wall.top.startsWith('/tmp/') ? wall.top.split('/')[2] : '',
      )
      expect((await wall.run('cat /tmp/left')).status).toBe(1)
      expect(existsSync('/tmp/left')).toBe(false)
    })

    it('a neighbour of the workspace in the same temporary directory is not there', async () => {
      expect((await wall.run(`cat ${wall.top}/outside/secret`)).stdout).toBe('')
    })

    it('a link planted in the workspace leads nowhere that can be written', async () => {
      symlinkSync('/etc', `${wall.workspace}/etc`)
      expect((await wall.run('echo x > etc/cordon-was-here')).status).not.toBe(0)
      expect(existsSync('/etc/cordon-was-here')).toBe(false)
    })

    it('hidden paths are refused, by every name they have, and never look empty', async () => {
      const hidden = pathsOf({ hidden: [`${wall.workspace}/keys`, `${wall.workspace}/.env`] })
      mkdirSync(`${wall.workspace}/keys`)
      writeFileSync(`${wall.workspace}/keys/id`, 'the secret')
      writeFileSync(`${wall.workspace}/.env`, 'the secret')
      symlinkSync('keys/id', `${wall.workspace}/link`)
      symlinkSync('.env', `${wall.workspace}/other`)
      const names = 'keys/id .env link other ./keys/../.env /proc/self/cwd/.env /proc/self/root$PWD/.env keys//id'
      const { stdout } = await wall.run(
        `for f in ${names}; do cat "$f" && echo "read $f"; done 2>&1 | grep -v 'Permission denied'
        ls -A keys && echo listed
        grep -rs secret .; tar cf - . | grep -a secret`,
        hidden,
      )
      expect(stdout).toBe('')
      expect(readFileSync(`${wall.workspace}/keys/id`, 'utf8')).toBe('the secret')
    })

    it('a hidden file cannot be opened up, replaced, moved or linked, nor can its directory', async () => {
      const hidden = pathsOf({ hidden: ['sub/keys', 'sub/.env'] })
      mkdirSync(`${wall.workspace}/sub/keys`, { recursive: true })
      writeFileSync(`${wall.workspace}/sub/keys/id`, 'the secret')
      writeFileSync(`${wall.workspace}/sub/.env`, 'the secret')
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
      const { stdout } = await wall.run(
        `${script}\ncat sub/.env sub/keys/id away/.env moved twin; stat -c %a sub/.env sub/keys`,
        hidden,
      )
      expect(stdout).toBe('0\n0\n')
      expect(readFileSync(`${wall.workspace}/sub/.env`, 'utf8')).toBe('the secret')
      expect(readFileSync(`${wall.workspace}/sub/keys/id`, 'utf8')).toBe('the secret')
    })

    it('names of hidden files can be listed, and what is open below a hidden directory can be reached', async () => {
      const hidden = pathsOf({ hidden: ['.env', 'keys'], writable: ['keys/public'] })
      mkdirSync(`${wall.workspace}/keys/public`, { recursive: true })
      writeFileSync(`${wall.workspace}/keys/public/id.pub`, 'public')
      writeFileSync(`${wall.workspace}/keys/id`, 'the secret')
      writeFileSync(`${wall.workspace}/.env`, 'the secret')
      const script = 'ls -A; stat -c %F .env; test -s .env && echo file; cat keys/public/id.pub; ls keys 2>/dev/null'
      const { stdout } = await wall.run(script, hidden)
      expect(stdout).toBe('.env\nkeys\nregular file\nfile\npublic')
    })

    it('nothing is put in the place of what is hidden by moving what is above it', async () => {
      mkdirSync(`${wall.workspace}/.local/state/cordon`, { recursive: true })
      writeFileSync(`${wall.workspace}/.local/state/cordon/approvals`, 'the real ones')
      const script =
        'mv .local/state x; mv .local y; rm -rf .local; mkdir -p .local/state/cordon; echo forged > .local/state/cordon/approvals'
      await wall.run(script, pathsOf({ hidden: ['.local/state/cordon'] }))
      expect(readFileSync(`${wall.workspace}/.local/state/cordon/approvals`, 'utf8')).toBe('the real ones')
    })

    it('a hidden directory stays hidden though a repository that is protected lies inside it', async () => {
      const nested = `${wall.workspace}/passwords`
      for (const at of [wall.workspace, nested]) execFileSync('git', ['init', '-q', at])
      writeFileSync(`${nested}/.git/secret`, 'the secret')
      // Which repositories are protected is read from the index, and that is the command's to write.
      const gitlink = `160000,${'1'.repeat(40)},passwords`
      const hidden = pathsOf({ hidden: ['passwords'] })
      await wall.run(`git update-index --add --cacheinfo ${gitlink}`, hidden)
      const { stdout } = await wall.run('git ls-files -s; find passwords; cat passwords/.git/secret', hidden)
      expect(stdout).toBe(`160000 ${'1'.repeat(40)} 0\tpasswords\npasswords\n`)
    })

    it('a read-only profile lets nothing in the workspace be changed', async () => {
      writeFileSync(`${wall.workspace}/file`, 'x')
      const { stdout } = await wall.run(
        'touch new; echo y > file; rm -f file; mkdir d; chmod 777 file; cat file',
        pathsOf({ write: false }),
      )
      expect([stdout, existsSync(`${wall.workspace}/new`)]).toEqual(['x', false])
    })

    it('set-uid programs gain nothing', async () => {
      const { stdout } = await wall.run(
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
      const { stdout } = await wall.run(
        'cd /dev; ls | grep -v -E "^(core|fd|full|null|ptmx|pts|random|shm|stderr|stdin|stdout|tty|urandom|zero|console)$"; mknod /tmp/sda b 8 0 2>/dev/null && cat /tmp/sda',
      )
      expect(stdout).toBe('')
    })
  })
}
