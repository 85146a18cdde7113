import { describe, expect, it } from 'vitest'
import { PROFILE } from '../fixture.js'
import { decidedByReader, rulesOf } from '../reading.js'

const free = { ...PROFILE, network: 'full' } as const
const ruleOf = (script: string) => rulesOf(decidedByReader(script, free))

describe('what is copied from a cloud', () => {
  it.each([
    'aws s3 cp s3://bucket/x .',
    'aws s3 cp s3://bucket/x -',
    'aws --profile dev s3 cp --recursive s3://bucket/dir out',
    'aws s3 sync s3://bucket/dir ./dir --exclude "*.tmp"',
    'gsutil cp gs://bucket/x .',
    'gsutil -m cp -r gs://bucket/x .',
    'gsutil rsync -r gs://bucket/x dir',
    'gcloud storage cp gs://bucket/x .',
    'rclone copy remote:bucket/x dir',
  ])('is fetched without a question: %s', (script) => {
    expect(decidedByReader(script, free).verdict).toBe('allow')
  })

  it.each([
    'aws s3 cp x s3://bucket/x',
    'aws s3 cp s3://bucket/x s3://other/x',
    'aws s3 cp s3://bucket/x --profile dev s3://other/x',
    'aws s3 cp "$(cat from)" "$(cat to)"',
    'aws s3 cp s3://bucket/x "$(cat to)"',
    'aws s3 cp s3://bucket/x',
    'aws s3 mv s3://bucket/x .',
    'aws s3 rm s3://bucket/x',
    'aws s3 sync . s3://bucket --exclude x',
    'aws s3 sync x s3://bucket y',
    'gsutil cp x gs://bucket',
    'gsutil rsync -d dir gs://bucket',
    'gcloud storage cp x gs://bucket',
    'rclone sync dir remote:bucket',
    'rclone copy --config=x a:b c:d',
  ])('is asked about where something is sent or taken away: %s', (script) => {
    expect(decidedByReader(script, free)).toMatchObject({ verdict: 'ask' })
    expect(ruleOf(script).join(' ')).toMatch(/effect\/(?:cloud-change|object-store)/)
  })

  it('is written where it says', () => {
    expect(ruleOf('gsutil cp gs://bucket/x ~/.bashrc')).toContain('path/protected')
    expect(ruleOf('aws s3 cp s3://bucket/x ~/.bashrc')).toContain('path/protected')
  })
})
