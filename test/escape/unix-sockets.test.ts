import { unixSocketAttacks } from './unix-sockets.js'

unixSocketAttacks('as whoever runs the tests')
