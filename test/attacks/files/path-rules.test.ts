import { pathRules } from '../suites/path-rules.js'

pathRules('as the user of the tests')
