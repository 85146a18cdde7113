import { networkTools } from '../suites/network-tools.js'

networkTools(process.getuid?.() === 0 ? 'as root' : 'as an ordinary user')
