import { defineConfig, devices } from '@playwright/test'
import { browserOptions } from '../src/scripts/browser.mjs'

/**
 * The engine of the shared server works on one picture at a time, and tests that wait for it leave
 * a core idle: two of them run beside two others.
 */
const engine = /(tool-[\w-]+|studio|guardian|device-preview)\.spec\.ts/

/** Tests that change shared data or stop the server; they share a server of their own. */
const own = /(admin(-\w+)?|offline-server)\.spec\.ts/

/** Most tests share one server (support/app.ts). */
export default defineConfig({
  testDir: '.',
  // Rare journeys, which `npm run soak` runs.
  ...(process.env.SOAK ? { grep: /@soak/ } : { grepInvert: /@soak/ }),
  testMatch: '**/*.spec.ts',
  outputDir: '../test-results/browser',
  globalSetup: ['../tests/support/setup-temporary-folder.ts', './support/setup-shared-server.ts'],
  // For hanging tests only: at a load of 35 the engine takes 90 seconds for a picture.
  timeout: 600_000,
  expect: { timeout: 180_000 },
  workers: 4,
  // CI machines are shared; retried tests are listed at the end.
  retries: process.env.CI ? 2 : 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
  projects: [
    { name: 'engine', testMatch: engine, workers: 2 },
    { name: 'own server', testMatch: own, workers: 1 },
    { name: 'app', testIgnore: [engine, own] },
  ],
  use: {
    ...devices['Pixel 7'],
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'id-ID',
    // Screens load in a third of the time without service worker and animations; tests about these
    // enable them.
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
    // A hanging browser would block its worker until the test's timeout.
    actionTimeout: 180_000,
    // A trace of every step, or 2.6 pixels for one, would cost more than the tests.
    trace: 'on-first-retry',
    deviceScaleFactor: process.env.SCREENSHOTS ? 2 : 1,
    launchOptions: browserOptions(),
  },
})
