import { toolSettings } from '../suites/tool-settings.js'

toolSettings('as the user of the tests')
