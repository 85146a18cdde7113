import { CordonError } from '../../core/model/errors.js'
import type { Sealer } from './sealer.js'
import { faultOf } from './wall-check.js'

type Looked = Parameters<typeof faultOf>[0]

/** Why a wall that is mounted is not to be used: it is not what the plan says, or its devices are open. Null when it may be. */
export async function wallRefusal(looked: Looked, sealer: Sealer | null): Promise<CordonError | null> {
  // Sealed while it is looked at: the one is another process's work.
  const sealing = sealer?.seal(looked.init) ?? true
  const fault = await faultOf(looked)
  return (await sealing) ? fault : unsealed()
}

const unsealed = (): CordonError =>
  new CordonError(
    'START_FAILED',
    'Cordon could not make the devices in the sandbox read-only, and root could change them for the whole host. Nothing was run. Try again, or run `cordon doctor`.',
  )
