import { interruptedGit } from '../suites/interrupted-git.js'

interruptedGit('as the user of the tests')
