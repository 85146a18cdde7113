import { expect, it } from 'vitest'
import { type CopiedLauncher, createCopied } from '../contract/copied-launcher.js'
import { maskAttacks } from './masks.js'
import { wallAttacks } from './wall.js'

/** What is tried on a wall that bubblewrap built, tried once more on copies of one. */
export function copyAttacks(who: string): void {
  const launchers: CopiedLauncher[] = []
  const create = (): CopiedLauncher => {
    const launcher = createCopied()
    launchers.push(launcher)
    return launcher
  }
  wallAttacks(`${who}, in a copy`, create)
  maskAttacks(`${who}, in a copy`, create)
  it('all of these were copies', () => {
    expect(launchers.map(({ copied }) => copied > 0)).toEqual(launchers.map(() => true))
  })
}
