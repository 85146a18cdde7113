const LOOPBACK =
  /^(?:localhost|[\w-]+(?:\.[\w-]+)*\.localhost|localhost\.localdomain|localhost[46]|ip6-(?:localhost|loopback)|127(?:\.\d{1,3}){1,3}|0\.0\.0\.0|::1|::|(?:0{1,4}:){7}0{0,3}1|::ffff:127(?:\.\d{1,3}){3})$/i

/** Reports whether a host name or address is the loopback of the connecting host; a sandbox has its own. */
export const isLoopbackHost = (host: string): boolean =>
  LOOPBACK.test(host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, ''))
