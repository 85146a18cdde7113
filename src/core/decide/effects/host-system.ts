import type { Rule } from '../../model/policy/profile.js'
import { ask, words } from './effect-rule.js'

const ASK_PERSON = 'Leave the host unchanged, or ask a person to change it.'

/**
 * Changes of the host. They fail in a sandbox and would succeed without one. They ask in every profile, because no
 * agent task needs them.
 */
export const HOST_SYSTEM_EFFECTS: readonly Rule[] = [
  ask({
    name: 'accounts',
    program: words(
      'useradd userdel usermod groupadd groupdel groupmod gpasswd adduser deluser addgroup delgroup newusers chage chsh chfn dscl',
    ),
    because: 'It changes user accounts of the host.',
    instead: ASK_PERSON,
    hits: ['useradd bob', 'usermod -aG docker me', '/usr/sbin/userdel bob'],
    misses: ['id bob', 'getent group', 'groups', 'git log --author=useradd'],
  }),
  ask({
    name: 'firewall',
    program: words(
      'iptables ip6tables iptables-nft ip6tables-nft iptables-legacy ebtables arptables ipset nft ufw firewall-cmd pfctl',
    ),
    args: [
      words(
        '-A -I -D -F -X -P -N -R -Z -E -f --append --insert --delete --flush --delete-chain --policy --new-chain --replace --zero --rename-chain --file add delete destroy flush create insert replace rename reset restore swap enable disable allow deny reject limit default reload route --add* --remove* --reload --complete-reload --set* --panic-* --permanent --new* --change* --direct -d -e',
      ),
    ],
    because: 'It changes the firewall of the host.',
    instead: ASK_PERSON,
    hits: [
      'iptables -F',
      'nft flush ruleset',
      'ufw disable',
      'iptables -t nat -A POSTROUTING -j MASQUERADE',
      'firewall-cmd --add-port=80/tcp',
    ],
    misses: ['iptables -L -n', 'iptables -S', 'nft list ruleset', 'ufw status', 'firewall-cmd --list-all'],
  }),
  ask({
    name: 'firewall-load',
    program: words('iptables-restore ip6tables-restore iptables-apply'),
    because: 'It changes the firewall of the host.',
    instead: ASK_PERSON,
    hits: ['iptables-restore < rules'],
    misses: ['iptables-save', 'iptables -L'],
  }),
  ask({
    name: 'kernel-module',
    program: words('modprobe insmod rmmod depmod dkms kldload kextload'),
    because: 'It changes the running kernel.',
    instead: ASK_PERSON,
    hits: ['modprobe loop', 'insmod x.ko', 'rmmod loop'],
    misses: ['lsmod', 'modinfo loop'],
  }),
  ask({
    name: 'kernel-setting',
    program: ['sysctl'],
    args: [words('-w --write -p --load* --system *=*')],
    because: 'It changes settings of the running kernel.',
    instead: ASK_PERSON,
    hits: ['sysctl -w vm.swappiness=10', 'sysctl vm.swappiness=10', 'sysctl -p', 'sysctl --system'],
    misses: ['sysctl -a', 'sysctl vm.swappiness', 'sysctl -n kernel.hostname'],
  }),
  ask({
    name: 'service',
    program: words(
      'systemctl service rc-service rc-update invoke-rc.d update-rc.d chkconfig launchctl initctl sv loginctl',
    ),
    args: [
      words(
        'start stop restart reload force-reload try-restart reload-or-restart try-reload-or-restart isolate kill enable disable reenable preset preset-all mask unmask link revert edit daemon-reload daemon-reexec set-property set-default set-environment unset-environment import-environment switch-root rescue emergency suspend hibernate hybrid-sleep suspend-then-hibernate freeze thaw clean add-wants add-requires load unload bootstrap bootout kickstart remove defaults add del delete terminate-session terminate-user terminate-seat kill-session kill-user enable-linger disable-linger --full-restart on off',
      ),
    ],
    because: 'It starts, stops or changes services of the host.',
    instead: 'Read the state, and ask a person to change it. Start a server of the project by its own program.',
    hits: [
      'systemctl stop nginx',
      'systemctl --user restart app',
      'service nginx restart',
      'systemctl disable --now ssh',
    ],
    misses: [
      'systemctl status nginx',
      'systemctl list-units',
      'service nginx status',
      'systemctl is-active ssh',
      'loginctl list-sessions',
    ],
  }),
  ask({
    name: 'mount',
    program: ['mount', 'mount.nfs', 'mount.cifs', 'sshfs'],
    args: [words('/* */* *:* *=* -a --all --bind -B --rbind -R --move -M tmpfs overlay proc sysfs')],
    because: 'It changes the mounts of the host.',
    instead: ASK_PERSON,
    hits: ['mount -t tmpfs tmpfs /mnt', 'mount -a', 'mount --bind a b'],
    misses: ['mount', 'mount -l', 'mount -t ext4', 'findmnt', 'mount | grep sda'],
  }),
  ask({
    name: 'unmount',
    program: words('umount fusermount fusermount3 swapon swapoff mkswap pivot_root switch_root diskutil'),
    because: 'It changes the mounts or the swap space of the host.',
    instead: ASK_PERSON,
    hits: ['umount /mnt', 'swapoff -a', 'fusermount -u mnt', 'mkswap swap.img'],
    misses: ['df -h', 'cat /proc/swaps'],
  }),
  ask({
    name: 'disk',
    program: words(
      'cfdisk pvcreate pvremove pvresize pvmove vgcreate vgremove vgextend vgreduce vgrename lvcreate lvremove lvextend lvreduce lvresize lvrename blkdiscard badblocks tune2fs resize2fs fsck fsck.* e2fsck xfs_repair xfs_growfs debugfs flashrom grub-install update-grub grub-mkconfig update-initramfs mkinitcpio dracut',
    ),
    because: 'It changes disks or the boot configuration of the host.',
    instead: ASK_PERSON,
    hits: ['lvremove -f vg/data', 'vgremove vg', 'fsck -y disk.img', 'update-grub'],
    misses: ['lvs', 'lsblk', 'df -h'],
  }),
  ask({
    name: 'disk-tool',
    program: words('parted cryptsetup dmsetup zpool zfs btrfs nvme bootctl fwupdmgr fwupdtool'),
    args: [
      words(
        'mklabel mktable mkpart rm resizepart set move create destroy add remove attach detach replace offline online export import upgrade labelclear clear split rollback rename receive recv promote unmount load-key change-key delete balance luksFormat luksErase erase open luksOpen close luksClose reencrypt luksAddKey luksRemoveKey luksKillSlot resize wipe_table suspend resume reload load format sanitize write-* reset delete-ns create-ns fw-* install update downgrade reinstall',
      ),
    ],
    because: 'It changes disks or the boot configuration of the host.',
    instead: ASK_PERSON,
    hits: ['zpool destroy tank', 'zfs destroy tank/a', 'cryptsetup luksFormat disk.img', 'btrfs subvolume delete x'],
    misses: ['zpool list', 'zfs list -t snapshot -o name', 'parted -l', 'btrfs filesystem show', 'nvme list'],
  }),
  ask({
    name: 'disk-option',
    program: ['wipefs', 'mdadm', 'losetup', 'efibootmgr'],
    args: [
      words(
        '--all --offset -d -D -f --find --detach* --create -C --stop -S --fail --remove --add --grow -G --assemble -A --manage --zero-superblock -B -b -c -o -n --delete* --bootorder --bootnext',
      ),
    ],
    because: 'It changes disks or the boot configuration of the host.',
    instead: ASK_PERSON,
    hits: ['losetup -f disk.img', 'efibootmgr -b 1 -B', 'mdadm --create md0 --level=1 a b', 'wipefs --all disk.img'],
    misses: ['wipefs disk.img', 'losetup -l', 'losetup -a', 'efibootmgr', 'mdadm --detail md0'],
  }),
  ask({
    name: 'disk-wipe',
    program: ['wipefs', 'sgdisk', 'sfdisk'],
    args: [words('-a -Z -z --zap* --delete* --wipe*')],
    because: 'It removes the partition table or file system signature of a disk.',
    instead: ASK_PERSON,
    hits: ['wipefs -a disk.img', 'sgdisk -Z disk.img'],
    misses: ['wipefs disk.img', 'sfdisk -d disk.img'],
  }),
  ask({
    name: 'clock',
    program: words('date hwclock timedatectl hostnamectl localectl ntpdate'),
    args: [words('-s* --set* -w --systohc --hctosys set-* hostname icon-name chassis')],
    because: 'It changes the clock or the name of the host.',
    instead: ASK_PERSON,
    hits: ['date -s 2020-01-01', 'timedatectl set-time 12:00', 'hostnamectl set-hostname x', 'date --set=now'],
    misses: ['date +%s', 'date -d yesterday', 'timedatectl', 'hostnamectl', 'date -u'],
  }),
  ask({
    name: 'hostname',
    program: ['hostname', 'domainname'],
    args: [['*']],
    because: 'It changes the host name.',
    instead: ASK_PERSON,
    hits: ['hostname other'],
    misses: ['hostname', 'hostname -I', 'hostname --fqdn'],
  }),
  ask({
    name: 'network-setting',
    program: words('ip tc route rfkill brctl bridge iw wg resolvectl networksetup'),
    args: [
      words(
        'set add del delete change replace flush append restore block unblock addbr delbr addif delif connect disconnect setconf addconf syncconf revert -set*',
      ),
    ],
    because: 'It changes the network settings of the host.',
    instead: ASK_PERSON,
    hits: ['ip link set eth0 down', 'ip route del default', 'ip addr add 10.0.0.1/24 dev eth0', 'rfkill block all'],
    misses: ['ip addr', 'ip route show', 'ip -s link', 'ip -br link', 'route -n', 'tc qdisc show'],
  }),
  ask({
    name: 'network-manager',
    program: words('nmcli ifconfig iwconfig'),
    args: [
      words(
        'up down add del delete modify edit connect disconnect reload on off import hotspot netmask mtu hw promisc essid mode key txpower',
      ),
    ],
    because: 'It changes the network settings of the host.',
    instead: ASK_PERSON,
    hits: ['ifconfig eth0 down', 'nmcli con down home', 'nmcli radio wifi off'],
    misses: ['ifconfig', 'ifconfig -a', 'nmcli dev status', 'nmcli -f NAME con show'],
  }),
  ask({
    name: 'network-interface',
    program: words('ifup ifdown dhclient dhcpcd wg-quick wpa_supplicant openvpn pppd'),
    because: 'It changes the network settings of the host.',
    instead: ASK_PERSON,
    hits: ['ifdown eth0', 'wg-quick up wg0'],
    misses: ['ip addr', 'wg show'],
  }),
  ask({
    name: 'security-setting',
    program: words(
      'setenforce setsebool semanage auditctl aa-disable aa-complain aa-enforce aa-teardown apparmor_parser setcap chattr csrutil spctl update-ca-certificates',
    ),
    because: 'It changes security settings of the host.',
    instead: ASK_PERSON,
    hits: ['setenforce 0', 'setcap cap_net_raw+ep app', 'chattr +i file', 'aa-teardown'],
    misses: ['getenforce', 'getcap app', 'lsattr file', 'aa-status'],
  }),
  ask({
    name: 'setuid',
    program: ['chmod', 'install'],
    args: [words('*+*s* *=*s* 4??? 6??? 2??? 04??? 06??? 02???')],
    because: 'The file would run with the rights of its owner or group.',
    instead: 'Use a mode without these bits, such as 755.',
    hits: ['chmod u+s app', 'chmod 4755 app', 'chmod -R g+s dir'],
    misses: ['chmod 755 app', 'chmod +x app', 'chmod -R u+rwX,go-w dir', 'chmod 0644 f'],
  }),
  ask({
    name: 'namespace',
    program: ['nsenter', 'chroot', 'machinectl', 'systemd-nspawn', 'ctr', 'crictl'],
    because: 'It acts in another system or container.',
    instead: 'Work on this system, or ask a person to run it.',
    hits: ['chroot root ls', 'nsenter -t 4242 -n ip addr'],
    misses: ['unshare --help', 'lsns'],
  }),
  ask({
    name: 'system-log',
    program: ['journalctl'],
    args: [words('--vacuum* --rotate --flush --setup-keys')],
    because: 'It removes system log entries.',
    instead: 'Read the log, but do not change it.',
    hits: ['journalctl --vacuum-time=1s'],
    misses: ['journalctl -u nginx', 'journalctl -b -p err'],
  }),
  ask({
    name: 'kernel-log',
    program: ['dmesg'],
    args: [words('-C -c --clear --read-clear --console-* -D -E -n')],
    because: 'It clears the kernel log or changes its console output.',
    instead: 'Read the log, but do not change it.',
    hits: ['dmesg -C'],
    misses: ['dmesg', 'dmesg -T', 'dmesg --follow'],
  }),
  ask({
    name: 'kill-many',
    program: ['pkill', 'killall', 'skill'],
    args: [
      words(
        '-u* -U* -G* -g* -t* -s --euid* --uid* --group* --pgroup* --session* --terminal* --user* -v --inverse . ? ^',
      ),
    ],
    because: 'It ends processes by user, group or session, or all of them.',
    instead: 'End the processes you mean by name or pid.',
    hits: ['pkill -u root', 'killall -u me', 'pkill -9 .'],
    misses: ['pkill node', 'pkill -f "vite --port 3000"', 'killall -9 chrome'],
  }),
  ask({
    name: 'kill-by-path',
    program: ['fuser'],
    args: [
      ['--kill', '-k*', '-?k*', '-??k*', '-???k*'],
      ['/*', '.', '..', '~*', './*', '../*'],
    ],
    because: 'It ends every process that uses a path.',
    instead: 'End the processes you mean by name or pid.',
    hits: ['fuser -km /', 'fuser -k -m /home', 'fuser -mk .'],
    misses: ['fuser -k 3000/tcp', 'fuser -m /', 'fuser -v -n tcp 80'],
  }),
  ask({
    name: 'alternatives',
    program: ['update-alternatives', 'alternatives'],
    args: [words('--set --install --remove --remove-all --config --auto --all --set-selections')],
    because: 'It changes which program a name runs on the host.',
    instead: ASK_PERSON,
    hits: ['update-alternatives --set editor /usr/bin/vim'],
    misses: ['update-alternatives --list editor', 'update-alternatives --display editor'],
  }),
]
