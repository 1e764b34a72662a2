import { defineConfig, devices } from '@playwright/test'
import { findChromium } from '../src/dev/browser.mjs'

/** Each spec starts the real servers it needs through support/server.ts: some of them have to be killed in the middle. */
export default defineConfig({
  testDir: '.',
  outputDir: '../test-results/browser',
  globalSetup: '../tests/support/setup-temporary-folder.ts',
  timeout: 90_000,
  expect: { timeout: 15_000 },
  workers: 2,
  // Machines are shared: a test that only a busy moment failed gets another, and shows as flaky.
  retries: process.env.CI ? 2 : 1,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
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
