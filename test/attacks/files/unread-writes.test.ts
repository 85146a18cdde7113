import { unreadWrites } from '../suites/unread-writes.js'

unreadWrites('as the user of the tests')
