import { repositoryChanges } from './repository-changes.js'

repositoryChanges('as the user of the tests')
