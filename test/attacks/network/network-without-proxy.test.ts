import { networkWithoutProxy } from '../suites/network-without-proxy.js'

networkWithoutProxy(process.getuid?.() === 0 ? 'as root' : 'as an ordinary user')
