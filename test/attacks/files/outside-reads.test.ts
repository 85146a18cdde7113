import { outsideReads } from '../suites/outside-reads.js'

outsideReads('as the user of the tests')
