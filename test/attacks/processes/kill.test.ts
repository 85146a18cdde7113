import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { createCordon } from '../../../src/node.js'
import { type CampaignReport, killCampaign } from '../suites/kill-campaign.js'

const DIST = resolve(import.meta.dirname, '../../../dist')
const NONE_LEFT: Omit<CampaignReport, 'kills'> = {
  ...{ survivors: [], errors: [], unsettled: [] },
  ...{ mounts: [], descriptors: [], scratch: [], groups: [], watchdogs: [] },
}

/** Uses one seed, at slightly different moments. `npm run kills` uses other seeds. */
it('kills in every way at random moments leave no process, mount, descriptor, file or group', async () => {
  const seed = 1
  const { kills, ...left } = await killCampaign({
    ...{ createCordon, library: pathToFileURL(`${DIST}/index.js`).href, binary: `${DIST}/bin.cjs` },
    ...{ count: 28, seed, abreast: 4 },
  })
  expect({ seed, ...left }).toEqual({ seed, ...NONE_LEFT })
  expect(kills).toBe(28)
}, 240_000)
