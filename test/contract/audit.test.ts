import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openAudit } from '../../src/host/audit/sqlite-audit.js'
import { auditContract } from './audit.js'
import { createMemoryAudit } from './audit-memory.js'

const directory = mkdtempSync(join(tmpdir(), 'cordon-audit-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

auditContract('in memory', createMemoryAudit)
auditContract('SQLite', () => openAudit({ file: join(mkdtempSync(join(directory, 'a-')), 'audit.db') }))
