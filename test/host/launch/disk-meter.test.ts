import { describe, expect, it } from 'vitest'
import { DiskMeter, type Writer } from '../../../src/host/launch/disk-meter.js'

/** Each look: the processes there are, as `[number, parent, bytes written]`, parents first. */
type Look = readonly (readonly [pid: number, parent: number, written: number, started?: string])[]

function measured(looks: readonly Look[]): readonly number[] {
  let current = new Map<number, Writer>()
  const meter = new DiskMeter((pid) => current.get(pid) ?? null)
  return looks.map((look) => {
    current = new Map(look.map(([pid, parent, written, started = '1']) => [pid, { started, parent, written }]))
    return meter.measure(look.map(([pid]) => pid))
  })
}

describe('what a tree has written', () => {
  it('is the sum over its processes, and stays when one ends and its parent has waited for it', () => {
    expect(
      measured([
        [
          [1, 0, 0],
          [2, 1, 10],
        ],
        [[1, 0, 10]],
        [[1, 0, 10]],
        [[1, 0, 10]],
      ]),
    ).toEqual([10, 10, 10, 10])
  })

  it('stays when a process ends and nobody asks, though the next one writes as much before anybody looks', () => {
    const looks: Look[] = [2, 3, 4, 5, 6].map((pid) => [
      [1, 0, 0],
      [pid, 1, 12],
    ])
    // One look later each, since its parent may have been looked at just before it was told.
    expect(measured([...looks, [[1, 0, 0]], [[1, 0, 0]]])).toEqual([12, 12, 24, 36, 48, 48, 60])
  })

  it('counts nothing twice when a parent was looked at just before its child was added to it', () => {
    expect(
      measured([
        [
          [1, 0, 5],
          [2, 1, 10],
        ],
        [[1, 0, 5]],
        [[1, 0, 15]],
        [[1, 0, 15]],
        [[1, 0, 15]],
      ]),
    ).toEqual([15, 15, 15, 15, 15])
  })

  it('follows what is added by way of processes that end at the same time', () => {
    expect(
      measured([
        [
          [1, 0, 0],
          [2, 1, 3],
          [3, 2, 7],
        ],
        [[1, 0, 10]],
        [[1, 0, 10]],
        [[1, 0, 11]],
      ]),
    ).toEqual([10, 10, 10, 11])
  })

  it('tells a process from a later one that was given its number', () => {
    expect(
      measured([
        [
          [1, 0, 0],
          [2, 1, 9, 'a'],
        ],
        [
          [1, 0, 0],
          [2, 1, 4, 'b'],
        ],
        [
          [1, 0, 0],
          [2, 1, 4, 'b'],
        ],
      ]),
    ).toEqual([9, 9, 13])
  })

  it('never falls', () => {
    expect(
      measured([
        [
          [1, 0, 0],
          [2, 1, 9],
        ],
        [],
        [[1, 0, 2]],
        [],
      ]),
    ).toEqual([9, 9, 11, 11])
  })
})
