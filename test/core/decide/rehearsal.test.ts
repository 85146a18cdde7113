import { describe, expect, it } from 'vitest'
import { decided } from './fixture.js'

const free = { profile: { network: 'full' } } as const

describe('a rehearsal', () => {
  it.each([
    'git push --dry-run origin main',
    'git push origin main --dry-run',
    'npm publish --dry-run',
    'kubectl apply -f x.yaml --dry-run=client',
    'mail --help',
    'ssh -V',
    'terraform --help',
  ])('is not asked about: %s', (text) => {
    expect(decided(text, free).verdict).toBe('allow')
  })

  it.each([
    'git push -o --dry-run origin main',
    'git push -- --dry-run',
    'git push --dry-run-not origin',
    'git --dry-run push',
    'ssh example.com x --dry-run',
    'ssh example.com --help',
    'terraform apply --help-me',
  ])('is none where the option is the value of another, or passed on: %s', (text) => {
    expect(decided(text, free).verdict).toBe('ask')
  })
})
