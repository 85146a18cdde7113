import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/global-setup.ts',
    // Walls die with the thread that started them (PR_SET_PDEATHSIG), so tests run in processes, not in worker threads.
    pool: 'forks',
    // Most tests wait for processes of their own; one worker on two cores would leave half of the machine idle.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
