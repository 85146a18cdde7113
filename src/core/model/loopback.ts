const LOOPBACK =
  /^(?:localhost|[\w-]+(?:\.[\w-]+)*\.localhost|localhost\.localdomain|localhost[46]|ip6-(?:localhost|loopback)|127(?:\.\d{1,3}){1,3}|0\.0\.0\.0|::1|::|(?:0{1,4}:){7}0{0,3}1|::ffff:127(?:\.\d{1,3}){3})$/i

/** Returns whether a host name or address leads to the loopback of the machine that connects. Inside a sandbox that is its own. */
export const isLoopbackHost = (host: string): boolean =>
  LOOPBACK.test(host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, ''))
