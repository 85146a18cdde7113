import { bindRaces } from '../suites/bind-race.js'

bindRaces('as the current user')
