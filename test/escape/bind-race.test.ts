import { bindRaces } from './bind-race.js'

bindRaces('as whoever runs the tests')
