import { createDirect } from '../../../src/host/launch/direct.js'
import { launcherContract } from '../../contract/launcher.js'
import { sandboxAround } from '../../contract/launcher-plan.js'

launcherContract('direct', {
  create: () => createDirect(),
  sandbox: () => ({ kind: 'none' }),
  otherSandbox: (workspace) => sandboxAround(workspace),
  added: ['CORDON_ENGINE', 'CORDON_TASK'],
})
