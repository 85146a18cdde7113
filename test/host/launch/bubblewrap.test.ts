import { createBubblewrap } from '../../../src/host/launch/bubblewrap.js'
import { launcherContract } from '../../contract/launcher.js'
import { wallAround } from '../../contract/launcher-plan.js'

launcherContract('bubblewrap', {
  create: () => createBubblewrap(),
  wall: (workspace) => wallAround(workspace),
  otherWall: () => ({ kind: 'none' }),
  added: [],
})
