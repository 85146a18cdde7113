import { createBubblewrap } from '../../../src/host/launch/bubblewrap.js'
import { launcherContract } from '../../contract/launcher.js'
import { wallAround } from '../../contract/launcher-plan.js'

launcherContract('bubblewrap, built ahead', {
  create: () => createBubblewrap({ warm: 2 }),
  wall: (workspace) => wallAround(workspace),
  otherWall: () => ({ kind: 'none' }),
  added: [],
})
