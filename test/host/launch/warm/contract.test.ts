import { createBubblewrap } from '../../../../src/host/launch/bubblewrap.js'
import { launcherContract } from '../../../contract/launcher.js'
import { sandboxAround } from '../../../contract/launcher-plan.js'

launcherContract('bubblewrap, built ahead', {
  create: () => createBubblewrap({ warm: 2 }),
  sandbox: (workspace) => sandboxAround(workspace),
  otherSandbox: () => ({ kind: 'none' }),
  added: [],
})
