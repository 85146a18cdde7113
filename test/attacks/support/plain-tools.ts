const NPM = '--no-audit --no-fund --no-update-notifier --fetch-retries 0 --cache "$PWD/.npm" --loglevel error'
const PIP = 'pip3 --disable-pip-version-check --no-cache-dir --retries 0 -q download --no-deps'
/** Quotes a word of bash. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
/** A function of bash that fetches a page, and fails where there is none: `get HOST PORT PATH`. */
export const GET = String.raw`get() ( exec 9<>"/dev/tcp/$1/$2" && printf 'GET %s HTTP/1.0\r\n\r\n' "$3" >&9 && all=$(cat <&9) && [[ $all == *$'\r\n\r\n'* ]] && printf %s "$all" | sed '1,/^\r$/d' )`
const node = (code: string) => (at: string) => `node -e ${quoted(code)} ${at.replace(':', ' ')}`
const HTTP = 'GET /hello HTTP/1.0\\r\\n\\r\\n'

/** Programs without proxy support, or with their proxy disabled, with their output. The address is a parameter. */
export const PLAIN_TOOLS: readonly (readonly [
  name: string,
  script: (place: string) => string,
  said: string,
  ...tools: readonly string[],
])[] = [
  [
    'the fetch of Node',
    node(
      'const [h, p] = process.argv.slice(1); fetch(`http://${h}:${p}/hello`).then((a) => a.text()).then((t) => console.log(t))',
    ),
    'hello\n',
  ],
  [
    'the http of Node',
    node(
      'const [host, port] = process.argv.slice(1); require("http").get({ host, port, path: "/hello" }, (a) => a.pipe(process.stdout))',
    ),
    'hello',
  ],
  [
    'a socket of Node',
    node(
      `const [host, port] = process.argv.slice(1); let all = ""; require("net").connect({ host, port }).on("data", (d) => { all += d }).on("close", () => console.log(all.split("\\r\\n\\r\\n")[1])).write("${HTTP}")`,
    ),
    'hello\n',
  ],
  [
    'Python told to use no proxy',
    (at) =>
      `/usr/bin/python3 -c 'import sys, urllib.request as u; print(u.build_opener(u.ProxyHandler({})).open(sys.argv[1]).read().decode())' http://${at}/hello`,
    'hello\n',
    'python3',
  ],
  [
    'a socket of Perl',
    (at) =>
      `perl -MIO::Socket::INET -e 'my $s = IO::Socket::INET->new($ARGV[0]) or exit 1; print $s "GET /hello HTTP/1.0\\r\\n\\r\\n"; local $/; print +(split /\\r\\n\\r\\n/, <$s>)[1]' ${at}`,
    'hello',
  ],
  ['curl told to use no proxy', (at) => `curl -sf --noproxy '*' http://${at}/hello`, 'hello', 'curl'],
  ['wget told to use no proxy', (at) => `wget -q --no-proxy --tries=1 -O - http://${at}/hello`, 'hello', 'wget'],
  ['git', (at) => `git clone -q http://${at}/repository.git clone && cat clone/file`, 'from git'],
  [
    'npm',
    (at) => `npm install ${NPM} --registry http://${at} tiny >/dev/null && node -p 'require("tiny")'`,
    'from npm\n',
  ],
  [
    'bash itself',
    (at) => `exec 3<>/dev/tcp/${at.replace(':', '/')}; printf '${HTTP}' >&3; sed '1,/^\\r$/d' <&3`,
    'hello',
  ],
  [
    'pip',
    (at) => `${PIP} --trusted-host ${at} --index-url http://${at}/simple -d got tiny && ls got`,
    'tiny-1.0.0-py3-none-any.whl\n',
    'pip3',
  ],
]
