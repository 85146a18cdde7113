import { defineConfig } from 'vitest/config'

/** Pure code, and rules checked by reading the sources: no build, no sandbox. `npm run test:core` runs these alone. */
const CORE = ['test/core/**/*.test.ts', 'test/architecture.test.ts', 'test/core-limits.test.ts']
/** Tests that change their own process, count what it holds, or end sandboxes with it; and the longest of the others. */
const ALONE = [
  'test/attacks/**/*.test.ts',
  'test/host/launch/**/*.test.ts',
  'test/host/transaction/lifecycle/{generated,hostile,kill,recovery}.test.ts',
  'test/oracle/*.test.ts',
  'test/surface/cli/must-hold.test.ts',
]

const EACH = {
  // Sandboxes end with the thread that started them (PR_SET_PDEATHSIG), so tests run in processes, not in worker threads.
  pool: 'forks',
  // Most tests wait for processes of their own; one worker on two cores would leave half of the machine idle.
  maxWorkers: 2,
  testTimeout: 30_000,
  hookTimeout: 30_000,
} as const
const BUILD = 'test/build-setup.ts'

export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    // Run in the order of their names, the longest first.
    projects: [
      { test: { ...EACH, name: 'alone', include: ALONE, globalSetup: BUILD } },
      // Reading the sources anew for each file takes longer than most of these tests.
      { test: { ...EACH, name: 'core', include: CORE, isolate: false } },
      {
        test: {
          ...EACH,
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...ALONE, ...CORE, '**/node_modules/**'],
          globalSetup: BUILD,
          isolate: false,
        },
      },
    ],
  },
})
