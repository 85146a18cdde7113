import { cut } from '../grammar/effect-builders.js'
import type { Call, Effect, Family, Grammar } from '../grammar/roles.js'

const ASKS: Grammar = { writesOnlyNamedPaths: true }
const DEVICE: Grammar = { rest: 'write' }

/** `crontab FILE`. Without a file, or with `-`, the table is on standard input. */
function scheduled(call: Call): readonly Effect[] {
  if (call.has('-l', '-r')) return []
  if (call.has('-e')) return [{ does: 'foreign', reason: 'the editor from the settings' }]
  const later: Effect = { does: 'foreign', reason: 'commands that will run later' }
  const [file] = call.operands
  return file && file.text !== '-' ? [later] : [later, { does: 'shell-stdin', via: 'crontab', form: 'crontab' }]
}

/** `modprobe`, `sysctl`: settings that name programs which the kernel starts. */
function kernelSettings({ operands }: Call): readonly Effect[] {
  return operands.flatMap((arg): readonly Effect[] => {
    const pair = cut(arg, '=')
    if (!pair || !/core_pattern|modprobe|hotplug|poweroff_cmd|uevent_helper/.test(pair[0])) return []
    return [{ does: 'foreign', reason: 'a program the kernel will start', at: arg.span }]
  })
}

/** Programs that operate and repair a system. */
export const systemAdministration: Family = [
  // Rules match these by their arguments. Nothing else is known about them.
  {
    names:
      'umount swapoff swapon fusermount fusermount3 udisksctl eject invoke-rc.d rc-service rc-update update-rc.d chkconfig initctl telinit supervisorctl shutdown reboot halt poweroff init kexec useradd adduser userdel deluser usermod groupadd addgroup groupdel delgroup groupmod gpasswd passwd chpasswd newusers chage vigr setenforce setsebool semanage auditctl aa-enforce aa-complain apparmor_parser fuser hwclock ntpdate diskutil',
    rest: 'text',
  },
  {
    names: 'mount mount.cifs',
    values: {
      '-t --types -o --options -L --label -U --uuid -O --test-opts -N --namespace --target-prefix': 'text',
      '-T --fstab': 'read',
      '--source': 'read',
      '--target': 'write',
    },
    rest: 'read',
    last: 'write',
  },
  {
    names:
      'mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.exfat mkfs.ntfs mkfs.f2fs mkfs.minix mkfs.cramfs mke2fs mkswap mkntfs mkdosfs newfs wipefs blkdiscard',
    values: { '-t --type -L -U -b -i -m -N -F -s -n -O -E -f': 'text' },
    ...DEVICE,
  },
  {
    names: 'fdisk sfdisk cfdisk gdisk sgdisk parted partprobe partx kpartx gparted',
    values: { '-u -b -t -n -c -d': 'text' },
    ...DEVICE,
  },
  {
    names:
      'fsck fsck.ext4 fsck.vfat fsck.xfs fsck.btrfs e2fsck xfs_repair ntfsfix tune2fs resize2fs xfs_growfs e2label badblocks dumpe2fs hdparm nvme smartctl sdparm blockdev losetup cryptsetup lvm pvcreate vgcreate lvcreate lvextend lvremove vgremove pvremove pvs vgs lvs pvdisplay vgdisplay lvdisplay mdadm zpool zfs btrfs bcachefs quota quotacheck ddrescue testdisk photorec partclone partclone.restore partclone.dd clonezilla e2image scrub nwipe flashrom fwupdmgr dmraid multipath iscsiadm',
    rest: 'update',
  },
  {
    names: 'systemctl',
    values: {
      '-H --host': 'host',
      '-M --machine -t --type --state -p --property -n --lines -o --output -s --signal --root --kill-whom': 'text',
    },
    subcommands: {
      'status,show,cat,list-units,list-unit-files,list-timers,list-sockets,list-dependencies,list-jobs,list-machines,is-active,is-enabled,is-failed,is-system-running,get-default,help,show-environment':
        ASKS,
      'edit,link': { foreign: 'a unit, which starts programs' },
      '*': { unlisted: 'ignore' },
    },
  },
  { names: 'journalctl dmesg systemd-analyze systemd-cgls systemd-cgtop systemd-detect-virt', ...ASKS },
  { names: 'chsh', values: { '-s --shell': 'program' }, unlisted: 'ignore' },
  { names: 'visudo vipw', values: { '-f --file': 'update' }, foreign: 'the editor from the settings' },
  {
    names: 'crontab',
    flags: '-l -r -i -e -n -c -s',
    values: { '-u': 'text' },
    operands: ['code-file'],
    effects: scheduled,
  },
  {
    names: 'logrotate',
    flags: '-d --debug -f --force -v --verbose --usage --version -?',
    values: { '-m --mail': 'program', '-s --state -l --log': 'write' },
    rest: 'code-file',
  },
  { names: 'sysctl', values: { '-f --load -r': 'text' }, effects: kernelSettings },
  {
    names: 'modprobe insmod rmmod kmod',
    values: { '-C --config -d --dirname': 'code-file', '-S --set-version': 'text' },
    foreign: 'a kernel module',
    unlisted: 'ignore',
    effects: kernelSettings,
  },
  {
    names: 'modinfo getcap getfacl getfattr lsattr getsebool sestatus getenforce aa-status ausearch aureport',
    ...ASKS,
    rest: 'read',
  },
  { names: 'setcap', operands: ['text', 'update'] },
  { names: 'lp lpr', values: { '-d -P -o -n -h -U -t -q': 'text' }, rest: 'read' },
  {
    names:
      'slapd ldapsearch ldapadd ldapmodify ldapdelete kinit klist kdestroy smbclient smbpasswd net rpcclient wbinfo realm samba-tool showmount exportfs',
    values: { '-c --command': 'code', '-H -h': 'text', '-f': 'read' },
    foreign: 'commands that may start with !',
    unlisted: 'ignore',
    rest: 'text',
  },
  {
    names: 'sbatch qsub bsub condor_submit',
    permute: false,
    unlisted: 'ignore',
    foreign: 'a job on a cluster',
    values: {
      '--wrap': 'shell',
      '-J -N -n -c -t -p -o -e -q -A --job-name --nodes --ntasks --time --partition --mem --output --error': 'text',
    },
    rest: 'text',
  },
]
