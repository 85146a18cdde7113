import { defineConfig } from 'vitest/config'

const ALL = 'test/**/*.test.ts'
/** Tests that change who their process is, count what it holds, or have walls end with it; and the longest of the others. */
const ALONE = [
  'test/escape/**/*.test.ts',
  'test/host/launch/**/*.test.ts',
  'test/host/transaction/{generated,hostile,kill,recovery}.test.ts',
  'test/oracle/*.test.ts',
  'test/surface/cli/must-hold.test.ts',
]

const EACH = {
  // Walls die with the thread that started them (PR_SET_PDEATHSIG), so tests run in processes, not in worker threads.
  pool: 'forks',
  // Most tests wait for processes of their own; one worker on two cores would leave half of the machine idle.
  maxWorkers: 2,
  testTimeout: 30_000,
  hookTimeout: 30_000,
} as const

export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    // Run in the order of their names: what takes long is not to be begun last.
    projects: [
      { test: { ...EACH, name: 'alone', include: ALONE } },
      // To read the sources anew for each file takes longer than most of these do.
      {
        test: { ...EACH, name: 'together', include: [ALL], exclude: [...ALONE, '**/node_modules/**'], isolate: false },
      },
    ],
  },
})
