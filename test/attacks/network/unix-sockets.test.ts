import { unixSocketAttacks } from '../suites/unix-sockets.js'

unixSocketAttacks('as the current user')
