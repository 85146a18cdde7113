import { describe, expect, it } from 'vitest'
import { systemPackages } from '../../../src/engine/evidence/host-services.js'
import { factsOf } from '../../core/decide/fixture.js'

describe('package managers of the system', () => {
  it.each(['apt-get install -y jq', 'apt update', 'dnf install jq', 'pacman -Syu', 'apk add jq', 'dpkg -i x.deb'])(
    'a command that changes system packages is reported: %s',
    (script) => {
      expect(systemPackages(factsOf(script))).toHaveLength(1)
    },
  )

  it.each([
    'apt-get install -s jq',
    'apt list',
    'apt-cache search jq',
    'dpkg -l',
    'pip install jq',
    'apt-get download jq',
  ])('a command that changes no system package is not reported: %s', (script) => {
    expect(systemPackages(factsOf(script))).toEqual([])
  })
})
