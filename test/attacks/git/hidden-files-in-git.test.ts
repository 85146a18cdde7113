import { hiddenFilesInGit } from '../suites/hidden-files-in-git.js'

hiddenFilesInGit('as the user of the tests')
