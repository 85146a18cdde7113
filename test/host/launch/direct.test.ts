import { createDirect } from '../../../src/host/launch/direct.js'
import { launcherContract } from '../../contract/launcher.js'
import { wallAround } from '../../contract/launcher-plan.js'

launcherContract('direct', {
  create: () => createDirect(),
  wall: () => ({ kind: 'none' }),
  otherWall: (workspace) => wallAround(workspace),
  added: ['CORDON_ENGINE', 'CORDON_TASK'],
})
