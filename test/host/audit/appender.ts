import { writeSync } from 'node:fs'
import { openAudit } from '../../../src/host/audit/sqlite-audit.js'
import { ended, intent } from '../../contract/audit-events.js'

/** Run as a process of its own: appends to a log and says on stdout what it was promised is durable. */
const [file = '', mode = '', name = '', count = '0'] = process.argv.slice(2)
const say = (line: string): void => void writeSync(1, `${line}\n`)
const audit = openAudit({ file })

try {
  if (mode === 'begin') {
    audit.began(intent(name))
    say(`began ${name}`)
    process.stdin.resume()
  } else {
    for (let i = 0; i < Number(count); i += 1) {
      const id = `${name}-${i}`
      audit.began(intent(id, { command: `echo ${'x'.repeat(i % 3000)}` }))
      say(`began ${id}`)
      audit.ended(ended(id))
      say(`ended ${id}`)
    }
    audit.close()
    say('done')
  }
} catch (error) {
  say(JSON.stringify({ code: (error as { code?: string }).code, message: (error as Error).message }))
}
