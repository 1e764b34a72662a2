import { defineConfig, devices } from '@playwright/test'
import { findChromium } from '../src/dev/browser.mjs'

/**
 * Those that take longest or have servers of their own begin, so that the workers end together.
 */
const first =
  /(thirteenth-tool|tool-(queue|swap-face|video-background-removal)|start|studio|webkit|billing|account-(providers|security))\.spec\.ts/

/** They change what everybody sees: in one worker, with one server of its own. */
const staff = /admin(-\w+)?\.spec\.ts/

/**
 * Most tests share one server (support/app.ts); what stops it, or needs another configuration,
 * starts its own.
 */
export default defineConfig({
  testDir: '.',
  outputDir: '../test-results/browser',
  globalSetup: ['../tests/support/setup-temporary-folder.ts', './support/setup-shared-server.ts'],
  // Against tests that hang; how long they take says nothing on a busy machine.
  timeout: 300_000,
  expect: { timeout: 90_000 },
  // Two more than the cores of a small machine, for tests also wait.
  workers: 4,
  // Only where machines are shared, and then it is listed at the end; at home a flaky test fails.
  retries: process.env.CI ? 2 : 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
  projects: [
    { name: 'first', testMatch: first },
    { name: 'staff', testMatch: staff, workers: 1 },
    { name: 'app', testIgnore: [first, staff] },
  ],
  use: {
    ...devices['Pixel 7'],
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'id-ID',
    // Screens are the same without either, which take a third of the time; tests that are about
    // them say so.
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
    // A browser that draws nothing any more would hold its worker until the whole test is given up.
    actionTimeout: 180_000,
    // A picture of every step, and the phone's 2.6 pixels for one, would cost more than the tests
    // themselves.
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
