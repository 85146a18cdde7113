import { repositoryChanges } from '../suites/repository-changes.js'

repositoryChanges('as the user of the tests')
