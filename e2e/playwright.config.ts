import { defineConfig, devices } from '@playwright/test'
import { findChromium } from '../src/dev/browser.mjs'

/** Screens of accounts and money, which are the same with and without a service worker; installing it takes a fifth of the time. */
const withoutServiceWorker = /(account-(guards|profile|security)|auth|billing|home|accessibility)\.spec\.ts/

/** Each spec starts the real servers it needs through support/server.ts: some of them have to be killed in the middle. */
export default defineConfig({
  testDir: '.',
  outputDir: '../test-results/browser',
  globalSetup: '../tests/support/setup-temporary-folder.ts',
  timeout: 90_000,
  expect: { timeout: 15_000 },
  // One more than the cores of a small machine, for tests wait as much as they compute.
  workers: 3,
  // Machines are shared: a test that only a busy moment failed gets another, and shows as flaky.
  retries: process.env.CI ? 2 : 1,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
  projects: [
    { name: 'screens', testMatch: withoutServiceWorker, use: { serviceWorkers: 'block' } },
    { name: 'app', testIgnore: withoutServiceWorker },
  ],
  use: {
    ...devices['Pixel 7'],
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'id-ID',
    // A picture of every step, and the phone's 2.6 pixels for one, would cost more than the tests themselves.
    trace: 'on-first-retry',
    deviceScaleFactor: process.env.SCREENSHOTS ? 2 : 1,
    launchOptions: {
      executablePath: findChromium(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
