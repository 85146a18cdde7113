import { foreign, writes } from '../grammar/effect-builders.js'
import type { Call, Effect, Family, Grammar } from '../grammar/roles.js'
import { ipEffects, opensslEffects, sshOptions } from './network-effects.js'

const LOOKUP: Grammar = { rest: 'host', writesOnlyNamedPaths: true }
const ASKS: Grammar = { writesOnlyNamedPaths: true }

/** `ssh-keygen -f FILE` writes a key, unless it only prints one. */
function keyFile(call: Call): readonly Effect[] {
  const file = call.value('-f')
  return file && !call.has('-l', '-y', '-e', '-B', '-L', '-F', '-D', '-Y') ? [writes(file)] : []
}

/** Programs that inspect, configure or secure the network. */
export const networkTools: Family = [
  {
    names: 'ping ping6 arping fping hping3 nping',
    values: { '-c -F -i -I -l -m -M -N -p -Q -s -S -t -T -w -W': 'text' },
    ...LOOKUP,
  },
  {
    names: 'traceroute traceroute6 tracepath mtr tcptraceroute',
    values: { '-f -g -i -m -N -p -q -s -w -z -c -P -U': 'text' },
    ...LOOKUP,
  },
  {
    names: 'host nslookup whois drill kdig dog doggo resolvectl systemd-resolve dnsrecon amass subfinder',
    values: { '-t -c -N -R -W -h -p': 'text' },
    ...LOOKUP,
  },
  {
    names: 'dig delv',
    values: { '-b -c -k -p -q -t -x -y': 'text', '-f': 'read' },
    writesOnlyNamedPaths: true,
    effects: ({ operands }) =>
      operands.filter((arg) => !arg.prefix.startsWith('+')).map((host) => ({ does: 'connect', host, how: 'host' })),
  },
  {
    names: 'nmap zenmap masscan rustscan',
    values: {
      '--script': 'code',
      '--script-args-file --datadir --servicedb --versiondb -iL --excludefile --resume --stylesheet': 'read',
      '--script-args -p -e -g -T -D -S --top-ports --dns-servers --exclude --max-rate --min-rate --host-timeout --max-retries --script-help --source-port --data-length --ttl':
        'text',
      '-oN -oX -oG -oA -oS -oM -oJ': 'write',
    },
    style: 'single-dash',
    rest: 'host',
    unlisted: 'ignore',
    effects: ({ argv }) =>
      argv.some((arg) => arg.text === '--interactive') ? [foreign('commands typed into it')] : [],
  },
  {
    names: 'tcpdump',
    flags:
      '-A -b -d -D -e -f -h --help --version -H -I -J -K -l -L -n -N -O -p -q -S -t -u -U -v -x -X -# -Z --print --immediate-mode --list-interfaces --lengths',
    values: {
      '-z --postrotate-command': 'program',
      '-w --write': 'write',
      '-r -F -V': 'read',
      '-B -c -C -E -G -i -j -M -Q -s -T -W -y -Z --count --interface --time-stamp-precision --relinquish-privileges --direction --snapshot-length':
        'text',
    },
  },
  {
    names: 'tshark wireshark dumpcap ngrep ettercap bettercap tcpflow termshark editcap mergecap capinfos',
    effects: ({ argv }) => argv.flatMap((arg) => (/^-X./.test(arg.prefix) ? [foreign('a script it loads', arg)] : [])),
    values: {
      '-w -o': 'write',
      '-r': 'read',
      '-X': 'code',
      '-i -f -Y -T -e -c -a -b -O': 'text',
      '-eval --eval': 'code',
    },
    style: 'single-dash',
    unlisted: 'ignore',
  },
  {
    names: 'ip',
    flags: '-V -h -s -d -o -r -a -B -D -M -0 -c -t -p',
    values: { '-f -family -l -loops -n -netns -rc -rcvbuf': 'text', '-b -batch': 'code-file' },
    style: 'single-dash',
    permute: false,
    unlisted: 'ignore',
    effects: ipEffects,
  },
  {
    names:
      'ifconfig ifup ifdown ifquery route arp ethtool iw iwconfig iwlist brctl bridge tc rdma devlink nmcli nmtui networkctl netplan wpa_supplicant wpa_cli dhclient dhcpcd udhcpc connmanctl rfkill wg wg-quick ufw firewall-cmd nft iptables ip6tables iptables-save iptables-restore ebtables arptables ipset conntrack tailscale zerotier-cli vnstat',
    values: { '-sf': 'program' },
    rest: 'text',
    style: 'single-dash',
    unlisted: 'ignore',
  },
  {
    names: 'netstat ss nethogs iftop bmon nload bandwhich sockstat lldpctl iperf iperf3 speedtest speedtest-cli fast',
    ...ASKS,
  },
  { names: 'openssl libressl', writesOnlyNamedPaths: false, effects: opensslEffects },
  {
    names: 'certbot acme.sh lego mkcert',
    values: {
      '--pre-hook --post-hook --deploy-hook --renew-hook --manual-auth-hook --manual-cleanup-hook --reloadcmd --renew-hook --run-hook':
        'shell',
      '-d --domain --domains -m --email -w --webroot-path': 'text',
    },
    foreign: 'hooks and plugins from its settings',
    unlisted: 'ignore',
  },
  {
    names: 'gpg gpg2 gpgv gpgsm gpg-agent gpgconf gpg-connect-agent gpgtar',
    flags:
      '-c --symmetric -e --encrypt -s --sign -b --detach-sign --clear-sign --clearsign -d --decrypt --import --verify --enarmor --dearmor --store --batch',
    when: {
      '-c --symmetric -e --encrypt -s --sign -b --detach-sign --clear-sign --clearsign -d --decrypt --import --verify --enarmor --dearmor --store':
        { rest: 'read' },
    },
    values: {
      '--photo-viewer': 'shell',
      '--agent-program --dirmngr-program --keyboxd-program --pinentry-program': 'program',
      '--exec-path': 'code-file',
      '-o --output': 'write',
      '--homedir --options --keyring --secret-keyring --trustdb-name --passphrase-file': 'read',
      '-r --recipient -R --hidden-recipient -u --local-user --default-key --passphrase --keyserver --cipher-algo --digest-algo --pinentry-mode --batch-size --status-fd --command-fd --passphrase-fd --list-options --import-options --export-options --trust-model --s2k-mode':
        'text',
    },
    rest: 'text',
    unlisted: 'ignore',
  },
  {
    names: 'ssh-keygen',
    flags: '-A -B -c -e -H -h -i -l -L -p -q -U -v -y -Q -k',
    values: {
      '-D': 'code',
      '-w': 'code',
      '-f': 'read',
      '-a -b -C -E -F -g -I -m -M -n -N -O -P -R -r -S -s -t -V -W -Y -z -Z': 'text',
    },
    effects: keyFile,
    rest: 'read',
  },
  {
    names: 'ssh-add',
    flags: '-c -D -d -K -k -L -l -q -v -X -x',
    values: { '-s -S -e': 'code', '-E -t -T -h -H': 'text' },
    rest: 'read',
  },
  { names: 'ssh-agent', values: { '-a': 'write', '-E -O -P -t': 'text' }, operands: ['command'], unlisted: 'ignore' },
  {
    names: 'ssh-copy-id',
    flags: '-f -n -s -x -h',
    values: { '-i': 'read', '-p -t': 'text', '-o': 'text', '-F': 'read' },
    operands: ['host'],
    effects: sshOptions,
  },
  {
    names: 'sshfs curlftpfs s3fs',
    values: { '-o': 'text', '-p -F': 'text' },
    operands: ['remote', 'write-tree'],
    effects: sshOptions,
  },
  {
    names: 'openvpn',
    values: {
      '--up --down --route-up --route-pre-down --ipchange --tls-verify --auth-user-pass-verify --client-connect --client-disconnect --learn-address --plugin --iproute --tls-crypt-v2-verify':
        'shell',
      '--config --cd': 'code-file',
      '--remote': 'host',
      '--writepid --log --log-append --status': 'write',
      '--dev --port --proto --script-security --verb': 'text',
    },
    operands: ['code-file'],
    unlisted: 'ignore',
  },
  {
    names: 'ab wrk wrk2 hey siege vegeta bombardier k6 locust artillery oha autocannon tsung jmeter gatling',
    values: { '-s --script': 'code-file', '-o -O --output': 'write', '-c -n -t -d -H -m -p -T -A -X': 'text' },
    rest: 'url',
    unlisted: 'ignore',
  },
  {
    names:
      'mail mailx s-nail mutt neomutt alpine swaks sendmail msmtp exim exim4 postfix mailq ssmtp procmail fetchmail offlineimap mbsync getmail',
    values: {
      '-e': 'code',
      '-F': 'read',
      '--passwordeval --pipe --data-from-command': 'shell',
      '-a --attach': 'read',
      '-s -c -b -r -S -A': 'text',
    },
    foreign: 'commands from its settings or messages',
    unlisted: 'ignore',
  },
  {
    names:
      'w3m lynx links links2 elinks browsh firefox chromium chromium-browser google-chrome chrome brave brave-browser',
    foreign: 'pages and helper programs that it opens',
    rest: 'url',
  },
]
